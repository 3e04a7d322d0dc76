package dev.floe.sim.fleet;

import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import dev.floe.core.wire.link.LinkTransport;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.model.RuntimeId;
import dev.floe.sim.wire.SimHost;
import dev.floe.store.node.StoreNode;
import dev.floe.store.node.StoreOptions;
import dev.floe.store.segment.MemorySource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A store runtime: production's `StoreNode` with its segments, data service and lease. A new life
/// has empty memory.
final class StoreProcess extends SimProcess {
  static final int PORT = 3;
  static final int SEGMENTS = 2;
  static final int SEGMENT_BYTES = 256 * 1024;

  private final List<Endpoint> masters;
  private final List<MemorySegment> memory = new ArrayList<>();
  private @Nullable StoreNode node;

  StoreProcess(String name, FleetWorld world, List<Endpoint> masters) {
    super(name, world);
    this.masters = List.copyOf(masters);
    for (int i = 0; i < SEGMENTS; i++) {
      memory.add(world.memory().allocate(SEGMENT_BYTES, 4096));
    }
  }

  /// The running node, or null while there is none.
  @Nullable StoreNode node() {
    return isAlive() ? node : null;
  }

  /// Whether its segments are mounted, by its own view.
  boolean isMounted() {
    StoreNode now = node();
    return now != null && !now.segments().isEmpty();
  }

  @Override
  void prepare() {
    node = null;
  }

  @Override
  void run(SimHost place) {
    Ticker ticker = Ticker.system();
    LinkTransport transport =
        new LinkTransport(world().links().at(place), WireOptions.standard(ticker));
    String life = place.life().name();
    PeerPool peers =
        new PeerPool(
            transport,
            new Transport.Identity(FleetWorld.CLUSTER, "store/" + name()),
            PeerPool.Options.standard(ticker));
    MetadataClient metadata =
        new MetadataClient(
            masters,
            peers::call,
            ticker,
            world().simulation().seeds().stream("store backoff " + life),
            world().retries());
    List<StoreOptions.SegmentOptions> segments = new ArrayList<>();
    for (int i = 0; i < SEGMENTS; i++) {
      segments.add(new StoreOptions.SegmentOptions("memory" + i, SEGMENT_BYTES));
    }
    node =
        StoreNode.start(
            new StoreOptions(
                FleetWorld.CLUSTER,
                new RuntimeId(name()),
                new StoreOptions.Address(new Endpoint(name(), PORT), Optional.empty()),
                Map.of(),
                segments,
                Optional.empty()),
            new StoreNode.Seams(
                new WatchedTransport(transport, name(), world()),
                metadata,
                ticker,
                world().simulation().seeds().stream("store " + life),
                new RunMemory(memory),
                error ->
                    world()
                        .simulation()
                        .fail(new AssertionError("FATAL: " + life + " gave up", error))));
    world().simulation().event("started " + life);
  }

  /// Memory of the run: a life that was killed never gives its own back, so the next one takes it.
  private static final class RunMemory implements MemorySource {
    private final List<MemorySegment> regions;
    private int next;

    RunMemory(List<MemorySegment> regions) {
      this.regions = regions;
    }

    @Override
    public MemorySegment allocate(long bytes, Arena arena) {
      return regions.get(next++).fill((byte) 0);
    }

    @Override
    public boolean isDirect() {
      return false;
    }
  }
}
