package dev.floe.sim.cluster;

import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectId;
import dev.floe.sim.check.Invariant;
import dev.floe.sim.check.Payload;
import dev.floe.sim.check.Violation;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads every object from every replica when all is well: each must be there with its bytes.
final class Auditor {
  private final World world;
  private final ClientActor client;
  private final ArrayDeque<ObjectId> waiting = new ArrayDeque<>();
  private int open;

  Auditor(World world, List<String> masters) {
    this.world = world;
    client =
        new ClientActor(world, world.newProcess("auditor"), masters, new ClientActor.PutNumbers());
    client.stop();
    client.start();
  }

  void start(List<ObjectId> ids) {
    waiting.addAll(ids);
    next();
  }

  boolean isDone() {
    return waiting.isEmpty() && open == 0;
  }

  private void next() {
    ObjectId id = waiting.pollFirst();
    if (id == null) {
      return;
    }
    open++;
    long floor = world.oracles().clients().floor();
    client
        .calls()
        .read(
            call -> new CallMessage.Resolve(call, client.process().name(), id, true, false),
            ClientActor.COMMAND_MILLIS,
            reply -> resolved(id, floor, reply));
  }

  private void resolved(ObjectId id, long floor, CallMessage.@Nullable Reply reply) {
    if (!(reply instanceof CallMessage.Resolved resolved)) {
      throw new Violation(Invariant.LIVENESS, "the audit of " + id + " got no answer: " + reply);
    }
    switch (resolved.resolution()) {
      case Resolution.Missing missing ->
          world.oracles().clients().resolved(id, null, floor, resolved.readIndex());
      case Resolution.Found found -> {
        world.oracles().clients().resolved(id, found.version(), floor, resolved.readIndex());
        for (ReplicaTarget target : found.replicas()) {
          open++;
          read(id, found, target);
        }
      }
    }
    open--;
    next();
  }

  private void read(ObjectId id, Resolution.Found found, ReplicaTarget target) {
    new ReplicaTransfer(client, target, Math.toIntExact(found.sizeBytes()))
        .read(
            bytes -> {
              if (bytes == null || Payload.checksum(bytes) != found.checksum()) {
                throw new Violation(
                    Invariant.ACKED_OBJECT_LOST,
                    "version "
                        + found.version()
                        + " of "
                        + id
                        + " cannot be read from "
                        + target
                        + (bytes == null ? "" : ": its checksum is wrong"));
              }
              world.oracles().data().served(target.replica().id(), 0, bytes);
              open--;
            });
  }
}
