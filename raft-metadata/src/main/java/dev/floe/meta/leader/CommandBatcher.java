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
  private final ArrayDeque<BatchCall.Item> queue = new ArrayDeque<>();
  private final Set<Entry> inFlight = new HashSet<>();
  private final Thread pump;
  private @Nullable FloeException refusal;

  /// The leadership it works for while there is no refusal.
  private long leading;

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

  /// Accepts the commands of a leadership from now on.
  ///
  /// @param term its Raft term
  public void start(long term) {
    lock.lock();
    try {
      if (!isClosed) {
        refusal = null;
        leading = term;
      }
    } finally {
      lock.unlock();
    }
  }

  /// Accepts no more: commands that the log has not got fail with `error` and never get there,
  /// those that it has got fail with `UNKNOWN_OUTCOME`.
  public void stop(FloeException error) {
    lock.lock();
    try {
      refusal = error;
      // First, so that a call of which the log has nothing is told so.
      inFlight.stream().filter(entry -> !entry.isHandedOver).forEach(Entry::takeBack);
      for (BatchCall.Item item : queue) {
        item.call.fail(error);
      }
      queue.clear();
      for (Entry entry : inFlight) {
        entry.leadLost(error);
      }
      inFlight.clear();
    } finally {
      lock.unlock();
    }
  }

  /// Hands commands in and waits for all replies, in order.
  ///
  /// What a caller decided under one leadership (leases, times) means nothing under the next, so
  /// the commands are not proposed once this master knows that it no longer leads in that term. A
  /// change of leadership that happens between this check and Ratis's own is found by apply, as the
  /// entry names the term.
  ///
  /// @param term the leadership under which the caller looked at the commands
  /// @throws FloeException `NOT_LEADER`, `UNAVAILABLE`, `OVERLOADED`, `TOO_LARGE`, `CANCELLED` or
  ///     `DEADLINE_EXCEEDED`: none of them was or will be applied; `UNKNOWN_OUTCOME`: some may have
  ///     been or may yet be
  public List<MetadataReply> submit(long term, List<SessionCommand> commands, Deadline deadline) {
    if (commands.isEmpty()) {
      return List.of();
    }
    if (deadline.isExpired()) {
      throw new FloeException(
          ErrorCode.DEADLINE_EXCEEDED, "the deadline passed before the command came: nothing done");
    }
    BatchCall call = new BatchCall(commands.size(), deadline);
    List<BatchCall.Item> items = itemsOf(call, commands);
    Entry entry;
    lock.lock();
    try {
      FloeException refused = refusalOf(term);
      if (refused != null) {
        throw refused;
      }
      enqueue(items, deadline);
      entry = takeIfPossible();
    } finally {
      lock.unlock();
    }
    if (entry != null) {
      propose(entry);
    }
    return await(call);
  }

  private List<BatchCall.Item> itemsOf(BatchCall call, List<SessionCommand> commands) {
    List<BatchCall.Item> items = new ArrayList<>(commands.size());
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
      items.add(new BatchCall.Item(call, items.size(), command, bytes));
    }
    return items;
  }

  /// Why the commands of a leadership cannot be proposed now; null when they can.
  private @Nullable FloeException refusalOf(long term) {
    FloeException refused = refusal;
    if (refused != null) {
      return new FloeException(
          refused.code(), String.valueOf(refused.getMessage()), refused.context(), null);
    }
    if (term == leading) {
      return null;
    }
    Probe.sometimes("batcher.command-of-an-older-leadership");
    return new FloeException(
        ErrorCode.NOT_LEADER,
        "the command came while this master led term "
            + term
            + ", now it leads term "
            + leading
            + "; nothing was done, retry");
  }

  private void enqueue(List<BatchCall.Item> items, Deadline deadline) {
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

  /// Proposes one entry; what can follow is left to the pump, so that no caller works for others
  /// without end. One thread proposes at a time, so that entries enter the log in the order of the
  /// queue.
  private void propose(Entry entry) {
    try {
      CommandBatch batch = entry.batch(clock.millis());
      if (handOver(entry)) {
        log.propose(batch, entry);
      }
    } catch (FloeException e) {
      entry.failed(e);
    } catch (RuntimeException | Error e) {
      entry.failed(
          new FloeException(
              ErrorCode.UNKNOWN_OUTCOME, "proposing the entry failed: it may be applied: " + e, e));
      if (e instanceof Error error) {
        throw error;
      }
    } finally {
      proposed();
    }
  }

  /// Whether the log may have the entry: between the taking of it and now the lead may have been
  /// lost and won again. From here on nobody but the log knows what becomes of it.
  private boolean handOver(Entry entry) {
    lock.lock();
    try {
      entry.isHandedOver = inFlight.contains(entry);
      return entry.isHandedOver;
    } finally {
      lock.unlock();
    }
  }

  private void proposed() {
    lock.lock();
    try {
      isProposing = false;
      if (canPropose()) {
        pumpNeeded.signal();
      }
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
    List<BatchCall.Item> items = new ArrayList<>();
    long bytes = 0;
    for (BatchCall.Item next = queue.peek(); next != null; next = queue.peek()) {
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
      bytes += next.bytes;
      next.call.proposed++;
    }
    return new Entry(leading, items);
  }

  private void pumpUntilClosed() {
    for (Entry entry = nextEntry(); entry != null; entry = nextEntry()) {
      propose(entry);
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
    for (BatchCall.Item item : queue) {
      endIfExpired(item.call);
    }
    for (Entry entry : inFlight) {
      for (BatchCall.Item item : entry.items) {
        endIfExpired(item.call);
      }
    }
    queue.removeIf(item -> item.call.isOver());
    return earliest == null ? Long.MAX_VALUE : Math.max(1, earliest.remainingNanos());
  }

  private void endIfExpired(BatchCall call) {
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

  private List<MetadataReply> await(BatchCall call) {
    while (!call.isOver()) {
      LockSupport.park(this);
      if (Thread.currentThread().isInterrupted()) {
        giveUp(call);
      }
    }
    return call.result();
  }

  /// What was not proposed never will be.
  private void giveUp(BatchCall call) {
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

  /// Entries that were proposed and not answered yet.
  public int entriesUnderWay() {
    lock.lock();
    try {
      return inFlight.size();
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

  /// One entry under way.
  private final class Entry implements MetaLog.ProposalListener {
    private final long term;
    private final List<BatchCall.Item> items;
    private boolean isHandedOver;

    Entry(long term, List<BatchCall.Item> items) {
      this.term = term;
      this.items = items;
    }

    CommandBatch batch(long nowMillis) {
      return new CommandBatch(term, nowMillis, items.stream().map(item -> item.command).toList());
    }

    @Override
    public void applied(long index, List<MetadataReply> replies) {
      finished(
          this,
          () -> {
            for (int i = 0; i < items.size(); i++) {
              BatchCall.Item item = items.get(i);
              item.call.reply(item.position, replies.get(i));
            }
          });
    }

    @Override
    public void failed(FloeException error) {
      finished(
          this,
          () -> {
            if (error.code() != ErrorCode.UNKNOWN_OUTCOME) {
              takeBack();
            }
            fail(error);
          });
    }

    void leadLost(FloeException why) {
      if (!isHandedOver) {
        fail(why);
        return;
      }
      Probe.sometimes("batcher.lead-lost-with-entries-under-way");
      fail(
          new FloeException(
              ErrorCode.UNKNOWN_OUTCOME,
              "this master lost the lead while the command was under way: it may be applied",
              why));
    }

    /// The log does not have them and never will.
    private void takeBack() {
      for (BatchCall.Item item : items) {
        item.call.proposed--;
      }
    }

    private void fail(FloeException error) {
      for (BatchCall.Item item : items) {
        item.call.fail(error);
      }
    }
  }
}
