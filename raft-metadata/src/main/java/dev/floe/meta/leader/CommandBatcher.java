package dev.floe.meta.leader;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.log.MetaLog;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Puts the commands of many callers into few log entries, by natural batching: while entries are
/// under way, commands gather; as soon as a slot is free, what has gathered leaves as one entry.
///
/// A lone command leaves at once, on its caller's thread. No timer is involved. Commands enter the
/// log in the order in which they came; those of one call stay in order. Callers block, so they
/// should be virtual threads; they are parked without a timer of their own, the pump alone watches
/// the earliest deadline. Soft state; works from `start` to `stop` of one leadership.
public final class CommandBatcher implements AutoCloseable {
  private final MetaLog log;
  private final InstantSource clock;
  private final ToIntFunction<SessionCommand> sizeOf;
  private final int entriesInFlightMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition pumpNeeded = lock.newCondition();
  private final ArrayDeque<Item> queue = new ArrayDeque<>();
  private final Set<Entry> inFlight = new HashSet<>();
  private final Thread pump;
  private @Nullable FloeException refusal;

  /// No waiting call has an earlier deadline; the call that had it may have ended long ago.
  private @Nullable Deadline earliest;

  private boolean isProposing;
  private boolean isClosed;

  /// @param sizeOf about how many bytes a command takes in an entry
  public CommandBatcher(
      MetaLog log,
      InstantSource clock,
      ToIntFunction<SessionCommand> sizeOf,
      int entriesInFlightMax) {
    this.log = log;
    this.clock = clock;
    this.sizeOf = sizeOf;
    this.entriesInFlightMax = entriesInFlightMax;
    this.refusal = new FloeException(ErrorCode.NOT_LEADER, "this master does not lead yet; retry");
    this.pump = Thread.ofPlatform().daemon().name("batcher").unstarted(this::pumpUntilClosed);
    pump.start();
  }

