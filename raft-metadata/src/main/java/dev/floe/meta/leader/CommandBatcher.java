package dev.floe.meta.leader;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Puts the commands of many callers into few log entries, by natural batching: while entries are
/// under way, commands gather; as soon as a slot is free, what has gathered leaves as one entry.
///
/// A lone command leaves at once, on its caller's thread. No timer is involved. Commands enter the
/// log in the order in which they came; those of one call stay in order. Callers block, so they
/// should be virtual threads. Soft state; works from `start` to `stop` of one leadership.
public final class CommandBatcher implements AutoCloseable {
  private final MetaLog log;
  private final InstantSource clock;
  private final ToIntFunction<SessionCommand> sizeOf;
  private final int entriesInFlightMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition slotFree = lock.newCondition();
  private final ArrayDeque<Item> queue = new ArrayDeque<>();
  private final Set<Entry> inFlight = new HashSet<>();
  private final Thread pump;
  private @Nullable FloeException refusal;
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
    Call call = new Call(commands.size());
    List<Item> items = itemsOf(call, commands);
    lock.lock();
    try {
      enqueue(items);
    } finally {
      lock.unlock();
    }
    proposeWhilePossible();
    return await(call, deadline);
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

  private void enqueue(List<Item> items) {
    FloeException refused = refusal;
    if (refused != null) {
      throw new FloeException(
          refused.code(), String.valueOf(refused.getMessage()), refused.context(), null);
    }
    if (queue.size() + items.size() > Limits.BATCHER_QUEUE_MAX) {
      throw new FloeException(
          ErrorCode.OVERLOADED,
          queue.size()
              + " commands wait for the log, the limit is "
              + Limits.BATCHER_QUEUE_MAX
              + "; retry later");
    }
    queue.addAll(items);
  }

  /// One thread proposes at a time, so that entries enter the log in the order of the queue.
  private void proposeWhilePossible() {
    while (true) {
      Entry entry;
      lock.lock();
      try {
        if (!canPropose()) {
          return;
        }
        entry = take();
        inFlight.add(entry);
        isProposing = true;
      } finally {
        lock.unlock();
      }
      try {
        log.propose(entry.batch, entry);
      } catch (FloeException e) {
        entry.failed(e);
      } catch (RuntimeException e) {
        entry.failed(
            new FloeException(ErrorCode.INTERNAL, "the entry could not be proposed: " + e, e));
      } finally {
        proposed();
      }
    }
  }

  private void proposed() {
    lock.lock();
    try {
      isProposing = false;
    } finally {
      lock.unlock();
    }
  }

  private boolean canPropose() {
    while (!queue.isEmpty() && queue.element().call.isDone()) {
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
              || (!items.isEmpty() && bytes + next.bytes > Limits.ENTRY_BYTES_MAX);
      if (isFull) {
        break;
      }
      queue.remove();
      if (next.call.isDone()) {
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
    while (true) {
      lock.lock();
      try {
        while (!isClosed && !canPropose()) {
          slotFree.awaitUninterruptibly();
        }
        if (isClosed) {
          return;
        }
      } finally {
        lock.unlock();
      }
      proposeWhilePossible();
    }
  }

  private List<MetadataReply> await(Call call, Deadline deadline) {
    lock.lock();
    try {
      while (!call.isDone()) {
        if (call.done.awaitNanos(deadline.remainingNanos()) <= 0 && !call.isDone()) {
          giveUp(call, ErrorCode.DEADLINE_EXCEEDED, "the deadline passed");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp(call, ErrorCode.CANCELLED, "the caller was interrupted");
    } finally {
      lock.unlock();
    }
    return call.result();
  }

  /// What was not proposed never will be.
  private void giveUp(Call call, ErrorCode code, String why) {
    if (call.proposed < call.replies.length) {
      queue.removeIf(item -> item.call == call);
    }
    call.fail(
        call.proposed == 0
            ? new FloeException(code, why + " before the command was proposed: nothing was done")
            : new FloeException(
                ErrorCode.UNKNOWN_OUTCOME,
                why + " while the command was under way: it may be applied"));
  }

  private void finished(Entry entry, Runnable effect) {
    lock.lock();
    try {
      effect.run();
      if (inFlight.remove(entry) && canPropose()) {
        slotFree.signal();
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
      slotFree.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      pump.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// One caller's commands; guarded by the lock.
  private final class Call {
    private final Condition done = lock.newCondition();
    private final @Nullable MetadataReply[] replies;
    private int missing;
    private int proposed;
    private @Nullable FloeException error;

    Call(int count) {
      replies = new MetadataReply[count];
      missing = count;
    }

    void reply(int position, MetadataReply reply) {
      replies[position] = reply;
      if (--missing == 0) {
        done.signal();
      }
    }

    /// Once a part was proposed the whole has an unknown outcome.
    void fail(FloeException why) {
      if (isDone()) {
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
      done.signal();
    }

    boolean isDone() {
      return missing == 0 || error != null;
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
