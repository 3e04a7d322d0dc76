package dev.floe.sim.fleet;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.TenantId;
import dev.floe.sim.vthread.Seeds;
import dev.floe.store.client.GetItem;
import dev.floe.store.client.GetOptions;
import dev.floe.store.client.GetResult;
import dev.floe.store.client.ObjectStat;
import dev.floe.store.client.PutItem;
import dev.floe.store.client.PutOptions;
import dev.floe.store.client.PutResult;
import dev.floe.store.client.StoreClient;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.client.value.ValueSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/// One worker of a client: an operation after the other, each judged by `Judge`.
final class Workload {
  static final int BATCH_MAX = 4;
  private static final int READER_HASTE = 4;
  private static final Duration LEAST_DEADLINE = Duration.ofMillis(5);

  private final FleetWorld world;
  private final String name;
  private final ClientProcess.Connected client;
  private final StoreClient objects;
  private final boolean isReader;
  private final BooleanSupplier isStopping;
  private final Seeds seeds;
  private final FleetDraw.Knobs knobs;
  private final Judge judge;
  private boolean isDone;
  private long busySinceNanos = -1;

  /// @param isReader whether it only reads
  Workload(
      FleetWorld world,
      String name,
      ClientProcess.Connected client,
      boolean isReader,
      BooleanSupplier isStopping) {
    this.world = world;
    this.name = name;
    this.client = client;
    this.objects = client.objects();
    this.isReader = isReader;
    this.isStopping = isStopping;
    this.seeds = world.items();
    this.knobs = world.draw().knobs();
    this.judge = new Judge(world, name);
  }

  String name() {
    return name;
  }

  boolean isDone() {
    return isDone;
  }

  WorkTally tally() {
    return judge.tally();
  }

  /// Since when it is at an operation, or -1.
  long busySinceNanos() {
    return busySinceNanos;
  }

  void run() throws InterruptedException {
    int think = isReader ? knobs.thinkMillis() / READER_HASTE : knobs.thinkMillis();
    for (int turn = 0; !isStopping.getAsBoolean(); turn++) {
      // A turn depends on nothing but its number, so that others can be left out.
      SplittableRandom random = seeds.stream("worker " + name + " turn " + turn);
      Thread.sleep(1 + random.nextInt(2 * think));
      if (isStopping.getAsBoolean()) {
        break;
      }
      if (!world.plan().operations().includes(name, turn)) {
        continue;
      }
      world.log().operation(name, turn);
      busySinceNanos = world.simulation().nanos();
      boolean isCancelled = random.nextInt(30) == 0;
      world.liveness().began(name, isCancelled, busySinceNanos);
      if (isCancelled) {
        cancelled(random);
      } else {
        step(random);
      }
      world.judge(() -> world.liveness().ended(name, world.simulation().nanos()));
      busySinceNanos = -1;
    }
    isDone = true;
  }

  /// An operation whose thread is interrupted in the middle.
  private void cancelled(SplittableRandom random) throws InterruptedException {
    SplittableRandom own = random.split();
    Thread victim =
        Thread.ofVirtual()
            .name(name + "-cancelled")
            .start(
                () -> {
                  try {
                    step(own);
                  } catch (RuntimeException | Error e) {
                    world.simulation().fail(e);
                  }
                });
    Thread.sleep(1 + random.nextInt(60));
    victim.interrupt();
    victim.join();
  }

  private void step(SplittableRandom random) {
    if (isReader) {
      look(random);
      return;
    }
    int choice = random.nextInt(100);
    if (choice < 26) {
      put(random);
    } else if (choice < 44) {
      get(random);
    } else if (choice < 51) {
      getRange(random);
    } else if (choice < 57) {
      batchPut(random);
    } else if (choice < 62) {
      batchGet(random);
    } else if (choice < 68) {
      exist(random);
    } else if (choice < 71) {
      stat(random);
    } else if (choice < 74) {
      list();
    } else if (choice < 79) {
      lease(random);
    } else {
      remove(random);
    }
  }

  private void look(SplittableRandom random) {
    int choice = random.nextInt(100);
    if (choice < 30) {
      get(random);
    } else if (choice < 60) {
      exist(random);
    } else if (choice < 80) {
      stat(random);
    } else {
      list();
    }
  }

  private String key(SplittableRandom random) {
    return isReader || random.nextBoolean()
        ? "hot-" + random.nextInt(knobs.hotKeys())
        : "cold-" + random.nextInt(knobs.coldKeys());
  }

  private List<String> keys(SplittableRandom random) {
    LinkedHashSet<String> keys = new LinkedHashSet<>();
    int count = 2 + random.nextInt(BATCH_MAX - 1);
    while (keys.size() < count) {
      keys.add(key(random));
    }
    return List.copyOf(keys);
  }

  private int size(SplittableRandom random) {
    if (random.nextInt(40) == 0) {
      return 0;
    }
    return 8 + (int) Math.exp(random.nextDouble() * Math.log(knobs.valueBytesMax()));
  }

  private Optional<Duration> timeout(SplittableRandom random) {
    if (random.nextInt(20) != 0) {
      return Optional.empty();
    }
    world.liveness().began(name, true, busySinceNanos);
    return Optional.of(LEAST_DEADLINE.plusMillis(random.nextInt(100)));
  }

