package dev.floe.meta.snapshot;

import static dev.floe.meta.codec.ModelCodec.known;

import dev.floe.meta.codec.ModelCodec;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.WriteState;
import dev.floe.meta.state.table.Abandoned;
import dev.floe.proto.log.AbandonedMessage;
import dev.floe.proto.log.RouteMessage;
import dev.floe.proto.log.RuntimeRecordMessage;
import dev.floe.proto.log.SegmentMessage;

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
    return RouteMessage.newBuilder()
        .setId(ModelCodec.encode(route.id()))
        .setVersion(ModelCodec.encode(route.version()))
        .setState(
            switch (route.state()) {
              case WRITING -> 1;
              case ACTIVE -> 2;
              case DELETING -> 3;
            })
        .setSizeBytes(route.content().sizeBytes())
        .setChecksum(route.content().checksum())
        .setWriter(ModelCodec.encode(route.write().writer()))
        .setStartMillis(route.write().startMillis())
        .setFirstToken(route.write().firstToken())
        .setTokenCount(route.write().tokenCount())
        .addAllReplicas(route.replicas().stream().map(ModelCodec::encode).toList())
        .build();
  }

  static ObjectRoute decode(RouteMessage message) {
    known(message);
    return new ObjectRoute(
        ModelCodec.decode(message.getId()),
        ModelCodec.decode(message.getVersion()),
        switch (message.getState()) {
          case 1 -> RouteState.WRITING;
          case 2 -> RouteState.ACTIVE;
          case 3 -> RouteState.DELETING;
          default -> throw ModelCodec.unknown("route state " + message.getState());
        },
        new ObjectRoute.Content(message.getSizeBytes(), message.getChecksum()),
        new WriteState(
            ModelCodec.decode(message.getWriter()),
            message.getStartMillis(),
            message.getFirstToken(),
            message.getTokenCount()),
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
