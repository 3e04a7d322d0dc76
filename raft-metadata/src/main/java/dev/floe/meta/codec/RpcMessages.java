package dev.floe.meta.codec;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.client.MetadataApi.ListPage;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import dev.floe.proto.metarpc.ClusterViewRequest;
import dev.floe.proto.metarpc.ClusterViewResponse;
import dev.floe.proto.metarpc.ExistResponse;
import dev.floe.proto.metarpc.ListRequest;
import dev.floe.proto.metarpc.ListResponse;
import dev.floe.proto.metarpc.LocateLeaderRequest;
import dev.floe.proto.metarpc.LocateLeaderResponse;
import dev.floe.proto.metarpc.LookupRequest;
import dev.floe.proto.metarpc.RenewRequest;
import dev.floe.proto.metarpc.RenewResponse;
import dev.floe.proto.metarpc.ResolveResponse;
import dev.floe.proto.metarpc.RuntimeLease;
import dev.floe.proto.metarpc.SubmitRequest;
import dev.floe.proto.metarpc.SubmitResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The messages of the metadata service, whole: what the headers of frames 0x01xx hold
/// (`meta_rpc.proto`).
///
/// Decoders check what a message may hold at most and refuse what they do not know.
public final class RpcMessages {
  private RpcMessages() {}

  /// META_SUBMIT.
  public static ByteString submitRequest(CommandBatch batch) {
    return SubmitRequest.newBuilder().setBatch(CommandCodec.encode(batch)).build().toByteString();
  }

  public static CommandBatch submittedBatch(ByteString header) {
    return CommandCodec.decode(RpcCodec.parse(SubmitRequest.parser(), header).getBatch());
  }

  public static ByteString submitResponse(List<MetadataReply> replies) {
    return SubmitResponse.newBuilder()
        .addAllReplies(replies.stream().map(ModelCodec::encode).toList())
        .build()
        .toByteString();
  }

  public static List<MetadataReply> replies(ByteString header, int expected) {
    return counted(
        expected,
        RpcCodec.parse(SubmitResponse.parser(), header).getRepliesList().stream()
            .map(RpcCodec::decode)
            .toList());
  }

  /// META_RESOLVE and META_EXIST.
  public static ByteString lookupRequest(Lookup lookup) {
    return LookupRequest.newBuilder()
        .setTenant(lookup.tenant().value())
        .addAllKeys(lookup.keys().stream().map(RpcCodec::bytes).toList())
        .setStrict(lookup.options().isStrict())
        .setGrantLease(lookup.options().grantsLease())
        .build()
        .toByteString();
  }

  /// @throws FloeException `INVALID_KEY`, `TOO_LARGE`
  public static Lookup lookup(ByteString header) {
    LookupRequest request = RpcCodec.parse(LookupRequest.parser(), header);
    if (request.getKeysCount() > Limits.BATCH_ITEMS_MAX) {
      throw new FloeException(
          ErrorCode.TOO_LARGE,
          request.getKeysCount()
              + " keys in one request, the limit is "
              + Limits.BATCH_ITEMS_MAX
              + "; send several requests");
    }
    return new Lookup(
        new TenantId(request.getTenant()),
        request.getKeysList().stream().map(RpcCodec::key).toList(),
        new ReadOptions(request.getStrict(), request.getGrantLease()));
  }

  public static ByteString resolveResponse(List<Resolution> resolutions) {
    return ResolveResponse.newBuilder()
        .addAllResolutions(resolutions.stream().map(RpcViewCodec::encode).toList())
        .build()
        .toByteString();
  }

  public static List<Resolution> resolutions(ByteString header, int expected) {
    return counted(
        expected,
        RpcCodec.parse(ResolveResponse.parser(), header).getResolutionsList().stream()
            .map(RpcViewCodec::decode)
            .toList());
  }

  public static ByteString existResponse(List<Boolean> readable) {
    return ExistResponse.newBuilder().addAllReadable(readable).build().toByteString();
  }

  public static List<Boolean> readable(ByteString header, int expected) {
    return counted(expected, RpcCodec.parse(ExistResponse.parser(), header).getReadableList());
  }

  /// META_LIST.
  public static ByteString listRequest(ListQuery query) {
    return ListRequest.newBuilder()
        .setTenant(query.tenant().value())
        .setPrefix(
            query.prefix().isEmpty()
                ? ByteString.EMPTY
                : RpcCodec.bytes(new ObjectKey(query.prefix())))
        .setPageToken(query.pageToken())
        .setLimit(query.limit())
        .build()
        .toByteString();
  }

