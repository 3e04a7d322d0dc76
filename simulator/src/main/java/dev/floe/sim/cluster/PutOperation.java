package dev.floe.sim.cluster;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.SoftPin;
import dev.floe.sim.check.CommandOracle;
import dev.floe.sim.check.Payload;
import dev.floe.sim.check.RegisterOperation;
import dev.floe.sim.kernel.SimRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Put: start, bytes to every replica, end; revoke when no replica took them.
final class PutOperation extends ClientOperation {
  private final Payload payload;
  private final SimRandom.Stream random;
  private final MetadataCommand.WriteOptions options;
  private final List<Long> filled = new ArrayList<>();
  private List<MetadataReply.ReplicaTarget> targets = List.of();
  private int writing;
  private boolean isEnding;

  PutOperation(ClientActor client, ObjectId id) {
    super(client, id);
    random = client.process().random();
    int sizeMax = client.world().options().work().valueBytesMax();
    payload =
        new Payload(
            client.putNumbers().next(),
            random.chance(0.05) ? 0 : (int) random.logBetween(1, sizeMax));
    options =
        new MetadataCommand.WriteOptions(
            random.chance(0.3),
            DataType.KVCACHE,
            random.chance(0.3) ? "g" + random.between(0, 2) : "",
            random.chance(0.02),
            softPin());
  }

  private SoftPin softPin() {
    if (random.chance(0.8)) {
      return SoftPin.Preserve.INSTANCE;
    }
    return random.chance(0.3)
        ? SoftPin.Disable.INSTANCE
        : new SoftPin.Enable(random.logBetween(1, 20_000));
  }

  @Override
  void start() {
    ClientSession session = client.session();
    long sequence = session.begin();
    oracles().data().willWrite(new CommandOracle.Written(session.id(), sequence, id), payload);
    int replicas = (int) random.between(1, client.world().options().work().replicasMax());
    MetadataCommand.Placement placement =
        random.chance(0.5)
            ? MetadataCommand.Placement.replicas(replicas)
            : new MetadataCommand.Placement(replicas, MetadataCommand.Strategy.RANDOM, List.of());
    client.submit(
        session,
        sequence,
        new MetadataCommand.PutStart(id, payload.sizeBytes(), placement, options),
        this::started);
  }

  private void started(CallMessage.@Nullable Submitted answer) {
    if (answer == null) {
      end("start unknown");
      return;
    }
    if (!(answer.reply() instanceof MetadataReply.PutStarted started)) {
      refused(answer.reply());
      return;
    }
    targets = started.targets();
    writing = targets.size();
    for (MetadataReply.ReplicaTarget target : targets) {
      later(() -> write(target));
    }
  }

  private void refused(MetadataReply reply) {
    if (reply instanceof MetadataReply.Failed failed && failed.code() == ErrorCode.ALREADY_EXISTS) {
      record(
          RegisterOperation.read(
              invokeNanos, nowNanos(), RegisterOperation.SOME, label("put found it")));
    }
    end(reply.toString());
  }

  private void write(MetadataReply.ReplicaTarget target) {
    new ReplicaTransfer(client, target, payload.sizeBytes())
        .write(
            payload,
            isFilled -> {
              if (isFilled) {
                filled.add(target.replica().id());
              }
              if (--writing == 0) {
                later(this::finish);
              }
            });
  }

  private void finish() {
    if (filled.isEmpty() || random.chance(0.03)) {
      client.submit(
          new MetadataCommand.PutRevoke(id, tokens()),
          answer -> end(answer == null ? "revoke unknown" : "revoked: " + answer.reply()));
      return;
    }
    isEnding = true;
    client.submit(
        new MetadataCommand.PutEnd(id, filled.stream().sorted().toList(), payload.checksum()),
        this::ended);
  }

  private void ended(CallMessage.@Nullable Submitted answer) {
    isEnding = false;
    if (answer == null) {
      recordPut(false);
      end("end unknown");
    } else {
      if (answer.reply() instanceof MetadataReply.Done) {
        recordPut(true);
      }
      end(answer.reply() + " value " + payload.id());
    }
  }

  private List<Long> tokens() {
    return targets.stream().map(target -> target.replica().id()).toList();
  }

  private void recordPut(boolean isKnown) {
    record(
        options.replaces()
            ? RegisterOperation.replace(
                invokeNanos, nowNanos(), payload.id(), isKnown, label("replace " + payload.id()))
            : RegisterOperation.put(
                invokeNanos, nowNanos(), payload.id(), isKnown, label("put " + payload.id())));
  }

  private void later(Runnable step) {
    boolean isLate =
        client.world().options().faults().has(FaultClass.LATE_WRITER) && random.chance(0.08);
    long millis =
        isLate
            ? random.between(0, 2 * client.world().options().times().state().putDiscardMillis())
            : 0;
    if (millis == 0) {
      step.run();
    } else {
      client.process().lane().after(millis * 1_000_000, "late writer", step);
    }
  }

  @Override
  void abandon() {
    if (isEnding) {
      recordPut(false);
    }
  }
}
