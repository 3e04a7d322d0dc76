package dev.floe.sim.cluster;

import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.model.ObjectId;
import dev.floe.sim.check.RegisterOperation;

/// Whether an object is readable; renews no lease.
final class ExistOperation extends ClientOperation {
  ExistOperation(ClientActor client, ObjectId id) {
    super(client, id);
  }

  @Override
  void start() {
    client
        .calls()
        .read(
            call -> new CallMessage.Resolve(call, client.process().name(), id, false, false),
            ClientActor.COMMAND_MILLIS,
            reply -> {
              if (reply instanceof CallMessage.Resolved resolved) {
                boolean exists = resolved.resolution() instanceof Resolution.Found;
                oracles().clients().existed(id, exists, floor, resolved.readIndex());
                record(
                    RegisterOperation.read(
                        invokeNanos,
                        nowNanos(),
                        exists ? RegisterOperation.SOME : 0,
                        label("exists " + exists)));
                end("exists " + exists);
              } else {
                end("no answer");
              }
            });
  }

  @Override
  void abandon() {}
}
