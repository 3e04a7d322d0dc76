package dev.floe.sim.cluster;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.sim.check.RegisterOperation;
import org.jspecify.annotations.Nullable;

/// Removal, plain or forced.
final class RemoveOperation extends ClientOperation {
  private final boolean isForced;

  RemoveOperation(ClientActor client, ObjectId id, boolean isForced) {
    super(client, id);
    this.isForced = isForced;
  }

  @Override
  void start() {
    client.submit(new MetadataCommand.Remove(id, isForced), this::removed);
  }

  private void removed(CallMessage.@Nullable Submitted answer) {
    if (answer == null) {
      abandon();
      end("unknown");
      return;
    }
    if (answer.reply() instanceof MetadataReply.Done) {
      long expects = isForced ? RegisterOperation.ANY : RegisterOperation.SOME;
      record(RegisterOperation.remove(invokeNanos, nowNanos(), expects, true, label("removed")));
    } else if (answer.reply() instanceof MetadataReply.Failed failed
        && failed.code() == ErrorCode.NOT_FOUND) {
      record(RegisterOperation.read(invokeNanos, nowNanos(), 0, label("found nothing to remove")));
    }
    if (answer.reply() instanceof MetadataReply.Failed failed
        && failed.code() == ErrorCode.HAS_LEASE) {
      record(
          RegisterOperation.read(
              invokeNanos, nowNanos(), RegisterOperation.SOME, label("may not remove it")));
    }
    end(answer.reply().toString());
  }

  @Override
  void abandon() {
    record(
        RegisterOperation.remove(
            invokeNanos, nowNanos(), RegisterOperation.ANY, false, label("perhaps removed")));
  }
}
