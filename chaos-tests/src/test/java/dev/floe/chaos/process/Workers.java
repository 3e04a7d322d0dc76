package dev.floe.chaos.process;

import dev.floe.core.error.FloeException;
import dev.floe.core.error.Retryability;
import dev.floe.store.client.PutOptions;
import dev.floe.store.client.PutResult;
import dev.floe.store.client.StoreClient;
import dev.floe.store.client.value.ValueSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// Threads that put values and read back what was acknowledged, until they are stopped. What they
/// find wrong they keep for the test.
final class Workers implements AutoCloseable {
  private static final int SIZE_MAX = 200_000;

  private final StoreClient client;
  private final boolean isPutting;
  private final Map<String, Long> acknowledged;
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isStopped;

  /// @param acknowledged keys with the seed of their value; grows
  Workers(StoreClient client, Map<String, Long> acknowledged, boolean isPutting) {
    this.client = client;
    this.acknowledged = acknowledged;
    this.isPutting = isPutting;
  }

  static Map<String, Long> noneYet() {
    return new ConcurrentHashMap<>();
  }

  Workers start(int count, String prefix) {
    for (int i = 0; i < count; i++) {
      String name = prefix + "/" + i + "/";
      long seed = i;
      threads.add(Thread.ofPlatform().daemon().start(() -> work(name, seed)));
    }
    return this;
  }

  private void work(String name, long seed) {
    Random random = new Random(seed);
    for (long i = 0; !isStopped; i++) {
      String key = name + i;
      try {
        if (isPutting) {
          put(key, random.nextLong());
        }
        readAny(random);
        done.incrementAndGet();
      } catch (FloeException e) {
        // While nobody leads the cluster may refuse, but it must say that trying again can help.
        refused.incrementAndGet();
        if (e.code().retryability() == Retryability.NEVER) {
          wrong.add(key + ": " + e.code() + " " + e.getMessage());
        }
      } catch (RuntimeException e) {
        wrong.add(key + ": " + e);
      }
    }
  }

  private void put(String key, long seed) {
    PutResult.Present result = client.put(key, ValueSource.of(value(seed)), PutOptions.replicas(2));
    switch (result) {
      case PutResult.Stored stored -> acknowledged.put(key, seed);
      // Nobody else has this key and it is put once: a retry of ours was not recognised as one.
      case PutResult.AlreadyExists old -> wrong.add(key + " had a value before it was put");
    }
  }

  private void readAny(Random random) {
    List<String> keys = new ArrayList<>(acknowledged.keySet());
    if (!keys.isEmpty()) {
      check(keys.get(random.nextInt(keys.size())));
    }
  }

  private void check(String key) {
    Long seed = acknowledged.get(key);
    if (seed != null && !Arrays.equals(client.get(key), value(seed))) {
      wrong.add(key + " came back with other bytes");
    }
  }

  /// Reads everything that was ever acknowledged.
  void checkAll() {
    acknowledged.keySet().forEach(this::check);
  }

  static byte[] value(long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[random.nextInt(SIZE_MAX)];
    random.nextBytes(bytes);
    return bytes;
  }

  /// Rounds of put and read that succeeded.
  long done() {
    return done.get();
  }

  long refused() {
    return refused.get();
  }

  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /// Ends the threads, each after the round it is in.
  @Override
  public void close() {
    isStopped = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
