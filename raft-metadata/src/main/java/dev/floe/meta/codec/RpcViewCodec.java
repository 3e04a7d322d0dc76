package dev.floe.meta.codec;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.client.MetadataApi.ListPage;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.state.MetadataView;
import dev.floe.proto.metarpc.ClusterViewResponse;
import dev.floe.proto.metarpc.FoundMessage;
import dev.floe.proto.metarpc.ListedObject;
import dev.floe.proto.metarpc.MasterMessage;
import dev.floe.proto.metarpc.ResolutionMessage;
import dev.floe.proto.metarpc.RuntimeMessage;
import dev.floe.proto.metarpc.SegmentMessage;
import dev.floe.proto.metarpc.TotalsMessage;

/// What reads of the metadata service answer: resolutions, listed objects, the cluster view.
public final class RpcViewCodec {
  private RpcViewCodec() {}

  public static ResolutionMessage encode(Resolution resolution) {
    ResolutionMessage.Builder message = ResolutionMessage.newBuilder();
    switch (resolution) {
      case Resolution.Found found ->
          message.setFound(
              FoundMessage.newBuilder()
                  .setVersion(RpcCodec.encode(found.version()))
                  .setSizeBytes(found.sizeBytes())
                  .setChecksum((int) found.checksum())
                  .addAllReplicas(found.replicas().stream().map(RpcCodec::encode).toList())
                  .setLeaseMillis(found.leaseMillis()));
      case Resolution.Missing missing ->
          message.setMissing(RpcCodec.failed(missing.code(), missing.message()));
    }
    return message.build();
  }

  public static Resolution decode(ResolutionMessage message) {
    return switch (message.getResolutionCase()) {
      case FOUND -> {
        FoundMessage found = message.getFound();
        yield new Resolution.Found(
            RpcCodec.decode(found.getVersion()),
            found.getSizeBytes(),
            Integer.toUnsignedLong(found.getChecksum()),
            RpcCodec.targets(found.getReplicasList()),
            found.getLeaseMillis());
      }
      case MISSING ->
          new Resolution.Missing(
              ErrorCode.ofNumber(message.getMissing().getCode()),
              message.getMissing().getMessage());
      case RESOLUTION_NOT_SET ->
          throw RpcCodec.unknown("a resolution of a kind that this release does not know");
    };
  }

  public static ListedObject encode(ListPage.Entry entry) {
    return ListedObject.newBuilder()
        .setKey(RpcCodec.bytes(entry.key()))
        .setState(
            switch (entry.state()) {
              case WRITING -> 1;
              case ACTIVE -> 2;
              case DELETING -> 3;
            })
        .setVersion(RpcCodec.encode(entry.version()))
        .setSizeBytes(entry.sizeBytes())
        .setReplicas(entry.replicas())
        .build();
  }

  public static ListPage.Entry decode(ListedObject message) {
    RouteState state =
        switch (message.getState()) {
          case 1 -> RouteState.WRITING;
          case 2 -> RouteState.ACTIVE;
          case 3 -> RouteState.DELETING;
          default -> throw RpcCodec.unknown("object state " + message.getState());
        };
    return new ListPage.Entry(
        RpcCodec.key(message.getKey()),
        state,
        RpcCodec.decode(message.getVersion()),
        message.getSizeBytes(),
        message.getReplicas());
  }

  public static ClusterViewResponse encode(ClusterView view) {
    return ClusterViewResponse.newBuilder()
        .setCluster(view.cluster())
        .setAnsweredBy(view.answeredBy())
        .setLeader(view.isLeader())
        .setTerm(view.term())
        .setAppliedIndex(view.appliedIndex())
        .setDigest(view.digest())
        .addAllMasters(view.masters().stream().map(RpcViewCodec::encode).toList())
        .addAllRuntimes(view.runtimes().stream().map(RpcViewCodec::encode).toList())
        .addAllSegments(view.segments().stream().map(RpcViewCodec::encode).toList())
        .setTotals(encode(view.totals()))
        .build();
  }

