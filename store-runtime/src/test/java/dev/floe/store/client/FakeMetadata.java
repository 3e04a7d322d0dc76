package dev.floe.store.client;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectId;
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
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// The masters in one object: enough of their rules for clients and runtimes to work against, and
/// switches for what goes wrong. First-fit allocation, so freed ranges are reused at once.
public final class FakeMetadata implements MetadataApi {
  private final Map<ObjectId, Entry> objects = new TreeMap<>(FakeMetadata::byKey);
  private final Map<RuntimeId, Registered> runtimes = new TreeMap<>();
  private final Map<SegmentId, Mounted> segments = new TreeMap<>();
  private long nextIndex = 1;
  private long nextReplica = 1;
  private long nextSegment = 1;
  private long nextEpoch = 1;

  /// How long a look-up protects; 0 for not at all.
  public volatile long leaseMillis = 60_000;

  /// How long a runtime's lease lasts.
  public volatile long runtimeLeaseMillis = 9_000;

  /// Run before each submit; may throw.
  public volatile Runnable beforeSubmit = () -> {};

  /// The term of the leader that answers.
  public volatile long term = 1;

  /// Run after each submit, when it has taken effect; may throw.
  public volatile Runnable afterSubmit = () -> {};

  /// Run before each resolve; may throw.
  public volatile Runnable beforeResolve = () -> {};

  /// Run before each renewal of a runtime; may throw.
  public volatile Runnable beforeRenew = () -> {};

  /// Changes what a resolve finds.
  public volatile UnaryOperator<Resolution.Found> found = UnaryOperator.identity();

  private static final class Entry {
    RouteVersion version = new RouteVersion(0, 0);
    boolean isActive;
    long sizeBytes;
    long checksum;
    List<ReplicaTarget> replicas = List.of();
  }

  private record Registered(SessionId incarnation, long epoch, Endpoint endpoint) {}

  private static final class Mounted {
    final RuntimeId runtime;
    final String name;
    final long capacity;
    final TreeMap<Long, Long> used = new TreeMap<>();

    Mounted(RuntimeId runtime, String name, long capacity) {
      this.runtime = runtime;
      this.name = name;
      this.capacity = capacity;
    }

    long allocate(long length) {
      long at = 0;
      for (Map.Entry<Long, Long> range : used.entrySet()) {
        if (range.getKey() - at >= length) {
          break;
        }
        at = range.getKey() + range.getValue();
      }
      if (capacity - at < length) {
        return -1;
      }
      used.put(at, length);
      return at;
    }
  }

  private static int byKey(ObjectId a, ObjectId b) {
    int byTenant = a.tenant().compareTo(b.tenant());
    return byTenant != 0 ? byTenant : a.key().compareTo(b.key());
  }

  @Override
  public List<MetadataReply> submit(
      List<? extends MetadataCommand.Client> commands, Deadline deadline) {
    beforeSubmit.run();
    List<MetadataReply> replies = new ArrayList<>();
    synchronized (this) {
      for (MetadataCommand.Client command : commands) {
        replies.add(apply(command));
      }
    }
    afterSubmit.run();
    return replies;
  }

  private MetadataReply apply(MetadataCommand.Client command) {
    return switch (command) {
      case MetadataCommand.RegisterRuntime register -> register(register);
      case MetadataCommand.MountSegment mount -> mount(mount);
      case MetadataCommand.UnmountSegment unmount -> {
        drop(unmount.segment());
        yield MetadataReply.Done.INSTANCE;
      }
      case MetadataCommand.PutStart start -> start(start);
      case MetadataCommand.PutEnd end -> end(end);
      case MetadataCommand.PutRevoke revoke -> revoke(revoke);
      case MetadataCommand.Remove remove -> remove(remove);
      case MetadataCommand.OpenSession open -> new MetadataReply.SessionOpened(open.nonce());
      case MetadataCommand.CloseSession close -> MetadataReply.Done.INSTANCE;
      case MetadataCommand.Barrier barrier -> MetadataReply.Done.INSTANCE;
    };
  }

  private MetadataReply register(MetadataCommand.RegisterRuntime register) {
    Registered known = runtimes.get(register.runtime());
    if (known != null && known.incarnation.equals(register.incarnation())) {
      return new MetadataReply.RuntimeRegistered(known.epoch);
    }
    dropSegmentsOf(register.runtime());
    long epoch = nextEpoch++;
    runtimes.put(
        register.runtime(), new Registered(register.incarnation(), epoch, register.dataEndpoint()));
    return new MetadataReply.RuntimeRegistered(epoch);
  }

  private MetadataReply mount(MetadataCommand.MountSegment mount) {
    Registered runtime = runtimes.get(mount.runtime());
    if (runtime == null) {
      return new MetadataReply.Failed(ErrorCode.RUNTIME_NOT_FOUND, "no " + mount.runtime());
    }
    if (runtime.epoch != mount.epoch()) {
      return new MetadataReply.Failed(ErrorCode.STALE_EPOCH, "epoch is " + runtime.epoch);
    }
    for (Map.Entry<SegmentId, Mounted> held : segments.entrySet()) {
      Mounted one = held.getValue();
      if (one.runtime.equals(mount.runtime()) && one.name.equals(mount.name())) {
        return new MetadataReply.SegmentMounted(held.getKey());
      }
    }
    SegmentId id = new SegmentId(nextSegment++);
    segments.put(id, new Mounted(mount.runtime(), mount.name(), mount.capacityBytes()));
    return new MetadataReply.SegmentMounted(id);
  }

