package dev.floe.meta.client;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.meta.codec.RpcMessages;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/// A client of the masters of one cluster; safe for many threads, best virtual ones, as calls
/// block.
///
/// Reads go to the leader and are repeated until the deadline. Writes are numbered within a session
/// that is opened with the first of them, so that each takes effect at most once however often it
/// is sent; `SessionWrites` does that part.
public final class MetadataClient implements MetadataApi {
  /// Twice what a cluster may hold, since some may come and go between two pages.
  private static final int VIEW_ITEMS_MAX = 2 * Limits.SEGMENTS_MAX;

  private final MasterCaller caller;
  private final SessionWrites writes;

  /// @param masters where masters serve clients; one that answers is enough
  /// @param calls reaches a master; what is behind it stays the caller's
  public MetadataClient(
      List<Endpoint> masters,
      MasterCalls calls,
      Ticker ticker,
      RandomGenerator random,
      RetryPolicy policy) {
    if (masters.isEmpty()) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG, "no master is configured; name at least one as host:port");
    }
    this.caller = new MasterCaller(masters, calls, policy, random);
    this.writes = new SessionWrites(caller, ticker, random);
  }

  @Override
  public List<MetadataReply> submit(
      List<? extends MetadataCommand.Client> commands, Deadline deadline) {
    return writes.submit(commands, deadline);
  }

  @Override
  public List<Resolution> resolve(
      TenantId tenant, List<ObjectKey> keys, ReadOptions options, Deadline deadline) {
    return inChunks(
        keys,
        chunk ->
            RpcMessages.resolutions(
                read(FrameType.META_RESOLVE, lookup(tenant, chunk, options), deadline),
                chunk.size()));
  }

  @Override
  public List<Boolean> exist(
      TenantId tenant, List<ObjectKey> keys, ReadOptions options, Deadline deadline) {
    return inChunks(
        keys,
        chunk ->
            RpcMessages.readable(
                read(FrameType.META_EXIST, lookup(tenant, chunk, options), deadline),
                chunk.size()));
  }

  private static ByteString lookup(TenantId tenant, List<ObjectKey> keys, ReadOptions options) {
    return RpcMessages.lookupRequest(new RpcMessages.Lookup(tenant, keys, options));
  }

  private static <R> List<R> inChunks(
      List<ObjectKey> keys, Function<List<ObjectKey>, List<R>> call) {
    if (keys.size() <= Limits.BATCH_ITEMS_MAX) {
      return keys.isEmpty() ? List.of() : call.apply(keys);
    }
    List<R> all = new ArrayList<>(keys.size());
    for (int from = 0; from < keys.size(); from += Limits.BATCH_ITEMS_MAX) {
      all.addAll(
          call.apply(keys.subList(from, Math.min(keys.size(), from + Limits.BATCH_ITEMS_MAX))));
    }
    return all;
  }

  @Override
  public ListPage list(
      TenantId tenant, String prefix, String pageToken, int limit, Deadline deadline) {
    ByteString header =
        RpcMessages.listRequest(new RpcMessages.ListQuery(tenant, prefix, pageToken, limit));
    return RpcMessages.listPage(read(FrameType.META_LIST, header, deadline));
  }

  @Override
  public ClusterView clusterView(boolean allowFollower, Deadline deadline) {
    FloeException failure;
    try {
      Deadline forLeader =
          allowFollower
              ? deadline.atMost(java.time.Duration.ofNanos(deadline.remainingNanos() / 2))
              : deadline;
      return allPages(
          token ->
              read(
                  FrameType.META_CLUSTER_VIEW,
                  RpcMessages.clusterViewRequest(new RpcMessages.ClusterQuery(false, token)),
                  forLeader));
    } catch (FloeException e) {
      if (!allowFollower) {
        throw e;
      }
      failure = e;
    }
    for (Endpoint master : caller.masters()) {
      try {
        return allPages(
            token ->
                caller.callOne(
                    master,
                    FrameType.META_CLUSTER_VIEW,
                    RpcMessages.clusterViewRequest(new RpcMessages.ClusterQuery(true, token)),
                    deadline));
      } catch (FloeException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  /// The view of the first page with the runtimes and segments of all.
  private static ClusterView allPages(Function<String, ByteString> ask) {
    RpcMessages.ClusterPage page = RpcMessages.clusterPage(ask.apply(""));
    ClusterView first = page.view();
    List<RuntimeRecord> runtimes = new ArrayList<>(first.runtimes());
    List<SegmentUsage> segments = new ArrayList<>(first.segments());
    while (!page.nextPageToken().isEmpty()) {
      String token = page.nextPageToken();
      page = RpcMessages.clusterPage(ask.apply(token));
      runtimes.addAll(page.view().runtimes());
      segments.addAll(page.view().segments());
      boolean isEmpty = page.view().runtimes().isEmpty() && page.view().segments().isEmpty();
      if ((isEmpty && !page.nextPageToken().isEmpty())
          || runtimes.size() > VIEW_ITEMS_MAX
          || segments.size() > VIEW_ITEMS_MAX) {
        throw endless(token, runtimes.size() + segments.size());
      }
    }
    return new ClusterView(
        first.cluster(),
        first.answeredBy(),
        first.isLeader(),
        first.term(),
        first.appliedIndex(),
        first.digest(),
        first.masters(),
        runtimes,
        segments,
        first.totals());
  }

  private static FloeException endless(String token, int items) {
    return new FloeException(
        ErrorCode.PROTOCOL_VIOLATION,
        "the page '"
            + token
            + "' of a master's view of the cluster adds nothing, or leads beyond "
            + VIEW_ITEMS_MAX
            + " runtimes or segments ("
            + items
            + " so far): the master is defective or of another release");
  }

  @Override
  public long renew(RuntimeId runtime, long epoch, Deadline deadline) {
    ByteString header = RpcMessages.renewRequest(new RpcMessages.Renewal.OfRuntime(runtime, epoch));
    return RpcMessages.leaseMillis(read(FrameType.META_RENEW, header, deadline));
  }

  /// What changes nothing cannot have an unknown outcome.
  private ByteString read(int type, ByteString header, Deadline deadline) {
    try {
      return caller.call(type, header, deadline).header();
    } catch (FloeException e) {
      if (e.code() == ErrorCode.UNKNOWN_OUTCOME) {
        throw new FloeException(
            ErrorCode.UNAVAILABLE, "no master answered in time: " + e.getMessage(), e);
      }
      throw e;
    }
  }

  /// Ends the session, which frees unfinished writes at once, and the thread that keeps it.
  @Override
  public void close() {
    writes.close();
  }
}
