package dev.floe.sim.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.time.Ticker;
import dev.floe.sim.vthread.InSimulationJvm;
import dev.floe.sim.vthread.SimOptions;
import dev.floe.sim.vthread.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@InSimulationJvm
class VirtualTimeSimTest {
  private final List<String> seen = new ArrayList<>();

  private Simulation.Outcome run(long seed, Simulation.Scenario scenario) {
    Simulation.Outcome outcome = Simulation.run(SimOptions.of(seed), scenario);
    if (outcome.failure() != null) {
      throw new AssertionError(outcome.failure());
    }
    return outcome;
  }

  @Test
  void aDaySleptPassesInVirtualTimeOnly() {
    Simulation.Outcome outcome =
        Simulation.run(
            SimOptions.of(1).withTimeLimit(Duration.ofDays(2)),
            sim -> {
              long ticker = Ticker.system().nanos();
              Instant wall = InstantSource.system().instant();
              Thread.sleep(Duration.ofDays(1));
              seen.add(Duration.ofNanos(Ticker.system().nanos() - ticker).toHours() + " h");
              seen.add(Duration.between(wall, Instant.now()).toHours() + " h");
            });
    assertThat(outcome.failure()).isNull();
    assertThat(seen).containsExactly("24 h", "24 h");
    assertThat(outcome.realTime()).isLessThan(Duration.ofHours(1));
  }

  @Test
  void everyTimedWaitIsVirtual() {
    run(
        1,
        sim -> {
          measure("lock support", () -> LockSupport.parkNanos(Duration.ofMinutes(1).toNanos()));
          measure("latch", () -> new CountDownLatch(1).await(1, TimeUnit.MINUTES));
          measure("monitor", () -> waitOn(new Object()));
          ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
          measure("scheduled", () -> timer.schedule(() -> {}, 1, TimeUnit.MINUTES).get());
          timer.shutdown();
          measure("future", () -> timeOut(new CompletableFuture<String>()));
          measure("delayed", () -> delayed().get());
        });
    assertThat(seen)
        .containsExactly(
            "lock support 60 s",
            "latch 60 s",
            "monitor 60 s",
            "scheduled 60 s",
            "future 60 s",
            "delayed 60 s");
  }

  private static CompletableFuture<Void> delayed() {
    return CompletableFuture.runAsync(
        () -> {}, CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES));
  }

  private static void timeOut(CompletableFuture<String> never) throws InterruptedException {
    try {
      never.orTimeout(1, TimeUnit.MINUTES).get();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(TimeoutException.class);
    }
  }

  @SuppressWarnings({"WaitNotInLoop", "SynchronizeOnNonFinalField"})
  private static void waitOn(Object monitor) throws InterruptedException {
    synchronized (monitor) {
      monitor.wait(Duration.ofMinutes(1).toMillis());
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  private void measure(String what, Action action) throws Exception {
    long before = System.nanoTime();
    action.run();
    seen.add(what + " " + Duration.ofNanos(System.nanoTime() - before).toSeconds() + " s");
  }

  @Test
  void platformThreadsBelongToTheSimulationAndKeepTheirIdentity() {
    run(
        1,
        sim -> {
          List<Thread> self = new ArrayList<>();
          Thread thread =
              Thread.ofPlatform()
                  .name("worker")
                  .unstarted(
                      () -> {
                        self.add(Thread.currentThread());
                        try {
                          Thread.sleep(Duration.ofHours(1));
                        } catch (InterruptedException e) {
                          seen.add("interrupted");
                        }
                      });
          seen.add("alive " + thread.isAlive() + " " + thread.getState());
          thread.start();
          Thread.sleep(10);
          seen.add("alive " + thread.isAlive() + " " + thread.getState());
          thread.interrupt();
          thread.join();
          seen.add("alive " + thread.isAlive() + " " + thread.getState());
          assertThat(self).containsExactly(thread);
        });
    assertThat(seen)
        .containsExactly(
            "alive false NEW", "alive true TIMED_WAITING", "interrupted", "alive false TERMINATED");
  }

  @Test
  void poolsOfEveryKindRunInside() {
    run(
        1,
        sim -> {
          for (ExecutorService pool :
              List.of(
                  Executors.newFixedThreadPool(2),
                  Executors.newCachedThreadPool(),
                  Executors.newVirtualThreadPerTaskExecutor())) {
            try (pool) {
              AtomicLong sum = new AtomicLong();
              for (int i = 0; i < 10; i++) {
                int number = i;
                pool.execute(
                    () -> {
                      LockSupport.parkNanos(1_000_000);
                      sum.addAndGet(number);
                    });
              }
              pool.shutdown();
              assertThat(pool.awaitTermination(1, TimeUnit.HOURS)).isTrue();
              seen.add("sum " + sum);
            }
          }
          seen.add("async " + CompletableFuture.supplyAsync(() -> 7).get());
        });
    assertThat(seen).containsExactly("sum 45", "sum 45", "sum 45", "async 7");
  }

  @Test
  void allRandomnessComesFromTheSeed() {
    List<List<Object>> runs = new ArrayList<>();
    for (long seed : List.of(1L, 1L, 2L)) {
      List<Object> drawn = new ArrayList<>();
      run(
          seed,
          sim -> {
            drawn.add(UUID.randomUUID());
            drawn.add(new Random().nextLong());
            drawn.add(ThreadLocalRandom.current().nextLong());
            CompletableFuture.runAsync(() -> drawn.add(ThreadLocalRandom.current().nextLong()))
                .get();
          });
      runs.add(drawn);
    }
    assertThat(runs.get(0))
        .hasSize(4)
        .isEqualTo(runs.get(1))
        .doesNotContainAnyElementsOf(runs.get(2));
  }
}