  private MetadataReply start(MetadataCommand.PutStart start) {
    Entry known = objects.get(start.id());
    if (known != null) {
      return new MetadataReply.Failed(
          known.isActive ? ErrorCode.ALREADY_EXISTS : ErrorCode.WRITE_IN_PROGRESS,
          "'" + start.id() + "' is taken");
    }
    List<ReplicaTarget> targets = new ArrayList<>();
    for (Map.Entry<SegmentId, Mounted> held : inOrder(start.placement().preferred())) {
      Mounted mounted = held.getValue();
      Registered runtime = runtimes.get(mounted.runtime);
      if (runtime == null || targets.size() == start.placement().replicaCount()) {
        continue;
      }
      long length = Math.max(1, start.sizeBytes());
      long offset = mounted.allocate(length);
      if (offset >= 0) {
        targets.add(
            new ReplicaTarget(
                new Replica(
                    nextReplica++,
                    ReplicaStatus.PROCESSING,
                    new MemoryRange(held.getKey(), mounted.runtime, offset, length)),
                runtime.endpoint));
      }
    }
    if (targets.isEmpty()) {
      return new MetadataReply.Failed(ErrorCode.NO_SPACE, "no room for " + start.sizeBytes());
    }
    Entry entry = new Entry();
    entry.version = new RouteVersion(nextIndex++, 0);
    entry.sizeBytes = start.sizeBytes();
    entry.replicas = targets;
    objects.put(start.id(), entry);
    return new MetadataReply.PutStarted(entry.version, targets);
  }

  /// Segments of preferred runtimes first, in their order.
  private List<Map.Entry<SegmentId, Mounted>> inOrder(List<RuntimeId> preferred) {
    List<Map.Entry<SegmentId, Mounted>> all = new ArrayList<>(segments.entrySet());
    all.sort(
        Comparator.comparingInt(
            held -> {
              int place = preferred.indexOf(held.getValue().runtime);
              return place < 0 ? Integer.MAX_VALUE : place;
            }));
    return all;
  }

  private MetadataReply end(MetadataCommand.PutEnd end) {
    Entry entry = objects.get(end.id());
    if (entry == null) {
      return new MetadataReply.Failed(ErrorCode.NOT_FOUND, "no '" + end.id() + "'");
    }
    if (!tokens(entry).containsAll(end.replicaIds())) {
      return new MetadataReply.Failed(ErrorCode.STALE_TOKEN, "tokens are " + tokens(entry));
    }
    List<ReplicaTarget> kept = new ArrayList<>();
    for (ReplicaTarget target : entry.replicas) {
      if (end.replicaIds().contains(target.replica().id())) {
        kept.add(
            new ReplicaTarget(
                target.replica().withStatus(ReplicaStatus.COMPLETE), target.endpoint()));
      } else {
        free(target);
      }
    }
    entry.isActive = true;
    entry.checksum = end.checksum();
    entry.replicas = kept;
    return MetadataReply.Done.INSTANCE;
  }

  private MetadataReply revoke(MetadataCommand.PutRevoke revoke) {
    Entry entry = objects.get(revoke.id());
    if (entry == null) {
      return MetadataReply.Done.INSTANCE;
    }
    if (!tokens(entry).equals(revoke.replicaIds())) {
      return new MetadataReply.Failed(ErrorCode.STALE_TOKEN, "tokens are " + tokens(entry));
    }
    objects.remove(revoke.id());
    entry.replicas.forEach(this::free);
    return MetadataReply.Done.INSTANCE;
  }

  private MetadataReply remove(MetadataCommand.Remove remove) {
    Entry entry = objects.get(remove.id());
    if (entry == null || (!entry.isActive && !remove.isForced())) {
      return new MetadataReply.Failed(
          entry == null ? ErrorCode.NOT_FOUND : ErrorCode.NOT_READY, "'" + remove.id() + "'");
    }
    objects.remove(remove.id());
    entry.replicas.forEach(this::free);
    return MetadataReply.Done.INSTANCE;
  }

  private void free(ReplicaTarget target) {
    MemoryRange range = (MemoryRange) target.replica().location();
    Mounted mounted = segments.get(range.segment());
    if (mounted != null) {
      mounted.used.remove(range.offsetBytes());
    }
  }

  private static List<Long> tokens(Entry entry) {
    return entry.replicas.stream().map(target -> target.replica().id()).toList();
  }

  private void dropSegmentsOf(RuntimeId runtime) {
    List.copyOf(segments.entrySet()).stream()
        .filter(held -> held.getValue().runtime.equals(runtime))
        .forEach(held -> drop(held.getKey()));
  }

