package dev.floe.sim.fleet;

import dev.floe.core.buffer.BufferPool;
import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import dev.floe.core.wire.link.LinkTransport;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.model.TenantId;
import dev.floe.sim.wire.SimHost;
import dev.floe.store.client.StoreClient;
import dev.floe.store.client.transfer.ClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A program that uses the cluster: production's clients, and workers that put, read and remove.
final class ClientProcess extends SimProcess {
  static final int CHUNK_BYTES = 4096;
  static final int IN_FLIGHT_BYTES = 128 * 1024;
  static final int BUFFER_BYTES = 512 * 1024;
  static final Duration OPERATION = Duration.ofSeconds(8);
  private static final ClientOptions OPTIONS =
      new ClientOptions(
          TenantId.DEFAULT,
          new ClientOptions.Transfer(CHUNK_BYTES, 3, IN_FLIGHT_BYTES),
          new ClientOptions.Times(
              OPERATION, Duration.ofSeconds(1), Duration.ofSeconds(1), 1 << 20));

  private final List<Endpoint> masters;
  private final List<Workload> workers = new ArrayList<>();
  private final WorkTally earlier = new WorkTally();
  private @Nullable Connected connected;
  private boolean isStopping;

  /// The parts of a client, each closed by `close`.
  ///
  /// @param calls to masters so far
  record Connected(PeerPool peers, MetadataClient metadata, Store store, AtomicLong calls) {
    StoreClient objects() {
      return store.objects;
    }

    void close() {
      objects().close();
      metadata.close();
      peers.close();
      store.buffers.close();
    }
  }

  /// What moves values.
  record Store(BufferPool buffers, StoreClient objects) {}

  ClientProcess(String name, FleetWorld world, List<Endpoint> masters) {
    super(name, world);
    this.masters = List.copyOf(masters);
  }

  /// Everything a client needs, at a place in the network.
  static Connected connect(FleetWorld world, SimHost place, List<Endpoint> masters) {
    Ticker ticker = Ticker.system();
    String life = place.life().name();
    PeerPool peers =
        new PeerPool(
            new LinkTransport(world.links().at(place), WireOptions.standard(ticker)),
            new Transport.Identity(FleetWorld.CLUSTER, "client/" + place.name()),
            PeerPool.Options.standard(ticker));
    SplittableRandom random = world.simulation().seeds().stream("client " + life);
    AtomicLong calls = new AtomicLong();
    MetadataClient metadata =
        new MetadataClient(
            masters,
            (to, call) -> {
              calls.incrementAndGet();
              return peers.call(to, call);
            },
            ticker,
            random.split(),
            world.retries());
    BufferPool buffers = new BufferPool(BUFFER_BYTES, List.of(CHUNK_BYTES, 16 * CHUNK_BYTES));
    StoreClient objects =
        new StoreClient(
            metadata, peers, buffers, new StoreClient.Sources(ticker, random.split()), OPTIONS);
    return new Connected(peers, metadata, new Store(buffers, objects), calls);
  }

  @Override
  void prepare() {
    connected = null;
    workers.forEach(worker -> earlier.addAll(worker.tally()));
    workers.clear();
  }

  @Override
  void run(SimHost place) {
    Connected now = connect(world(), place, masters);
    connected = now;
    if (isStopping) {
      return;
    }
    FleetDraw.Knobs knobs = world().draw().knobs();
    for (int i = 0; i < knobs.workers() + knobs.readers(); i++) {
      boolean isReader = i >= knobs.workers();
      Workload worker =
          new Workload(
              world(),
              place.life().name() + (isReader ? "-r" : "-w") + i,
              now,
              isReader,
              () -> isStopping);
      workers.add(worker);
      var _ =
          world()
              .simulation()
              .spawn(
                  place.life(),
                  worker.name(),
                  () -> {
                    try {
                      worker.run();
                    } catch (InterruptedException | RuntimeException | Error e) {
                      world().simulation().fail(e);
                    }
                  });
    }
  }

  /// Its parts while it runs, or null.
  @Nullable Connected connected() {
    return isAlive() ? connected : null;
  }

  @Override
  void kill() {
    super.kill();
    workers.forEach(worker -> world().liveness().died(worker.name()));
  }

  /// Lets workers end after the operation that they are at.
  void stop() {
    isStopping = true;
  }

  /// Whether no worker is at an operation any more.
  boolean isIdle() {
    return !isAlive() || workers.stream().allMatch(Workload::isDone);
  }

  /// Leaves the cluster properly; on a thread of the process.
  void leave() {
    Connected now = connected;
    SimHost place = host();
    if (now != null && place != null && isAlive()) {
      var _ = world().simulation().spawn(place.life(), "leave", now::close);
    }
  }

  /// What was done in all lives.
  WorkTally tally() {
    WorkTally all = new WorkTally();
    all.addAll(earlier);
    workers.forEach(worker -> all.addAll(worker.tally()));
    return all;
  }

  /// Workers of the present life.
  List<Workload> workers() {
    return workers;
  }
}
