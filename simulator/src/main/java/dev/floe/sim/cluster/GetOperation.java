package dev.floe.sim.cluster;

import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectId;
import dev.floe.sim.check.Payload;
import dev.floe.sim.check.RegisterOperation;
import dev.floe.sim.check.Situation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Get: resolve, then the bytes from one replica after the other, then resolve anew.
final class GetOperation extends ClientOperation {
  private static final int RESOLVES_MAX = 3;

  private final boolean isStrict;
  private int resolves;
  private long resolveNanos;
  private long resolveFloor;

  GetOperation(ClientActor client, ObjectId id, boolean isStrict) {
    super(client, id);
    this.isStrict = isStrict;
  }

  @Override
  void start() {
    resolves++;
    resolveNanos = nowNanos();
    resolveFloor = oracles().clients().floor();
    boolean grantsLease = client.process().random().chance(0.5);
    client
        .calls()
        .read(
            call ->
                new CallMessage.Resolve(call, client.process().name(), id, isStrict, grantsLease),
            ClientActor.COMMAND_MILLIS,
            this::resolved);
  }

  private void resolved(CallMessage.@Nullable Reply reply) {
    if (!(reply instanceof CallMessage.Resolved resolved)) {
      end("no answer");
      return;
    }
    switch (resolved.resolution()) {
      case Resolution.Missing missing -> {
        oracles().clients().resolved(id, null, resolveFloor, resolved.readIndex());
        recordRead(0, "saw nothing");
        end(missing.code().toString());
      }
      case Resolution.Found found -> {
        oracles().clients().resolved(id, found.version(), resolveFloor, resolved.readIndex());
        Payload payload = oracles().data().payloadOf(found.replicas().getFirst().replica().id());
        recordRead(payload == null ? -4 : payload.id(), "saw " + payload);
        List<ReplicaTarget> targets = new ArrayList<>(found.replicas());
        Collections.shuffle(targets, client.process().random());
        readNext(found, targets);
      }
    }
  }

  private void recordRead(long value, String what) {
    record(RegisterOperation.read(resolveNanos, nowNanos(), value, label(what)));
  }

  private void readNext(Resolution.Found found, List<ReplicaTarget> targets) {
    if (targets.isEmpty()) {
      if (resolves < RESOLVES_MAX) {
        start();
      } else {
        end("no replica readable");
      }
      return;
    }
    ReplicaTarget target = targets.removeFirst();
    new ReplicaTransfer(client, target, Math.toIntExact(found.sizeBytes()))
        .read(
            bytes -> {
              if (bytes == null || Payload.checksum(bytes) != found.checksum()) {
                if (!targets.isEmpty()) {
                  oracles().situations().hit(Situation.READ_FELL_OVER_TO_ANOTHER_REPLICA);
                }
                readNext(found, targets);
              } else {
                oracles().data().served(target.replica().id(), 0, bytes);
                end("read " + found.version());
              }
            });
  }

  @Override
  void abandon() {}
}
