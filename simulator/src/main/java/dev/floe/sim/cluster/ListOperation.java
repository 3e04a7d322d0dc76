package dev.floe.sim.cluster;

import dev.floe.meta.model.ObjectId;

/// All readable keys that start like the key of this operation does.
final class ListOperation extends ClientOperation {
  ListOperation(ClientActor client, ObjectId id) {
    super(client, id);
  }

  @Override
  void start() {
    String prefix =
        client.process().random().chance(0.5) ? id.key().value() : id.key().value().substring(0, 1);
    client
        .calls()
        .read(
            call -> new CallMessage.ListKeys(call, client.process().name(), prefix),
            ClientActor.COMMAND_MILLIS,
            reply -> {
              if (reply instanceof CallMessage.Listed listed) {
                oracles().clients().listed(prefix, listed.keys(), floor, listed.readIndex());
                end("listed " + listed.keys().size());
              } else {
                end("no answer");
              }
            });
  }

  @Override
  void abandon() {}
}