  private void drop(SegmentId segment) {
    segments.remove(segment);
    objects
        .values()
        .forEach(
            entry ->
                entry.replicas =
                    entry.replicas.stream().filter(target -> !isIn(target, segment)).toList());
    objects.values().removeIf(entry -> entry.replicas.isEmpty());
  }

  private static boolean isIn(ReplicaTarget target, SegmentId segment) {
    return ((MemoryRange) target.replica().location()).segment().equals(segment);
  }

  /// Registers a runtime and mounts one segment of it.
  public SegmentId join(RuntimeId runtime, Endpoint endpoint, long capacityBytes) {
    Deadline never = Deadline.after(() -> 0, Duration.ofSeconds(1));
    MetadataReply registered =
        submit(
            new MetadataCommand.RegisterRuntime(
                runtime, RuntimeProcess.withoutDirectory(new SessionId(1, 1)), endpoint, Map.of()),
            never);
    long epoch = ((MetadataReply.RuntimeRegistered) registered).epoch();
    MetadataReply mounted =
        submit(new MetadataCommand.MountSegment(runtime, epoch, "main", capacityBytes), never);
    return ((MetadataReply.SegmentMounted) mounted).segment();
  }

  /// Ends a runtime's lease as the leader does when it stops renewing.
  public synchronized void expire(RuntimeId runtime) {
    runtimes.remove(runtime);
    dropSegmentsOf(runtime);
  }

  /// The segments that are mounted.
  public synchronized List<SegmentId> mounted() {
    return List.copyOf(segments.keySet());
  }

  /// The epoch of a registered runtime, 0 when it is not.
  public synchronized long epochOf(RuntimeId runtime) {
    Registered known = runtimes.get(runtime);
    return known == null ? 0 : known.epoch;
  }

  /// Bytes of allocated ranges.
  public synchronized long usedBytes() {
    return segments.values().stream()
        .flatMap(mounted -> mounted.used.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  @Override
  public List<Resolution> resolve(
      TenantId tenant, List<ObjectKey> keys, ReadOptions options, Deadline deadline) {
    beforeResolve.run();
    synchronized (this) {
      return keys.stream().map(key -> resolve(new ObjectId(tenant, key), options)).toList();
    }
  }

  private Resolution resolve(ObjectId id, ReadOptions options) {
    Entry entry = objects.get(id);
    if (entry == null || !entry.isActive) {
      return new Resolution.Missing(
          entry == null ? ErrorCode.NOT_FOUND : ErrorCode.NOT_READY, "no '" + id + "'");
    }
    return found.apply(
        new Resolution.Found(
            entry.version,
            entry.sizeBytes,
            entry.checksum,
            entry.replicas,
            options.grantsLease() ? leaseMillis : 0));
  }

  @Override
  public synchronized List<Boolean> exist(
      TenantId tenant, List<ObjectKey> keys, ReadOptions options, Deadline deadline) {
    return keys.stream()
        .map(
            key -> {
              Entry entry = objects.get(new ObjectId(tenant, key));
              return entry != null && entry.isActive;
            })
        .toList();
  }

  @Override
  public synchronized ListPage list(
      TenantId tenant, String prefix, String pageToken, int limit, Deadline deadline) {
    // Small pages, so that listings of a few objects have several.
    List<ListPage.Entry> all =
        objects.entrySet().stream()
            .filter(e -> e.getKey().tenant().equals(tenant) && e.getValue().isActive)
            .filter(e -> e.getKey().key().value().startsWith(prefix))
            .filter(
                e ->
                    pageToken.isEmpty() || e.getKey().key().compareTo(new ObjectKey(pageToken)) > 0)
            .limit(3)
            .map(
                e ->
                    new ListPage.Entry(
                        e.getKey().key(),
                        RouteState.ACTIVE,
                        e.getValue().version,
                        e.getValue().sizeBytes,
                        e.getValue().replicas.size()))
            .toList();
    return new ListPage(all, all.size() < 3 ? "" : all.getLast().key().value());
  }

  @Override
  public synchronized ClusterView clusterView(boolean allowFollower, Deadline deadline) {
    List<RuntimeRecord> alive = new ArrayList<>();
    runtimes.forEach(
        (id, one) ->
            alive.add(
                new RuntimeRecord(
                    id,
                    RuntimeProcess.withoutDirectory(one.incarnation),
                    one.epoch,
                    RuntimeState.ALIVE,
                    one.endpoint,
                    Map.of())));
    return new ClusterView(
        "test",
        "m1",
        true,
        term,
        nextIndex,
        0,
        List.of(),
        alive,
        List.of(),
        new MetadataView.Totals(objects.size(), 0, 0, 0, 0, 0, 0));
  }

  @Override
  public long renew(RuntimeId runtime, long epoch, Deadline deadline) {
    beforeRenew.run();
    synchronized (this) {
      Registered known = runtimes.get(runtime);
      if (known == null) {
        throw new FloeException(ErrorCode.RUNTIME_NOT_FOUND, "no " + runtime);
      }
      if (known.epoch != epoch) {
        throw new FloeException(ErrorCode.STALE_EPOCH, "epoch is " + known.epoch);
      }
      return runtimeLeaseMillis;
    }
  }

  @Override
  public void close() {}
}
