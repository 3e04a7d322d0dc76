package dev.floe.meta.codec;

import static dev.floe.meta.codec.ModelCodec.known;

import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataCommand.Strategy;
import dev.floe.meta.command.MetadataCommand.Victim;
import dev.floe.meta.command.MetadataCommand.WriteOptions;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SoftPin;
import dev.floe.proto.log.CommandMessage;
import dev.floe.proto.log.EvictMessage;
import dev.floe.proto.log.ExpireSessionsMessage;
import dev.floe.proto.log.MountSegmentMessage;
import dev.floe.proto.log.PutEndMessage;
import dev.floe.proto.log.PutRevokeMessage;
import dev.floe.proto.log.PutStartMessage;
import dev.floe.proto.log.RegisterRuntimeMessage;
import dev.floe.proto.log.RemoveMessage;
import dev.floe.proto.log.RuntimeEpochsMessage;
import dev.floe.proto.log.TickMessage;
import dev.floe.proto.log.UnmountSegmentMessage;
import java.util.List;

/// Messages to commands.
final class CommandDecoder {
  private CommandDecoder() {}

  static MetadataCommand decode(CommandMessage message) {
    return switch (message.getCommandCase()) {
      case OPEN_SESSION ->
          new MetadataCommand.OpenSession(
              ModelCodec.decode(known(message.getOpenSession()).getSession()));
      case CLOSE_SESSION ->
          new MetadataCommand.CloseSession(
              ModelCodec.decode(known(message.getCloseSession()).getSession()));
      case REGISTER_RUNTIME -> decode(known(message.getRegisterRuntime()));
      case MOUNT_SEGMENT -> decode(known(message.getMountSegment()));
      case UNMOUNT_SEGMENT -> decode(known(message.getUnmountSegment()));
      case PUT_START -> decode(known(message.getPutStart()));
      case PUT_END -> decode(known(message.getPutEnd()));
      case PUT_REVOKE -> decode(known(message.getPutRevoke()));
      case REMOVE -> decode(known(message.getRemove()));
      case BARRIER -> {
        known(message.getBarrier());
        yield new MetadataCommand.Barrier();
      }
      case SUSPECT_RUNTIMES ->
          new MetadataCommand.SuspectRuntimes(decode(known(message.getSuspectRuntimes())));
      case REVIVE_RUNTIMES ->
          new MetadataCommand.ReviveRuntimes(decode(known(message.getReviveRuntimes())));
      case EXPIRE_RUNTIMES ->
          new MetadataCommand.ExpireRuntimes(decode(known(message.getExpireRuntimes())));
      case EVICT -> decode(known(message.getEvict()));
      case EXPIRE_SESSIONS -> decode(known(message.getExpireSessions()));
      case TICK -> decode(known(message.getTick()));
      case COMMAND_NOT_SET -> throw ModelCodec.unknown("a command of the batch");
    };
  }

  private static MetadataCommand decode(RegisterRuntimeMessage message) {
    return new MetadataCommand.RegisterRuntime(
        new RuntimeId(message.getRuntime()),
        new RuntimeProcess(
            ModelCodec.decode(message.getIncarnation()),
            ModelCodec.decode(message.getDirectory()),
            message.getStart()),
        ModelCodec.decode(message.getDataEndpoint()),
        ModelCodec.decodeLabels(message.getLabelsList()),
        message.getLeasedMillis());
  }

  private static MetadataCommand decode(MountSegmentMessage message) {
    return new MetadataCommand.MountSegment(
        new RuntimeId(message.getRuntime()),
        message.getEpoch(),
        message.getName(),
        message.getCapacityBytes());
  }

  private static MetadataCommand decode(UnmountSegmentMessage message) {
    return new MetadataCommand.UnmountSegment(
        new RuntimeId(message.getRuntime()),
        message.getEpoch(),
        new SegmentId(message.getSegment()));
  }

  private static MetadataCommand decode(PutStartMessage message) {
    Strategy strategy =
        switch (message.getStrategy()) {
          case 1 -> Strategy.RANDOM;
          case 2 -> Strategy.FREE_RATIO_FIRST;
          default -> throw ModelCodec.unknown("allocation strategy " + message.getStrategy());
        };
    return new MetadataCommand.PutStart(
        ModelCodec.decode(message.getId()),
        message.getSizeBytes(),
        new Placement(
            message.getReplicaCount(),
            strategy,
            message.getPreferredList().stream().map(RuntimeId::new).toList()),
        new WriteOptions(
            message.getReplaces(),
            ModelCodec.dataType(message.getDataType()),
            message.getGroup(),
            message.getHardPinned(),
            message.hasSoftPin()
                ? ModelCodec.decode(message.getSoftPin())
                : SoftPin.Preserve.INSTANCE));
  }

  private static MetadataCommand decode(EvictMessage message) {
    return new MetadataCommand.Evict(
        message.getVictimsList().stream()
            .map(
                victim ->
                    new Victim(
                        ModelCodec.decode(known(victim).getId()),
                        ModelCodec.decode(victim.getVersion())))
            .toList(),
        message.getTakesSoftPinned());
  }

  private static MetadataCommand decode(PutEndMessage message) {
    return new MetadataCommand.PutEnd(
        ModelCodec.decode(message.getId()), message.getReplicaIdsList(), message.getChecksum());
  }

  private static MetadataCommand decode(PutRevokeMessage message) {
    return new MetadataCommand.PutRevoke(
        ModelCodec.decode(message.getId()), message.getReplicaIdsList());
  }

  private static MetadataCommand decode(RemoveMessage message) {
    return new MetadataCommand.Remove(
        ModelCodec.decode(message.getId()), message.getForced(), message.getLeasedMillis());
  }

  private static List<RuntimeEpoch> decode(RuntimeEpochsMessage message) {
    return message.getRuntimesList().stream()
        .map(one -> new RuntimeEpoch(new RuntimeId(one.getRuntime()), one.getEpoch()))
        .toList();
  }

  private static MetadataCommand decode(ExpireSessionsMessage message) {
    return new MetadataCommand.ExpireSessions(
        message.getSessionsList().stream().map(ModelCodec::decode).toList(),
        message.getSeenIndex());
  }

  private static MetadataCommand decode(TickMessage message) {
    return new MetadataCommand.Tick(message.getDigestIndex(), message.getDigest());
  }
}