  public static ClusterView decode(ClusterViewResponse message) {
    return new ClusterView(
        message.getCluster(),
        message.getAnsweredBy(),
        message.getLeader(),
        message.getTerm(),
        message.getAppliedIndex(),
        message.getDigest(),
        message.getMastersList().stream().map(RpcViewCodec::decode).toList(),
        message.getRuntimesList().stream().map(RpcViewCodec::decode).toList(),
        message.getSegmentsList().stream().map(RpcViewCodec::decode).toList(),
        decode(message.getTotals()));
  }

  private static MasterMessage encode(ClusterView.Master master) {
    MasterMessage.Builder message =
        MasterMessage.newBuilder()
            .setNode(master.node())
            .setEndpoint(master.endpoint())
            .setLeader(master.isLeader());
    Long index = master.appliedIndexOrNull();
    if (index != null) {
      message.setAppliedIndex(index);
    }
    return message.build();
  }

  private static ClusterView.Master decode(MasterMessage message) {
    return new ClusterView.Master(
        message.getNode(),
        message.getEndpoint(),
        message.getLeader(),
        message.hasAppliedIndex() ? message.getAppliedIndex() : null);
  }

  private static RuntimeMessage encode(RuntimeRecord record) {
    return RuntimeMessage.newBuilder()
        .setId(record.id().value())
        .setIncarnation(RpcCodec.encode(record.incarnation()))
        .setEpoch(record.epoch())
        .setState(
            switch (record.state()) {
              case ALIVE -> 1;
              case SUSPECTED -> 2;
            })
        .setDataEndpoint(RpcCodec.encode(record.dataEndpoint()))
        .putAllLabels(record.labels())
        .build();
  }

  private static RuntimeRecord decode(RuntimeMessage message) {
    RuntimeState state =
        switch (message.getState()) {
          case 1 -> RuntimeState.ALIVE;
          case 2 -> RuntimeState.SUSPECTED;
          default -> throw RpcCodec.unknown("runtime state " + message.getState());
        };
    return new RuntimeRecord(
        new RuntimeId(message.getId()),
        RpcCodec.decode(message.getIncarnation()),
        message.getEpoch(),
        state,
        RpcCodec.decode(message.getDataEndpoint()),
        message.getLabelsMap());
  }

  private static SegmentMessage encode(MetadataView.SegmentUsage usage) {
    Segment segment = usage.segment();
    return SegmentMessage.newBuilder()
        .setId(segment.id().value())
        .setRuntime(segment.runtime().value())
        .setEpoch(segment.epoch())
        .setName(segment.name())
        .setCapacityBytes(segment.capacityBytes())
        .setUsedBytes(usage.usedBytes())
        .setLargestFreeBytes(usage.largestFreeBytes())
        .build();
  }

  private static MetadataView.SegmentUsage decode(SegmentMessage message) {
    return new MetadataView.SegmentUsage(
        new Segment(
            new SegmentId(message.getId()),
            new RuntimeId(message.getRuntime()),
            message.getEpoch(),
            message.getName(),
            message.getCapacityBytes()),
        message.getUsedBytes(),
        message.getLargestFreeBytes());
  }

  private static TotalsMessage encode(MetadataView.Totals totals) {
    return TotalsMessage.newBuilder()
        .setObjects(totals.objects())
        .setObjectBytes(totals.objectBytes())
        .setWriting(totals.writing())
        .setSessions(totals.sessions())
        .setCapacityBytes(totals.capacityBytes())
        .setUsedBytes(totals.usedBytes())
        .setAbandonedBytes(totals.abandonedBytes())
        .build();
  }

  private static MetadataView.Totals decode(TotalsMessage message) {
    return new MetadataView.Totals(
        message.getObjects(),
        message.getObjectBytes(),
        message.getWriting(),
        message.getSessions(),
        message.getCapacityBytes(),
        message.getUsedBytes(),
        message.getAbandonedBytes());
  }
}