  private PutOptions putOptions(SplittableRandom random) {
    PutOptions options = PutOptions.replicas(1 + random.nextInt(3));
    Optional<Duration> timeout = timeout(random);
    return timeout.isEmpty() ? options : options.withTimeout(timeout.get());
  }

  private GetOptions getOptions(SplittableRandom random) {
    return new GetOptions(random.nextInt(5) == 0, timeout(random));
  }

  // --- operations ---

  private void put(SplittableRandom random) {
    Judge.Put put = judge.put(key(random), size(random));
    PutOptions options = putOptions(random);
    try {
      judge.ended(put, objects.put(put.key(), ValueSource.of(put.payload().bytes()), options));
    } catch (FloeException e) {
      judge.failed(put, e);
    }
  }

  private void batchPut(SplittableRandom random) {
    List<Judge.Put> puts = new ArrayList<>();
    List<PutItem> items = new ArrayList<>();
    for (String key : keys(random)) {
      Judge.Put put = judge.put(key, size(random));
      puts.add(put);
      items.add(new PutItem(key, ValueSource.of(put.payload().bytes())));
    }
    List<PutResult> results = objects.batchPut(items, putOptions(random));
    for (int i = 0; i < puts.size(); i++) {
      switch (results.get(i)) {
        case PutResult.Present present -> judge.ended(puts.get(i), present);
        case PutResult.Failed failed -> judge.failed(puts.get(i), failed.error());
      }
    }
  }

  private void get(SplittableRandom random) {
    Judge.Read read = judge.read(key(random), 0);
    byte[] into = new byte[knobs.valueBytesMax() + 64];
    try {
      judge.got(read, objects.get(read.key(), ValueSink.of(into), getOptions(random)), into);
    } catch (FloeException e) {
      judge.failed(read, e);
    }
  }

  private void getRange(SplittableRandom random) {
    int from = random.nextInt(random.nextBoolean() ? 64 : knobs.valueBytesMax());
    Judge.Read read = judge.read(key(random), from);
    byte[] into = new byte[8 + random.nextInt(random.nextBoolean() ? 64 : 9000)];
    try {
      judge.got(
          read,
          objects.getRange(read.key(), from, into.length, ValueSink.of(into), getOptions(random)),
          into);
    } catch (FloeException e) {
      judge.failed(read, e);
    }
  }

  private void batchGet(SplittableRandom random) {
    List<Judge.Read> reads = new ArrayList<>();
    List<byte[]> places = new ArrayList<>();
    List<GetItem> items = new ArrayList<>();
    for (String key : keys(random)) {
      byte[] into = new byte[knobs.valueBytesMax() + 64];
      reads.add(judge.read(key, 0));
      places.add(into);
      items.add(new GetItem(key, ValueSink.of(into)));
    }
    List<GetResult> results = objects.batchGet(items, getOptions(random));
    for (int i = 0; i < reads.size(); i++) {
      switch (results.get(i)) {
        case GetResult.Loaded loaded -> judge.got(reads.get(i), loaded, places.get(i));
        case GetResult.Failed failed -> judge.failed(reads.get(i), failed.error());
      }
    }
  }

  private void exist(SplittableRandom random) {
    Judge.Read read = judge.read(key(random), 0);
    try {
      judge.existed(read, objects.exist(read.key()));
    } catch (FloeException e) {
      judge.failed(read, e);
    }
  }

  private void stat(SplittableRandom random) {
    Judge.Read read = judge.read(key(random), 0);
    try {
      Optional<ObjectStat> stat = objects.stat(read.key());
      if (stat.isPresent()) {
        judge.found(read, stat.get().version(), "stat");
      }
    } catch (FloeException e) {
      judge.failed(read, e);
    }
  }

  private void lease(SplittableRandom random) {
    Judge.Read read = judge.read(key(random), 0);
    try {
      Resolution answer =
          client
              .metadata()
              .resolve(
                  TenantId.DEFAULT,
                  List.of(ObjectId.of(read.key()).key()),
                  MetadataApi.ReadOptions.DEFAULT,
                  Deadline.after(Ticker.system(), ClientProcess.OPERATION))
              .getFirst();
      switch (answer) {
        case Resolution.Found found -> judge.leased(read, found.version(), found.leaseMillis());
        case Resolution.Missing missing -> judge.failed(read, missing.toException());
      }
    } catch (FloeException e) {
      judge.failed(read, e);
    }
  }

  private void list() {
    Judge.Listing listing = judge.list();
    try {
      List<MetadataApi.ListPage.Entry> entries = new ArrayList<>();
      objects.list("hot-").forEachRemaining(entries::add);
      judge.listed(listing, entries);
    } catch (FloeException e) {
      judge.failed(e);
    }
  }

  private void remove(SplittableRandom random) {
    boolean isForced = random.nextInt(3) == 0;
    Judge.Removal removal = judge.remove(key(random), isForced);
    try {
      judge.ended(removal, objects.remove(removal.key(), isForced));
    } catch (FloeException e) {
      judge.failed(removal, e);
    }
  }
}
