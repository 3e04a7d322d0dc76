package dev.floe.store.node;

import dev.floe.core.error.FloeException;
import dev.floe.core.file.DirectoryName;
import dev.floe.core.file.NodeDirectory;
import dev.floe.core.file.NodeIdentity;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.store.segment.MemorySegmentStore;
import dev.floe.store.segment.MemorySource;
import dev.floe.store.wire.DataService;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running store runtime: folder, memory, listener and lease, opened in this order and closed in
/// reverse.
///
/// It serves whoever names a segment number that the masters gave it; without masters it waits for
/// them and serves nothing new. It never stops by itself: when it must not go on, the fatal handler
/// is told, and whoever started it closes it.
public final class StoreNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreNode.class);

  private final StoreOptions options;
  private final Endpoint endpoint;
  private final RuntimeLease lease;
  private final MemorySegmentStore store;
  private final Deque<AutoCloseable> opened;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private StoreNode(
      StoreOptions options,
      Endpoint endpoint,
      RuntimeLease lease,
      MemorySegmentStore store,
      Deque<AutoCloseable> opened) {
    this.options = options;
    this.endpoint = endpoint;
    this.lease = lease;
    this.store = store;
    this.opened = opened;
  }

  /// What a store takes from outside.
  ///
  /// @param metadata the masters; stays the caller's and is closed after the node
  /// @param memory where segments come from; null for `MemorySource.preferred`
  /// @param fatal told once, on a thread of the node, when it must not go on: `STALE_EPOCH` when
  ///     another process took its id, `RUNTIME_IN_USE` when one
  ///     has a lease under it for longer than a dead one would, `INVALID_ARGUMENT` and the like when the masters refuse
  ///     it. The handler may close the node, on another thread
  public record Seams(
      Transport transport,
      MetadataApi metadata,
      Ticker ticker,
      RandomGenerator random,
      @Nullable MemorySource memory,
      Consumer<FloeException> fatal) {}

  /// Starts a store. When this returns it listens, and joins the cluster in the background as soon
  /// as there is a leader.
  ///
  /// @throws FloeException `ADDRESS_IN_USE`, `INVALID_CONFIG` (not as much memory),
  ///     `DIRECTORY_IN_USE`, `DIRECTORY_UNUSABLE` or `DIRECTORY_OF_ANOTHER_NODE`; nothing is left
  ///     running then
  public static StoreNode start(StoreOptions options, Seams seams) {
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    boolean isStarted = false;
    try {
      RuntimeProcess process = RuntimeProcess.withoutDirectory(drawn(seams.random()));
      if (options.directory().isPresent()) {
        NodeDirectory directory =
            NodeDirectory.open(
                options.directory().get(),
                new NodeIdentity(options.cluster(), "store", options.runtime().value()));
        opened.push(directory);
        DirectoryName.Start started = DirectoryName.begin(directory, seams.random());
        process =
            new RuntimeProcess(
                process.incarnation(),
                new SessionId(
                    started.name().getMostSignificantBits(),
                    started.name().getLeastSignificantBits()),
                started.number());
      }
      MemorySource memory = seams.memory();
      NodeSegments segments =
          NodeSegments.allocate(
              options, memory != null ? memory : MemorySource.preferred(options.totalBytes()));
      opened.push(segments);
      MemorySegmentStore store = new MemorySegmentStore();
      Transport.Listener listener =
          seams
              .transport()
              .listen(
                  options.address().listen(),
                  new Transport.Identity(options.cluster(), "store/" + options.runtime()),
                  new DataService(store).handlers());
      opened.push(listener);
      RuntimeLease lease =
          new RuntimeLease(
              options,
              options.address().advertised(listener.endpoint()),
              segments.byName(),
              store,
              new RuntimeLease.Environment(
                  seams.metadata(), seams.ticker(), seams.random(), process, seams.fatal()));
      lease.start();
      isStarted = true;
      return new StoreNode(options, listener.endpoint(), lease, store, opened);
    } finally {
      if (!isStarted) {
        closeAll(opened);
      }
    }
  }

  private static SessionId drawn(RandomGenerator random) {
    return new SessionId(random.nextLong(), random.nextLong());
  }

  /// Where it listens, with the real port.
  public Endpoint endpoint() {
    return endpoint;
  }

  public StoreOptions options() {
    return options;
  }

  /// The epoch it is registered under; 0 while it is not.
  public long epoch() {
    return lease.epoch();
  }

  /// The numbers of its segments; none while it is not registered.
  public List<SegmentId> segments() {
    return lease.mounted();
  }

  /// Waits until its segments are mounted, so that the masters place replicas here.
  ///
  /// @return false when that did not happen by the deadline, or the node has ended
  public boolean awaitMounted(Deadline deadline) throws InterruptedException {
    return lease.awaitMounted(deadline);
  }

  /// Leaves the cluster: the masters forget its segments, requests under way are answered, memory
  /// is given back. Repeating it does nothing.
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      lease.leave();
      closeAll(opened);
      LOG.info("store {} has left", options.runtime());
    }
  }

  /// Ends as a process does that is killed: says nothing to the masters and answers nobody. Its
  /// memory is gone, and the masters find out when its lease ends. When this returns nothing of it
  /// runs any more: what it was asking the masters has ended before its directory is given up.
  public void kill() {
    if (isClosed.compareAndSet(false, true)) {
      lease.close();
      store.withdrawAll();
      closeAll(opened);
    }
  }

  private static void closeAll(Deque<AutoCloseable> opened) {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        LOG.error("closing a store went wrong", e);
      }
    }
  }
}
