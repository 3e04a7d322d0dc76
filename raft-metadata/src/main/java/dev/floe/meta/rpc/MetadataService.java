package dev.floe.meta.rpc;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.RequestHandler;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.codec.RpcMessages;
import dev.floe.meta.codec.RpcMessages.ClusterPage;
import dev.floe.meta.codec.RpcMessages.ClusterQuery;
import dev.floe.meta.codec.RpcMessages.Renewal;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.leader.LeaderServices;
import dev.floe.meta.leader.LeaderTerm;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.MetadataView;
import org.jspecify.annotations.Nullable;

/// The handlers of request types 0x01xx.
///
/// Every handler runs on a thread of its own (virtual ones in production) and may block: no class
/// of requests can use up the threads of another, so renewals are heard while writes wait. Holds no
/// state.
public final class MetadataService {
  private final String cluster;
  private final String node;
  private final MetaLog log;
  private final LeaderServices leader;
  private final SubmitPath submitPath;
  private final ReadPath readPath;

  public MetadataService(String cluster, String node, MetaLog log, LeaderServices leader) {
    this.cluster = cluster;
    this.node = node;
    this.log = log;
    this.leader = leader;
    this.submitPath = new SubmitPath(log, leader);
    this.readPath = new ReadPath(log, leader, submitPath);
  }

  /// The handlers, for a listener.
  public HandlerTable handlers() {
    return HandlerTable.builder()
        .add(FrameType.META_SUBMIT, blocking(this::submit))
        .add(FrameType.META_RESOLVE, blocking(this::resolve))
        .add(FrameType.META_EXIST, blocking(this::exist))
        .add(FrameType.META_LIST, blocking(this::list))
        .add(FrameType.META_CLUSTER_VIEW, blocking(this::clusterView))
        .add(FrameType.META_RENEW, blocking(this::renew))
        .add(FrameType.META_LOCATE_LEADER, new LocateLeader())
        .build();
  }

  private ByteString submit(ByteString header, Deadline deadline) {
    return RpcMessages.submitResponse(
        submitPath.submit(RpcMessages.submittedBatch(header).commands(), deadline));
  }

  private ByteString resolve(ByteString header, Deadline deadline) {
    return RpcMessages.resolveResponse(readPath.resolve(RpcMessages.lookup(header), deadline));
  }

  private ByteString exist(ByteString header, Deadline deadline) {
    return RpcMessages.existResponse(readPath.exist(RpcMessages.lookup(header), deadline));
  }

  private ByteString list(ByteString header, Deadline deadline) {
    return RpcMessages.listResponse(readPath.list(RpcMessages.listQuery(header), deadline));
  }

  private ByteString clusterView(ByteString header, Deadline deadline) {
    ClusterQuery query = RpcMessages.clusterQuery(header);
    if (query.allowsFollower() && !log.leadership().isLeaderReady()) {
      return RpcMessages.clusterViewResponse(pageOf(log.localView(), query.pageToken()));
    }
    return RpcMessages.clusterViewResponse(
        log.read(view -> pageOf(view, query.pageToken()), deadline));
  }

  private ClusterPage pageOf(MetadataView view, String token) {
    ClusterPages.Page page = ClusterPages.after(token, view);
    return new ClusterPage(viewOf(view, page), page.nextToken());
  }

  private ClusterView viewOf(MetadataView view, ClusterPages.Page page) {
    MetaLog.Leadership role = log.leadership();
    MetaLog.AppliedDigest digest = log.localDigest();
    return new ClusterView(
        cluster,
        node,
        role.isLeaderReady(),
        role.term(),
        digest.index(),
        digest.digest(),
        log.members().stream()
            .map(
                m ->
                    new ClusterView.Master(
                        m.node(),
                        m.endpoint(),
                        m.isLeader(),
                        m.appliedIndexOrNull(),
                        m.silentMillisOrNull()))
            .toList(),
        page.runtimes(),
        page.segments(),
        view.totals());
  }

  private ByteString renew(ByteString header, Deadline deadline) {
    Renewal renewal = RpcMessages.renewal(header);
    LeaderTerm term = leader.leading();
    long millis =
        log.read(
            view ->
                switch (renewal) {
                  case Renewal.OfRuntime runtime ->
                      renewRuntime(term, view, runtime.runtime(), runtime.epoch());
                  case Renewal.OfSession session -> renewSession(term, view, session.session());
                },
            deadline);
    return RpcMessages.renewResponse(millis);
  }

  private static long renewRuntime(
      LeaderTerm term, MetadataView view, RuntimeId runtime, long epoch) {
    RuntimeRecord record = view.runtime(runtime);
    if (record == null) {
      throw new FloeException(
          ErrorCode.RUNTIME_NOT_FOUND,
          "runtime " + runtime + " has no lease (any more); register it anew");
    }
    if (record.epoch() != epoch) {
      throw new FloeException(
          ErrorCode.STALE_EPOCH,
          "runtime "
              + runtime
              + " is at epoch "
              + record.epoch()
              + ", the renewal names "
              + epoch
              + ": another process has registered under this id, so stop this one; if there is no"
              + " other, the masters were set back to an older backup: start this one again");
    }
    return term.runtimes().renew(new RuntimeEpoch(runtime, epoch));
  }

  private static long renewSession(LeaderTerm term, MetadataView view, SessionId session) {
    if (!view.hasSession(session)) {
      throw new FloeException(
          ErrorCode.SESSION_NOT_FOUND, "session " + session + " has ended; open a new one");
    }
    return term.sessions().renew(session);
  }

  private static RequestHandler blocking(Operation operation) {
    return (head, body) ->
        RequestHandler.Response.of(operation.handle(head.header(), head.deadline()));
  }

  /// A request's header in, the response's header out.
  @FunctionalInterface
  private interface Operation {
    ByteString handle(ByteString header, Deadline deadline);
  }

  /// Answers from memory, so it runs on the reader.
  private final class LocateLeader implements RequestHandler {
    @Override
    public boolean isInline() {
      return true;
    }

    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      MetaLog.Leadership role = log.leadership();
      return Response.of(
          RpcMessages.locateLeaderResponse(
              new RpcMessages.LeaderLocation(
                  node,
                  role.isLeaderReady(),
                  role.term(),
                  role.leaderNode(),
                  role.leaderEndpoint())));
    }
  }
}
