package dev.floe.store.cli;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Objects of one tenant in memory, with the answers of a leader.
final class FakeMetadata implements MetadataApi {
  private static final TenantId TENANT = TenantId.DEFAULT;

  private final TreeMap<ObjectKey, Long> sizeByKey = new TreeMap<>();
  private final int pageMax;
  private boolean hasLeader = true;

  FakeMetadata(int pageMax) {
    this.pageMax = pageMax;
  }

  FakeMetadata with(String key, long sizeBytes) {
    sizeByKey.put(new ObjectKey(key), sizeBytes);
    return this;
  }

  FakeMetadata withoutLeader() {
    hasLeader = false;
    return this;
  }

  List<String> keys() {
    return sizeByKey.keySet().stream().map(ObjectKey::value).toList();
  }

  private @Nullable Long size(TenantId tenant, ObjectKey key) {
    return tenant.equals(TENANT) ? sizeByKey.get(key) : null;
  }

  @Override
  public List<MetadataReply> submit(
      List<? extends MetadataCommand.Client> commands, Deadline deadline) {
    List<MetadataReply> replies = new ArrayList<>();
    for (MetadataCommand.Client command : commands) {
      if (!(command instanceof MetadataCommand.Remove remove)) {
        throw new IllegalArgumentException("unexpected " + command);
      }
      ObjectKey key = remove.id().key();
      boolean isLeased = key.value().startsWith("leased") && !remove.isForced();
      if (isLeased) {
        replies.add(new MetadataReply.Failed(ErrorCode.HAS_LEASE, "'" + key + "' is being read"));
      } else if (size(remove.id().tenant(), key) == null) {
        replies.add(new MetadataReply.Failed(ErrorCode.NOT_FOUND, "there is no '" + key + "'"));
      } else {
        sizeByKey.remove(key);
        replies.add(MetadataReply.Done.INSTANCE);
      }
    }
    return replies;
  }

  @Override
  public List<Resolution> resolve(
      TenantId tenant, List<ObjectKey> keys, ReadOptions options, Deadline deadline) {
    List<Resolution> resolutions = new ArrayList<>();
    for (ObjectKey key : keys) {
      Long size = size(tenant, key);
      resolutions.add(
          size == null
              ? new Resolution.Missing(ErrorCode.NOT_FOUND, "there is no '" + key + "'")
              : new Resolution.Found(
                  new RouteVersion(17, 1), size, 0xdeadbeefL, replicas(size), 0));
    }
    return resolutions;
  }

  private static List<ReplicaTarget> replicas(long size) {
    return List.of(
        new ReplicaTarget(
            new Replica(
                41,
                ReplicaStatus.COMPLETE,
                new MemoryRange(new SegmentId(3), new RuntimeId("s1"), 4096, Math.max(1, size))),
            new Endpoint("127.0.0.1", 7501)));
  }

  @Override
  public List<Boolean> exist(
      TenantId tenant, List<ObjectKey> keys, ReadOptions options, Deadline deadline) {
    return keys.stream().map(key -> size(tenant, key) != null).toList();
  }

  @Override
  public ListPage list(
      TenantId tenant, String prefix, String pageToken, int limit, Deadline deadline) {
    if (!hasLeader) {
      throw new FloeException(ErrorCode.UNAVAILABLE, "there is no leader");
    }
    List<ListPage.Entry> entries = new ArrayList<>();
    for (Map.Entry<ObjectKey, Long> object : sizeByKey.entrySet()) {
      String key = object.getKey().value();
      if (!tenant.equals(TENANT) || !key.startsWith(prefix) || key.compareTo(pageToken) <= 0) {
        continue;
      }
      if (entries.size() == Math.min(limit, pageMax)) {
        return new ListPage(entries, entries.getLast().key().value());
      }
      entries.add(
          new ListPage.Entry(
              object.getKey(), RouteState.ACTIVE, new RouteVersion(17, 1), object.getValue(), 2));
    }
    return new ListPage(entries, "");
  }

  @Override
  public ClusterView clusterView(boolean allowFollower, Deadline deadline) {
    if (!hasLeader && !allowFollower) {
      throw new FloeException(ErrorCode.UNAVAILABLE, "no leader");
    }
    RuntimeId s1 = new RuntimeId("s1");
    return new ClusterView(
        "floe",
        "m2",
        hasLeader,
        4,
        1234,
        0xabcL,
        List.of(
            new ClusterView.Master("m1", "127.0.0.1:7401", false, null, 4000L),
            new ClusterView.Master("m2", "127.0.0.1:7402", hasLeader, 1234L, null)),
        List.of(
            new RuntimeRecord(
                s1,
                RuntimeProcess.withoutDirectory(new SessionId(1, 2)),
                7,
                RuntimeState.ALIVE,
                new Endpoint("127.0.0.1", 7501),
                Map.of("zone", "a", "host", "h"))),
        List.of(
            new SegmentUsage(
                new Segment(new SegmentId(3), s1, 7, "memory-0", 512L << 20), 128L << 20, 1000)),
        new MetadataView.Totals(2, 64L << 20, 1, 3, 512L << 20, 128L << 20, 4096));
  }

  @Override
  public long renew(RuntimeId runtime, long epoch, Deadline deadline) {
    throw new FloeException(ErrorCode.RUNTIME_NOT_FOUND, runtime.value());
  }

  @Override
  public void close() {}
}
