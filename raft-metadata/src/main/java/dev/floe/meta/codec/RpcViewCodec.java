package dev.floe.meta.codec;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.client.MetadataApi.ListPage;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.codec.RpcMessages.ClusterPage;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Retention;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.state.MetadataView;
import dev.floe.proto.metarpc.ClusterViewResponse;
import dev.floe.proto.metarpc.FoundMessage;
import dev.floe.proto.metarpc.ListedObject;
import dev.floe.proto.metarpc.MasterMessage;
import dev.floe.proto.metarpc.ResolutionMessage;
import dev.floe.proto.metarpc.SegmentUsageMessage;
import dev.floe.proto.metarpc.TotalsMessage;
import java.util.Objects;

/// What reads of the metadata service answer: resolutions, listed objects, the cluster view.
final class RpcViewCodec {
  private RpcViewCodec() {}

  static ResolutionMessage encode(Resolution resolution) {
    ResolutionMessage.Builder message = ResolutionMessage.newBuilder();
    switch (resolution) {
      case Resolution.Found found ->
          message.setFound(
              FoundMessage.newBuilder()
                  .setVersion(ModelCodec.encode(found.version()))
                  .setSizeBytes(found.sizeBytes())
                  .setChecksum((int) found.checksum())
                  .setDataType(found.content().dataType().number())
                  .setGroup(found.retention().group())
                  .setHardPinned(found.retention().isHardPinned())
                  .setSoftPinnedUntilMillis(found.retention().softPinnedUntilMillis())
                  .addAllReplicas(found.replicas().stream().map(ModelCodec::encode).toList())
                  .setLeaseMillis(found.leaseMillis()));
      case Resolution.Missing missing ->
          message.setMissing(ModelCodec.failed(missing.code(), missing.message()));
    }
    return message.build();
  }

  static Resolution decode(ResolutionMessage message) {
    return switch (message.getResolutionCase()) {
      case FOUND -> {
        FoundMessage found = message.getFound();
        yield new Resolution.Found(
            ModelCodec.decode(found.getVersion()),
            new ObjectVersion.Content(
                found.getSizeBytes(),
                Integer.toUnsignedLong(found.getChecksum()),
                Objects.requireNonNullElse(
                    DataType.ofNumber(found.getDataType()), DataType.UNKNOWN)),
            new Retention(
                found.getGroup(), found.getHardPinned(), found.getSoftPinnedUntilMillis()),
            RpcCodec.onWire(
                () -> found.getReplicasList().stream().map(ModelCodec::decode).toList()),
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

  static ListedObject encode(ListPage.Entry entry) {
    return ListedObject.newBuilder()
        .setKey(RpcCodec.bytes(entry.key()))
        .setState(
            switch (entry.state()) {
              case WRITING -> 1;
              case ACTIVE -> 2;
              case DELETING -> 3;
            })
        .setVersion(ModelCodec.encode(entry.version()))
        .setSizeBytes(entry.sizeBytes())
        .setReplicas(entry.replicas())
        .build();
  }

  static ListPage.Entry decode(ListedObject message) {
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
        ModelCodec.decode(message.getVersion()),
        message.getSizeBytes(),
        message.getReplicas());
  }

  static ClusterViewResponse encode(ClusterPage page) {
    ClusterView view = page.view();
    return ClusterViewResponse.newBuilder()
        .setCluster(view.cluster())
        .setAnsweredBy(view.answeredBy())
        .setLeader(view.isLeader())
        .setTerm(view.term())
        .setAppliedIndex(view.appliedIndex())
        .setDigest(view.digest())
        .addAllMasters(view.masters().stream().map(RpcViewCodec::encode).toList())
        .addAllRuntimes(view.runtimes().stream().map(ModelCodec::encode).toList())
        .addAllSegments(view.segments().stream().map(RpcViewCodec::encode).toList())
        .setTotals(encode(view.totals()))
        .setNextPageToken(page.nextPageToken())
        .build();
  }

  static ClusterPage decode(ClusterViewResponse message) {
    ClusterView view =
        new ClusterView(
            message.getCluster(),
            message.getAnsweredBy(),
            message.getLeader(),
            message.getTerm(),
            message.getAppliedIndex(),
            message.getDigest(),
            message.getMastersList().stream().map(RpcViewCodec::decode).toList(),
            RpcCodec.onWire(
                () -> message.getRuntimesList().stream().map(ModelCodec::decode).toList()),
            message.getSegmentsList().stream().map(RpcViewCodec::decode).toList(),
            decode(message.getTotals()));
    return new ClusterPage(view, message.getNextPageToken());
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
    Long silentMillis = master.silentMillisOrNull();
    if (silentMillis != null) {
      message.setSilentMillis(silentMillis);
    }
    return message.build();
  }

  private static ClusterView.Master decode(MasterMessage message) {
    return new ClusterView.Master(
        message.getNode(),
        message.getEndpoint(),
        message.getLeader(),
        message.hasAppliedIndex() ? message.getAppliedIndex() : null,
        message.hasSilentMillis() ? message.getSilentMillis() : null);
  }

  private static SegmentUsageMessage encode(SegmentUsage usage) {
    return SegmentUsageMessage.newBuilder()
        .setSegment(ModelCodec.encode(usage.segment()))
        .setUsedBytes(usage.usedBytes())
        .setLargestFreeBytes(usage.largestFreeBytes())
        .build();
  }

  private static SegmentUsage decode(SegmentUsageMessage message) {
    return new SegmentUsage(
        RpcCodec.onWire(() -> ModelCodec.decode(message.getSegment())),
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
