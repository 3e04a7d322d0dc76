package dev.floe.meta.leader;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One caller's commands in a batcher; guarded by the batcher's lock until it is over, then the
/// caller's alone.
final class BatchCall {
  private final Thread caller = Thread.currentThread();
  final Deadline deadline;
  private final @Nullable MetadataReply[] replies;
  private int missing;
  int proposed;
  private @Nullable FloeException error;
  private volatile boolean isOver;

  BatchCall(int count, Deadline deadline) {
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
    List<MetadataReply.Failed> fenced = new ArrayList<>();
    for (MetadataReply reply : replies) {
      all.add(java.util.Objects.requireNonNull(reply));
      if (reply instanceof MetadataReply.Failed failed && failed.code() == ErrorCode.NOT_LEADER) {
        fenced.add(failed);
      }
    }
    if (!fenced.isEmpty()) {
      throw fenced(fenced.getFirst(), fenced.size() == all.size());
    }
    return all;
  }

  /// The entry belongs to a later leadership than the commands. That is no answer to them: sent
  /// again they are decided anew, and those that were applied get the replies they got.
  private static FloeException fenced(MetadataReply.Failed refusal, boolean isWhole) {
    return isWhole
        ? refusal.toException()
        : new FloeException(
            ErrorCode.UNKNOWN_OUTCOME,
            "a part of the commands was applied, another was not: " + refusal.message());
  }

  /// One of its commands, in the queue or in an entry.
  static final class Item {
    final BatchCall call;
    final int position;
    final SessionCommand command;
    final int bytes;

    Item(BatchCall call, int position, SessionCommand command, int bytes) {
      this.call = call;
      this.position = position;
      this.command = command;
      this.bytes = bytes;
    }
  }
}
