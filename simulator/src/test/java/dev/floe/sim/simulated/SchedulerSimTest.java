package dev.floe.sim.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.sim.vthread.InSimulationJvm;
import dev.floe.sim.vthread.Incarnation;
import dev.floe.sim.vthread.Outside;
import dev.floe.sim.vthread.SimOptions;
import dev.floe.sim.vthread.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@InSimulationJvm
class SchedulerSimTest {
  private static Simulation.Outcome contend(long seed, List<Integer> order) {
    return Simulation.run(
        SimOptions.of(seed),
        sim -> {
          Object monitor = new Object();
          CountDownLatch done = new CountDownLatch(8);
          Incarnation node = sim.newIncarnation("node");
          for (int i = 0; i < 8; i++) {
            int number = i;
            sim.spawn(
                node,
                "t" + i,
                () -> {
                  for (int k = 0; k < 20; k++) {
                    synchronized (monitor) {
                      LockSupport.parkNanos(1000);
                      order.add(number);
                    }
                  }
                  done.countDown();
                });
          }
          done.await();
        });
  }

  @Test
  void aSeedFixesTheOrderOfThreadsAlsoAtContendedMonitors() {
    List<Integer> first = new ArrayList<>();
    List<Integer> again = new ArrayList<>();
    List<Integer> other = new ArrayList<>();
    Simulation.Outcome outcome = contend(5, first);
    assertThat(outcome.failure()).isNull();
    assertThat(outcome.counters().unblocks()).as("monitors were contended").isGreaterThan(20);
    assertThat(contend(5, again).hash()).isEqualTo(outcome.hash());
    assertThat(again).isEqualTo(first);
    assertThat(contend(6, other).hash()).isNotEqualTo(outcome.hash());
    assertThat(other).isNotEqualTo(first);
  }

  @Test
  void aKilledProcessNeverRunsAgainAndUnwindsNothing() {
    List<String> seen = new ArrayList<>();
    Simulation.Outcome outcome =
        Simulation.run(
            SimOptions.of(1),
            sim -> {
              Incarnation node = sim.newIncarnation("node");
              AtomicInteger beats = new AtomicInteger();
              sim.spawn(
                  node,
                  "beat",
                  () -> {
                    try {
                      while (true) {
                        beats.incrementAndGet();
                        LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                      }
                    } finally {
                      seen.add("unwound");
                    }
                  });
              Thread.sleep(1000);
              sim.kill(node);
              int atKill = beats.get();
              assertThat(atKill).isBetween(90, 101);
              Thread.sleep(1000);
              assertThat(beats).hasValue(atKill);
            });
    assertThat(outcome.failure()).isNull();
    assertThat(seen).isEmpty();
  }

  @Test
  void aPausedProcessGoesOnWhereItStopped() {
    Simulation.Outcome outcome =
        Simulation.run(
            SimOptions.of(1),
            sim -> {
              Incarnation node = sim.newIncarnation("node");
              AtomicInteger beats = new AtomicInteger();
              sim.spawn(
                  node,
                  "beat",
                  () -> {
                    while (true) {
                      beats.incrementAndGet();
                      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                    }
                  });
              Thread.sleep(100);
              sim.pause(node);
              int atPause = beats.get();
              Thread.sleep(10_000);
              assertThat(beats).hasValue(atPause);
              sim.resume(node);
              Thread.sleep(1000);
              assertThat(beats.get()).isBetween(atPause + 50, atPause + 110);
            });
    assertThat(outcome.failure()).isNull();
  }

  @Test
  void threadsThatAllWaitForEverAreReported() {
    Simulation.Outcome outcome =
        Simulation.run(SimOptions.of(1), sim -> new CountDownLatch(1).await());
    assertThat(outcome.failure())
        .hasMessageContaining("waits for ever")
        .hasMessageContaining("driver");
  }

  @Test
  void aRunThatTakesTooLongIsReported() {
    Simulation.Outcome outcome =
        Simulation.run(
            SimOptions.of(1).withTimeLimit(Duration.ofSeconds(10)), sim -> Thread.sleep(60_000));
    assertThat(outcome.failure()).hasMessageContaining("not finished after PT10S");
  }

  @Test
  void aWakeUpFromOutsideIsAnError() {
    Outside.start();
    Simulation.Outcome outcome =
        Simulation.run(
            SimOptions.of(1),
            sim -> {
              Thread waiting = Thread.currentThread();
              Outside.unparkFromRealThread(waiting);
              for (int i = 0; i < 20_000_000; i++) {
                Thread.sleep(1);
              }
            });
    Outside.stop();
    assertThat(outcome.failure()).hasMessageContaining("outside of the simulation");
  }
}
