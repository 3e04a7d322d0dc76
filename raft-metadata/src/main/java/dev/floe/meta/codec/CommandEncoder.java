package dev.floe.meta.codec;

import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.model.RuntimeId;
import dev.floe.proto.log.BarrierMessage;
import dev.floe.proto.log.CloseSessionMessage;
import dev.floe.proto.log.CommandMessage;
import dev.floe.proto.log.EvictMessage;
import dev.floe.proto.log.ExpireSessionsMessage;
import dev.floe.proto.log.MountSegmentMessage;
import dev.floe.proto.log.OpenSessionMessage;
import dev.floe.proto.log.PutEndMessage;
import dev.floe.proto.log.PutRevokeMessage;
import dev.floe.proto.log.PutStartMessage;
import dev.floe.proto.log.RegisterRuntimeMessage;
import dev.floe.proto.log.RemoveMessage;
import dev.floe.proto.log.RuntimeEpochMessage;
import dev.floe.proto.log.RuntimeEpochsMessage;
import dev.floe.proto.log.SoftPinMessage;
import dev.floe.proto.log.TickMessage;
import dev.floe.proto.log.UnmountSegmentMessage;
import dev.floe.proto.log.VictimMessage;
import java.util.List;

/// Commands to messages.
final class CommandEncoder {
  private CommandEncoder() {}

  static void encode(MetadataCommand command, CommandMessage.Builder message) {
    switch (command) {
      case MetadataCommand.Client client -> encodeClient(client, message);
      case MetadataCommand.Leader leader -> encodeLeader(leader, message);
    }
  }

  private static void encodeClient(MetadataCommand.Client command, CommandMessage.Builder message) {
    switch (command) {
      case MetadataCommand.OpenSession open ->
          message.setOpenSession(
              OpenSessionMessage.newBuilder().setSession(ModelCodec.encode(open.nonce())));
      case MetadataCommand.CloseSession close ->
          message.setCloseSession(
              CloseSessionMessage.newBuilder().setSession(ModelCodec.encode(close.session())));
      case MetadataCommand.RegisterRuntime register ->
          message.setRegisterRuntime(
              RegisterRuntimeMessage.newBuilder()
                  .setRuntime(register.runtime().value())
                  .setIncarnation(ModelCodec.encode(register.process().incarnation()))
                  .setDirectory(ModelCodec.encode(register.process().directory()))
                  .setStart(register.process().start())
                  .setLeasedMillis(register.leasedMillis())
                  .setDataEndpoint(ModelCodec.encode(register.dataEndpoint()))
                  .addAllLabels(ModelCodec.encode(register.labels())));
      case MetadataCommand.MountSegment mount ->
          message.setMountSegment(
              MountSegmentMessage.newBuilder()
                  .setRuntime(mount.runtime().value())
                  .setEpoch(mount.epoch())
                  .setName(mount.name())
                  .setCapacityBytes(mount.capacityBytes()));
      case MetadataCommand.UnmountSegment unmount ->
          message.setUnmountSegment(
              UnmountSegmentMessage.newBuilder()
                  .setRuntime(unmount.runtime().value())
                  .setEpoch(unmount.epoch())
                  .setSegment(unmount.segment().value()));
      case MetadataCommand.PutStart start -> message.setPutStart(encode(start));
      case MetadataCommand.PutEnd end ->
          message.setPutEnd(
              PutEndMessage.newBuilder()
                  .setId(ModelCodec.encode(end.id()))
                  .addAllReplicaIds(end.replicaIds())
                  .setChecksum(end.checksum()));
      case MetadataCommand.PutRevoke revoke ->
          message.setPutRevoke(
              PutRevokeMessage.newBuilder()
                  .setId(ModelCodec.encode(revoke.id()))
                  .addAllReplicaIds(revoke.replicaIds()));
      case MetadataCommand.Remove remove ->
          message.setRemove(
              RemoveMessage.newBuilder()
                  .setId(ModelCodec.encode(remove.id()))
                  .setForced(remove.isForced())
                  .setLeasedMillis(remove.leasedMillis()));
      case MetadataCommand.Barrier _ -> message.setBarrier(BarrierMessage.getDefaultInstance());
    }
  }

  private static PutStartMessage encode(MetadataCommand.PutStart start) {
    MetadataCommand.Placement placement = start.placement();
    MetadataCommand.WriteOptions options = start.options();
    PutStartMessage.Builder message =
        PutStartMessage.newBuilder()
            .setId(ModelCodec.encode(start.id()))
            .setSizeBytes(start.sizeBytes())
            .setReplicaCount(placement.replicaCount())
            .setStrategy(
                switch (placement.strategy()) {
                  case RANDOM -> 1;
                  case FREE_RATIO_FIRST -> 2;
                })
            .addAllPreferred(placement.preferred().stream().map(RuntimeId::value).toList())
            .setReplaces(options.replaces())
            .setDataType(options.dataType().number())
            .setGroup(options.group())
            .setHardPinned(options.isHardPinned());
    SoftPinMessage softPin = ModelCodec.encode(options.softPin());
    if (softPin != null) {
      message.setSoftPin(softPin);
    }
    return message.build();
  }

  private static void encodeLeader(MetadataCommand.Leader command, CommandMessage.Builder message) {
    switch (command) {
      case MetadataCommand.SuspectRuntimes suspect ->
          message.setSuspectRuntimes(encode(suspect.runtimes()));
      case MetadataCommand.ReviveRuntimes revive ->
          message.setReviveRuntimes(encode(revive.runtimes()));
      case MetadataCommand.ExpireRuntimes expire ->
          message.setExpireRuntimes(encode(expire.runtimes()));
      case MetadataCommand.Evict evict -> message.setEvict(encode(evict));
      case MetadataCommand.ExpireSessions expire ->
          message.setExpireSessions(
              ExpireSessionsMessage.newBuilder()
                  .addAllSessions(expire.sessions().stream().map(ModelCodec::encode).toList())
                  .setSeenIndex(expire.seenIndex()));
      case MetadataCommand.Tick tick ->
          message.setTick(
              TickMessage.newBuilder().setDigestIndex(tick.digestIndex()).setDigest(tick.digest()));
    }
  }

  private static EvictMessage encode(MetadataCommand.Evict evict) {
    EvictMessage.Builder message =
        EvictMessage.newBuilder().setTakesSoftPinned(evict.takesSoftPinned());
    for (MetadataCommand.Victim victim : evict.victims()) {
      message.addVictims(
          VictimMessage.newBuilder()
              .setId(ModelCodec.encode(victim.id()))
              .setVersion(ModelCodec.encode(victim.version())));
    }
    return message.build();
  }

  private static RuntimeEpochsMessage encode(List<RuntimeEpoch> runtimes) {
    RuntimeEpochsMessage.Builder message = RuntimeEpochsMessage.newBuilder();
    for (RuntimeEpoch one : runtimes) {
      message.addRuntimes(
          RuntimeEpochMessage.newBuilder().setRuntime(one.runtime().value()).setEpoch(one.epoch()));
    }
    return message.build();
  }
}
