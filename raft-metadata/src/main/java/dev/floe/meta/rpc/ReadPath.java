package dev.floe.meta.rpc;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.meta.client.MetadataApi.ListPage;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.codec.RpcMessages.ListQuery;
import dev.floe.meta.codec.RpcMessages.Lookup;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.leader.LeaderServices;
import dev.floe.meta.leader.LeaderTerm;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.state.MetadataView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads of the metadata, answered by the leader.
final class ReadPath {
  /// Routes looked at for one page: most of a tenant may be unreadable, and a read must end.
  private static final int LIST_SCAN_PAGES = 4;

  private final MetaLog log;
  private final LeaderServices leader;
  private final SubmitPath submits;

  ReadPath(MetaLog log, LeaderServices leader, SubmitPath submits) {
    this.log = log;
    this.leader = leader;
    this.submits = submits;
  }

  List<Resolution> resolve(Lookup lookup, Deadline deadline) {
    LeaderTerm term = leader.leading();
    if (lookup.options().isStrict()) {
      submits.barrier(deadline);
    }
    return log.read(
        view -> {
          List<Resolution> found = new ArrayList<>(lookup.keys().size());
          for (ObjectKey key : lookup.keys()) {
            found.add(resolve(term, view, new ObjectId(lookup.tenant(), key), lookup.options()));
          }
          return found;
        },
        deadline);
  }

  private static Resolution resolve(
      LeaderTerm term, MetadataView view, ObjectId id, ReadOptions options) {
    ObjectRoute route = view.route(id);
    if (route == null || route.state() == RouteState.DELETING) {
      return new Resolution.Missing(ErrorCode.NOT_FOUND, "object '" + id + "' does not exist");
    }
    if (route.state() == RouteState.WRITING) {
      return new Resolution.Missing(
          ErrorCode.NOT_READY, "object '" + id + "' is being written; retry later");
    }
    List<ReplicaTarget> targets = new ArrayList<>(route.replicas().size());
    for (Replica replica : route.replicas()) {
      ReplicaTarget target = readable(view, replica);
      if (target != null) {
        targets.add(target);
      }
    }
    if (targets.isEmpty()) {
      // The route and the runtimes were seen at two different entries; the next look will agree.
      return new Resolution.Missing(
          ErrorCode.NOT_READY, "the replicas of object '" + id + "' are just changing; retry");
    }
    boolean isLeased = options.grantsLease() && !Probe.buggify("read.grants-no-lease");
    long lease = isLeased ? term.readLeases().grant(id) : 0;
    return new Resolution.Found(
        route.version(), route.content(), route.retention(), targets, lease);
  }

  private static @Nullable ReplicaTarget readable(MetadataView view, Replica replica) {
    if (replica.status() != ReplicaStatus.COMPLETE) {
      return null;
    }
    return switch (replica.location()) {
      case MemoryRange range -> {
        RuntimeRecord runtime = view.runtime(range.runtime());
        yield runtime == null ? null : new ReplicaTarget(replica, runtime.dataEndpoint());
      }
    };
  }

  List<Boolean> exist(Lookup lookup, Deadline deadline) {
    if (lookup.options().isStrict()) {
      submits.barrier(deadline);
    }
    return log.read(
        view ->
            lookup.keys().stream()
                .map(key -> isReadable(view.route(new ObjectId(lookup.tenant(), key))))
                .toList(),
        deadline);
  }

  private static boolean isReadable(@Nullable ObjectRoute route) {
    return route != null
        && route.state() == RouteState.ACTIVE
        && route.replicas().stream().anyMatch(r -> r.status() == ReplicaStatus.COMPLETE);
  }

  ListPage list(ListQuery query, Deadline deadline) {
    ObjectKey after = afterOf(query.pageToken());
    return log.read(view -> page(view, query, after), deadline);
  }

  private static ListPage page(MetadataView view, ListQuery query, @Nullable ObjectKey from) {
    int limit = query.limit();
    List<ListPage.Entry> entries = new ArrayList<>();
    ObjectKey after = from;
    for (int i = 0; i < LIST_SCAN_PAGES; i++) {
      List<ObjectRoute> routes = view.list(query.tenant(), query.prefix(), after, limit);
      for (ObjectRoute route : routes) {
        after = route.id().key();
        if (isReadable(route)) {
          entries.add(
              new ListPage.Entry(
                  after,
                  route.state(),
                  route.version(),
                  route.content().sizeBytes(),
                  route.replicas().size()));
        }
        if (entries.size() == limit) {
          return new ListPage(entries, tokenOf(after));
        }
      }
      if (routes.size() < limit || after == null) {
        return new ListPage(entries, "");
      }
    }
    return new ListPage(entries, after == null ? "" : tokenOf(after));
  }

  private static String tokenOf(ObjectKey last) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(last.toUtf8());
  }

  private static @Nullable ObjectKey afterOf(String token) {
    if (token.isEmpty()) {
      return null;
    }
    try {
      return ObjectKey.ofUtf8(
          Base64.getUrlDecoder().decode(token.getBytes(StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException | FloeException e) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "'" + token + "' is not a page token; pass the one of the page before, or none",
          e);
    }
  }
}