  /// Accepts commands from now on.
  public void start() {
    lock.lock();
    try {
      if (!isClosed) {
        refusal = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /// Accepts no more: commands that were not proposed fail with `error`, those that were with
  /// `UNKNOWN_OUTCOME`.
  public void stop(FloeException error) {
    lock.lock();
    try {
      refusal = error;
      for (Item item : queue) {
        item.call.fail(error);
      }
      queue.clear();
      for (Entry entry : inFlight) {
        Probe.sometimes("batcher.lead-lost-with-entries-under-way");
        entry.fail(
            new FloeException(
                ErrorCode.UNKNOWN_OUTCOME,
                "this master lost the lead while the command was under way: it may be applied",
                error));
      }
      inFlight.clear();
    } finally {
      lock.unlock();
    }
  }

  /// Hands commands in and waits for all replies, in order.
  ///
  /// @throws FloeException `NOT_LEADER`, `OVERLOADED`, `TOO_LARGE` or `DEADLINE_EXCEEDED`: none of
  ///     them was or will be applied; `UNKNOWN_OUTCOME`: some may have been or may yet be
  public List<MetadataReply> submit(List<SessionCommand> commands, Deadline deadline) {
    if (commands.isEmpty()) {
      return List.of();
    }
    if (deadline.isExpired()) {
      throw new FloeException(
          ErrorCode.DEADLINE_EXCEEDED, "the deadline passed before the command came: nothing done");
    }
    Call call = new Call(commands.size(), deadline);
    List<Item> items = itemsOf(call, commands);
    Entry entry;
    lock.lock();
    try {
      enqueue(items, deadline);
      entry = takeIfPossible();
    } finally {
      lock.unlock();
    }
    proposeAll(entry);
    return await(call);
  }

  private List<Item> itemsOf(Call call, List<SessionCommand> commands) {
    List<Item> items = new ArrayList<>(commands.size());
    for (SessionCommand command : commands) {
      int bytes = sizeOf.applyAsInt(command);
      if (bytes > Limits.COMMAND_BYTES_MAX) {
        throw new FloeException(
            ErrorCode.TOO_LARGE,
            "a "
                + command.command().getClass().getSimpleName()
                + " of "
                + bytes
                + " bytes, the limit is "
                + Limits.COMMAND_BYTES_MAX
                + "; shorten its lists and names");
      }
      items.add(new Item(call, items.size(), command, bytes));
    }
    return items;
  }

  private void enqueue(List<Item> items, Deadline deadline) {
    FloeException refused = refusal;
    if (refused != null) {
      throw new FloeException(
          refused.code(), String.valueOf(refused.getMessage()), refused.context(), null);
    }
    if (queue.size() + items.size() > Limits.BATCHER_QUEUE_MAX
        || Probe.buggify("batcher.refuses-as-full")) {
      throw new FloeException(
          ErrorCode.OVERLOADED,
          queue.size()
              + " commands wait for the log, the limit is "
              + Limits.BATCHER_QUEUE_MAX
              + "; retry later");
    }
    queue.addAll(items);
    if (earliest == null || deadline.isBefore(earliest)) {
      earliest = deadline;
      pumpNeeded.signal();
    }
  }

  /// Proposes an entry and those that can follow. One thread proposes at a time, so that entries
  /// enter the log in the order of the queue.
  private void proposeAll(@Nullable Entry first) {
    Entry entry = first;
    while (entry != null) {
      try {
        log.propose(entry.batch, entry);
      } catch (FloeException e) {
        entry.failed(e);
      } catch (RuntimeException e) {
        entry.failed(
            new FloeException(ErrorCode.INTERNAL, "the entry could not be proposed: " + e, e));
      } finally {
        entry = proposed();
      }
    }
  }

  private @Nullable Entry proposed() {
    lock.lock();
    try {
      isProposing = false;
      return takeIfPossible();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Entry takeIfPossible() {
    if (!canPropose()) {
      return null;
    }
    Entry entry = take();
    inFlight.add(entry);
    isProposing = true;
    return entry;
  }

  private boolean canPropose() {
    while (!queue.isEmpty() && queue.element().call.isOver()) {
      queue.remove();
    }
    return !isProposing && inFlight.size() < entriesInFlightMax && !queue.isEmpty();
  }

  private Entry take() {
    List<Item> items = new ArrayList<>();
    List<SessionCommand> commands = new ArrayList<>();
    long bytes = 0;
    for (Item next = queue.peek(); next != null; next = queue.peek()) {
      boolean isFull =
          items.size() == Limits.ENTRY_COMMANDS_MAX
              || (!items.isEmpty() && Probe.buggify("batcher.entry-of-one"))
              || (!items.isEmpty() && bytes + next.bytes > Limits.ENTRY_BYTES_MAX);
      if (isFull) {
        break;
      }
      queue.remove();
      if (next.call.isOver()) {
        continue;
      }
      items.add(next);
      commands.add(next.command);
      bytes += next.bytes;
      next.call.proposed++;
    }
    return new Entry(new CommandBatch(clock.millis(), commands), items);
  }

  private void pumpUntilClosed() {
    for (Entry entry = nextEntry(); entry != null; entry = nextEntry()) {
      proposeAll(entry);
    }
  }

  /// Waits until the pump has something to propose; null when this batcher is closed.
  private @Nullable Entry nextEntry() {
    lock.lock();
    try {
      while (!isClosed) {
        long nanos = endExpired();
        Entry entry = takeIfPossible();
        if (entry != null) {
          return entry;
        }
        if (nanos == Long.MAX_VALUE) {
          pumpNeeded.await();
        } else {
          var _ = pumpNeeded.awaitNanos(nanos);
        }
      }
      return null;
    } catch (InterruptedException e) {
      throw new IllegalStateException("the pump was interrupted, which nothing does", e);
    } finally {
      lock.unlock();
    }
  }

  /// Ends the calls whose deadline passed.
  ///
  /// @return nanoseconds until this is needed again
  private long endExpired() {
    if (earliest == null) {
      return Long.MAX_VALUE;
    }
    long remaining = earliest.remainingNanos();
    if (remaining > 0) {
      return remaining;
    }
    earliest = null;
    for (Item item : queue) {
      endIfExpired(item.call);
    }
    for (Entry entry : inFlight) {
      for (Item item : entry.items) {
        endIfExpired(item.call);
      }
    }
    queue.removeIf(item -> item.call.isOver());
    return earliest == null ? Long.MAX_VALUE : Math.max(1, earliest.remainingNanos());
  }

  private void endIfExpired(Call call) {
    if (call.isOver()) {
      return;
    }
    if (call.deadline.isExpired()) {
      Probe.sometimes("batcher.deadline-passed-while-waiting");
      call.giveUp(ErrorCode.DEADLINE_EXCEEDED, "the deadline passed");
    } else if (earliest == null || call.deadline.isBefore(earliest)) {
      earliest = call.deadline;
    }
  }

  private List<MetadataReply> await(Call call) {
    while (!call.isOver()) {
      LockSupport.park(this);
      if (Thread.currentThread().isInterrupted()) {
        giveUp(call);
      }
    }
    return call.result();
  }

  /// What was not proposed never will be.
  private void giveUp(Call call) {
    lock.lock();
    try {
      if (!call.isOver()) {
        call.giveUp(ErrorCode.CANCELLED, "the caller was interrupted");
        queue.removeIf(item -> item.call == call);
      }
    } finally {
      lock.unlock();
    }
  }

  private void finished(Entry entry, Runnable effect) {
    lock.lock();
    try {
      effect.run();
      if (inFlight.remove(entry) && canPropose()) {
        pumpNeeded.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Commands that wait to be proposed.
  public int queued() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  /// Stops for good and ends the own thread.
  @Override
  public void close() {
    stop(new FloeException(ErrorCode.NOT_LEADER, "this master is stopping; ask another"));
    lock.lock();
    try {
      isClosed = true;
      pumpNeeded.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      pump.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// One caller's commands; guarded by the lock until it is over, then the caller's alone.
  private static final class Call {
    private final Thread caller = Thread.currentThread();
    private final Deadline deadline;
    private final @Nullable MetadataReply[] replies;
    private int missing;
    private int proposed;
    private @Nullable FloeException error;
    private volatile boolean isOver;

    Call(int count, Deadline deadline) {
      this.deadline = deadline;
      replies = new MetadataReply[count];
      missing = count;
    }

    void reply(int position, MetadataReply reply) {
      if (isOver) {
        return;
      }
      replies[position] = reply;
      if (--missing == 0) {
        end();
      }
    }

    /// Once a part was proposed the whole has an unknown outcome.
    void fail(FloeException why) {
      if (isOver) {
        return;
      }
      boolean isCertain = proposed == 0 || why.code() == ErrorCode.UNKNOWN_OUTCOME;
      error =
          isCertain
              ? why
              : new FloeException(
                  ErrorCode.UNKNOWN_OUTCOME,
                  "a part of the commands may be applied: " + why.getMessage(),
                  why);
      end();
    }

    void giveUp(ErrorCode code, String why) {
      fail(
          proposed == 0
              ? new FloeException(code, why + " before the command was proposed: nothing was done")
              : new FloeException(
                  ErrorCode.UNKNOWN_OUTCOME,
                  why + " while the command was under way: it may be applied"));
    }

    private void end() {
      isOver = true;
      LockSupport.unpark(caller);
    }

    boolean isOver() {
      return isOver;
    }

    List<MetadataReply> result() {
      FloeException failure = error;
      if (failure != null) {
        throw new FloeException(
            failure.code(), String.valueOf(failure.getMessage()), failure.context(), failure);
      }
      List<MetadataReply> all = new ArrayList<>(replies.length);
      for (MetadataReply reply : replies) {
        all.add(java.util.Objects.requireNonNull(reply));
      }
      return all;
    }
  }

  private static final class Item {
    private final Call call;
    private final int position;
    private final SessionCommand command;
    private final int bytes;

    Item(Call call, int position, SessionCommand command, int bytes) {
      this.call = call;
      this.position = position;
      this.command = command;
      this.bytes = bytes;
    }
  }

  /// One entry under way.
  private final class Entry implements MetaLog.ProposalListener {
    private final CommandBatch batch;
    private final List<Item> items;

    Entry(CommandBatch batch, List<Item> items) {
      this.batch = batch;
      this.items = items;
    }

    @Override
    public void applied(long index, List<MetadataReply> replies) {
      finished(
          this,
          () -> {
            for (int i = 0; i < items.size(); i++) {
              Item item = items.get(i);
              item.call.reply(item.position, replies.get(i));
            }
          });
    }

    @Override
    public void failed(FloeException error) {
      finished(
          this,
          () -> {
            boolean isCertain = error.code() != ErrorCode.UNKNOWN_OUTCOME;
            for (Item item : items) {
              if (isCertain) {
                item.call.proposed--;
              }
            }
            fail(error);
          });
    }

    void fail(FloeException error) {
      for (Item item : items) {
        item.call.fail(error);
      }
    }
  }
}
