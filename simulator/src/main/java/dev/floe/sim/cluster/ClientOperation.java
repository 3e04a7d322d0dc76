package dev.floe.sim.cluster;

import dev.floe.meta.model.ObjectId;
import dev.floe.sim.check.Oracles;
import dev.floe.sim.check.RegisterOperation;

/// One operation of a client, from its call to its end.
abstract class ClientOperation {
  final ClientActor client;
  final ObjectId id;
  final long invokeNanos;
  final long floor;
  private boolean hasEnded;

  ClientOperation(ClientActor client, ObjectId id) {
    this.client = client;
    this.id = id;
    this.invokeNanos = client.process().lane().nanos();
    this.floor = client.world().oracles().clients().floor();
  }

  /// Begins; ends by `end`.
  abstract void start();

  /// The client died in the middle of it: notes what may still take effect.
  abstract void abandon();

  final void end(String how) {
    if (hasEnded) {
      throw new IllegalStateException(this + " ended twice");
    }
    hasEnded = true;
    client
        .world()
        .trace()
        .note(client.process().name(), getClass().getSimpleName(), 0, 0, id + " " + how);
    client.finished(this);
  }

  final Oracles oracles() {
    return client.world().oracles();
  }

  final long nowNanos() {
    return client.process().lane().nanos();
  }

  final String label(String what) {
    return client.process().name() + " " + what;
  }

  final void record(RegisterOperation operation) {
    oracles().history().add(id, operation);
  }
}