  /// @throws FloeException `INVALID_KEY` when the prefix could not begin a key, `INVALID_ARGUMENT`
  public static ListQuery listQuery(ByteString header) {
    ListRequest request = RpcCodec.parse(ListRequest.parser(), header);
    if (request.getLimit() < 1 || request.getLimit() > Limits.LIST_PAGE_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "a page of "
              + request.getLimit()
              + " keys was asked for, allowed are 1 to "
              + Limits.LIST_PAGE_MAX);
    }
    ByteString prefix = request.getPrefix();
    return new ListQuery(
        new TenantId(request.getTenant()),
        prefix.isEmpty() ? "" : RpcCodec.key(prefix).value(),
        request.getPageToken(),
        request.getLimit());
  }

  public static ByteString listResponse(ListPage page) {
    return ListResponse.newBuilder()
        .addAllObjects(page.entries().stream().map(RpcViewCodec::encode).toList())
        .setNextPageToken(page.nextPageToken())
        .build()
        .toByteString();
  }

  public static ListPage listPage(ByteString header) {
    ListResponse response = RpcCodec.parse(ListResponse.parser(), header);
    return new ListPage(
        response.getObjectsList().stream().map(RpcViewCodec::decode).toList(),
        response.getNextPageToken());
  }

  /// META_CLUSTER_VIEW.
  public static ByteString clusterViewRequest(ClusterQuery query) {
    return ClusterViewRequest.newBuilder()
        .setAllowFollower(query.allowsFollower())
        .setPageToken(query.pageToken())
        .build()
        .toByteString();
  }

  public static ClusterQuery clusterQuery(ByteString header) {
    ClusterViewRequest request = RpcCodec.parse(ClusterViewRequest.parser(), header);
    return new ClusterQuery(request.getAllowFollower(), request.getPageToken());
  }

  public static ByteString clusterViewResponse(ClusterPage page) {
    return RpcViewCodec.encode(page).toByteString();
  }

  public static ClusterPage clusterPage(ByteString header) {
    return RpcViewCodec.decode(RpcCodec.parse(ClusterViewResponse.parser(), header));
  }

  /// META_RENEW.
  public static ByteString renewRequest(Renewal renewal) {
    RenewRequest.Builder request = RenewRequest.newBuilder();
    switch (renewal) {
      case Renewal.OfRuntime runtime ->
          request.setRuntime(
              RuntimeLease.newBuilder().setId(runtime.runtime().value()).setEpoch(runtime.epoch()));
      case Renewal.OfSession session -> request.setSession(ModelCodec.encode(session.session()));
    }
    return request.build().toByteString();
  }

  public static Renewal renewal(ByteString header) {
    RenewRequest request = RpcCodec.parse(RenewRequest.parser(), header);
    return switch (request.getLeaseCase()) {
      case RUNTIME ->
          new Renewal.OfRuntime(
              new RuntimeId(request.getRuntime().getId()), request.getRuntime().getEpoch());
      case SESSION -> new Renewal.OfSession(ModelCodec.decode(request.getSession()));
      case LEASE_NOT_SET ->
          throw RpcCodec.unknown("a renewal that names neither runtime nor session");
    };
  }

  public static ByteString renewResponse(long leaseMillis) {
    return RenewResponse.newBuilder().setLeaseMillis(leaseMillis).build().toByteString();
  }

  public static long leaseMillis(ByteString header) {
    return RpcCodec.parse(RenewResponse.parser(), header).getLeaseMillis();
  }

  /// META_LOCATE_LEADER.
  public static ByteString locateLeaderRequest() {
    return LocateLeaderRequest.getDefaultInstance().toByteString();
  }

  public static ByteString locateLeaderResponse(LeaderLocation location) {
    LocateLeaderResponse.Builder response =
        LocateLeaderResponse.newBuilder()
            .setNode(location.node())
            .setLeader(location.isLeader())
            .setTerm(location.term());
    if (location.leaderNode() != null) {
      response.setLeaderNode(location.leaderNode());
    }
    if (location.leaderEndpoint() != null) {
      response.setLeaderEndpoint(location.leaderEndpoint());
    }
    return response.build().toByteString();
  }

  public static LeaderLocation leaderLocation(ByteString header) {
    LocateLeaderResponse response = RpcCodec.parse(LocateLeaderResponse.parser(), header);
    return new LeaderLocation(
        response.getNode(),
        response.getLeader(),
        response.getTerm(),
        emptyToNull(response.getLeaderNode()),
        emptyToNull(response.getLeaderEndpoint()));
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static <R> List<R> counted(int expected, List<R> answers) {
    if (answers.size() != expected) {
      throw new FloeException(
          ErrorCode.PROTOCOL_VIOLATION,
          "the master gave " + answers.size() + " answers to " + expected + " items");
    }
    return answers;
  }

  /// Which keys to look up, and how.
  public record Lookup(TenantId tenant, List<ObjectKey> keys, ReadOptions options) {
    public Lookup {
      keys = List.copyOf(keys);
    }
  }

  /// Which page to list.
  public record ListQuery(TenantId tenant, String prefix, String pageToken, int limit) {}

  /// Which page of the cluster view.
  ///
  /// @param pageToken of the page before; empty for the first
  public record ClusterQuery(boolean allowsFollower, String pageToken) {}

  /// A page of the cluster view: all of it but for runtimes and segments, of which it has some.
  ///
  /// @param nextPageToken empty on the last page
  public record ClusterPage(ClusterView view, String nextPageToken) {}

  /// Whose lease to renew.
  public sealed interface Renewal {
    /// A store runtime's, at an epoch.
    record OfRuntime(RuntimeId runtime, long epoch) implements Renewal {}

    /// A client session's.
    record OfSession(SessionId session) implements Renewal {}
  }

  /// What a master says of the leader.
  ///
  /// @param node who answers
  public record LeaderLocation(
      String node,
      boolean isLeader,
      long term,
      @Nullable String leaderNode,
      @Nullable String leaderEndpoint) {}
}
