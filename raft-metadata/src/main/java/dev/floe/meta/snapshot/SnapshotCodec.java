package dev.floe.meta.snapshot;

import static dev.floe.meta.codec.ModelCodec.known;

import dev.floe.meta.codec.ModelCodec;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Retention;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.model.WriteState;
import dev.floe.meta.state.table.Abandoned;
import dev.floe.proto.log.AbandonedMessage;
import dev.floe.proto.log.RouteMessage;
import dev.floe.proto.log.RuntimeRecordMessage;
import dev.floe.proto.log.SegmentMessage;
import dev.floe.proto.log.SoftPinMessage;

/// The records of a snapshot to messages and back.
final class SnapshotCodec {
  private SnapshotCodec() {}

  static RuntimeRecord decode(RuntimeRecordMessage message) {
    return ModelCodec.decode(known(message));
  }

  static Segment decode(SegmentMessage message) {
    return ModelCodec.decode(known(message));
  }

  static RouteMessage encode(ObjectRoute route) {
    RouteMessage.Builder message =
        encode(route.current())
            .setId(ModelCodec.encode(route.id()))
            .setState(
                switch (route.state()) {
                  case WRITING -> 1;
                  case ACTIVE -> 2;
                  case DELETING -> 3;
                });
    ObjectVersion next = route.next();
    if (next != null) {
      message.setNext(encode(next));
    }
    return message.build();
  }

  private static RouteMessage.Builder encode(ObjectVersion version) {
    WriteState write = version.write();
    RouteMessage.Builder message =
        RouteMessage.newBuilder()
            .setVersion(ModelCodec.encode(write.version()))
            .setSizeBytes(version.content().sizeBytes())
            .setChecksum(version.content().checksum())
            .setDataType(version.content().dataType().number())
            .setGroup(version.retention().group())
            .setHardPinned(version.retention().isHardPinned())
            .setSoftPinnedUntilMillis(version.retention().softPinnedUntilMillis())
            .setWriter(ModelCodec.encode(write.writer()))
            .setStartMillis(write.startMillis())
            .setFirstToken(write.firstToken())
            .setTokenCount(write.tokenCount())
            .addAllReplicas(version.replicas().stream().map(ModelCodec::encode).toList());
    SoftPinMessage softPin = ModelCodec.encode(write.softPin());
    if (softPin != null) {
      message.setSoftPin(softPin);
    }
    return message;
  }

  static ObjectRoute decode(RouteMessage message) {
    return new ObjectRoute(
        ModelCodec.decode(message.getId()),
        switch (message.getState()) {
          case 1 -> RouteState.WRITING;
          case 2 -> RouteState.ACTIVE;
          case 3 -> RouteState.DELETING;
          default -> throw ModelCodec.unknown("route state " + message.getState());
        },
        version(message),
        message.hasNext() ? version(message.getNext()) : null);
  }

  private static ObjectVersion version(RouteMessage message) {
    known(message);
    return new ObjectVersion(
        new ObjectVersion.Content(
            message.getSizeBytes(),
            message.getChecksum(),
            ModelCodec.dataType(message.getDataType())),
        new Retention(
            message.getGroup(), message.getHardPinned(), message.getSoftPinnedUntilMillis()),
        new WriteState(
            ModelCodec.decode(message.getVersion()),
            ModelCodec.decode(message.getWriter()),
            message.getStartMillis(),
            message.getFirstToken(),
            message.getTokenCount(),
            message.hasSoftPin()
                ? ModelCodec.decode(message.getSoftPin())
                : SoftPin.Preserve.INSTANCE),
        message.getReplicasList().stream().map(r -> ModelCodec.decode(known(r))).toList());
  }

  static AbandonedMessage encode(Abandoned abandoned) {
    return AbandonedMessage.newBuilder()
        .setReleaseMillis(abandoned.releaseMillis())
        .setRange(ModelCodec.encode(abandoned.range()))
        .build();
  }

  static Abandoned decode(AbandonedMessage message) {
    known(message);
    return new Abandoned(message.getReleaseMillis(), ModelCodec.decode(message.getRange()));
  }
}
