package dev.floe.chaos.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.model.RouteVersion;
import dev.floe.store.client.PutOptions;
import dev.floe.store.client.PutResult;
import dev.floe.store.client.StoreClient;
import dev.floe.store.client.value.ValueSource;
import dev.floe.store.connect.ClusterClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One cluster of processes that loses its leader by `kill -9`, then to a pause, then a store.
@SuppressWarnings("NullAway.Init") // the fields are set in startCluster
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class KilledNodesIT {
  private static final int KILLS = 3;

  /// How long a cluster may be without a leader: detection, election and the new leader's first entry,
  /// with a busy machine's share on top.
  private static final Duration FAILOVER = Duration.ofSeconds(20);

  private ProcessNodes nodes;
  private ClusterClient cluster;
  private StoreClient objects;

  @BeforeAll
  void startCluster(@TempDir Path folder) throws Exception {
    nodes = new ProcessNodes(folder);
    nodes.startAll();
    cluster = ProcessNodes.client(nodes.masters());
    objects = cluster.objects();
    await("a leader and two stores", Duration.ofSeconds(60), this::hasTwoStores);
  }

  @AfterAll
  void stopCluster() {
    if (cluster != null) {
      cluster.close();
    }
    nodes.close();
  }

  private boolean hasTwoStores() {
    try {
      ClusterView view = view();
      return view.segments().size() == ProcessNodes.STORES;
    } catch (FloeException e) {
      return false;
    }
  }

  private ClusterView view() {
    return cluster.metadata().clusterView(false, in(Duration.ofSeconds(10)));
  }

  private static Deadline in(Duration time) {
    return Deadline.after(Ticker.system(), time);
  }

  private static void await(String what, Duration bound, BooleanSupplier condition)
      throws InterruptedException {
    Deadline deadline = in(bound);
    while (!condition.getAsBoolean()) {
      assertThat(deadline.isExpired()).as("%s within %s", what, bound).isFalse();
      Thread.sleep(20);
    }
  }

  @Test
  @Order(1)
  void noAcknowledgedValueIsLostWhileLeadersAreKilledOneAfterTheOther() throws Exception {
    Map<String, Long> acknowledged = Workers.noneYet();
    Workers workers = new Workers(objects, acknowledged, true);
    try (workers) {
      workers.start(3, "loop");
      for (int i = 0; i < KILLS; i++) {
        awaitRounds(workers, 10);
        String leader = view().answeredBy();
        nodes.process(leader).kill();
        awaitRounds(workers, 10);
        assertThat(view().answeredBy())
            .as("who leads after %s was killed", leader)
            .isNotEqualTo(leader);
        nodes.start(leader);
      }
    }
    workers.checkAll();
    assertThat(workers.wrong()).isEmpty();
    assertThat(acknowledged).hasSizeGreaterThan(KILLS * 20);
    assertThat(cluster.metadata().clusterView(false, in(FAILOVER)).totals().objects())
        .isGreaterThanOrEqualTo(acknowledged.size());
  }

  private static void awaitRounds(Workers workers, int more) throws InterruptedException {
    long before = workers.done();
    await(
        "more rounds of the clients, wrong so far: " + workers.wrong(),
        FAILOVER,
        () -> workers.done() >= before + more);
  }

  @Test
  @Order(2)
  void aLeaderThatSleptPastItsLeasesIsFencedAndClientsGoOn() throws Exception {
    put("slept", 1);
    RouteVersion old = objects.stat("slept").orElseThrow().version();
    ClusterView before = view();
    String sleeper = before.answeredBy();
    FloeProcess process = nodes.process(sleeper);
    // Connected while it leads, so that its first answers need no hand shake after the pause.
    try (ClusterClient onlySleeper = ProcessNodes.client(List.of(nodes.master(sleeper)))) {
      assertThat(onlySleeper.objects().get("slept")).isEqualTo(Workers.value(1));
      process.pause();
      try {
        await("another leader", FAILOVER, () -> isLedByAnother(sleeper));
        assertThat(objects.remove("slept", true)).isTrue();
        put("slept", 2);
      } finally {
        process.resume();
      }
      // What it says from its first moment on: the new value or nothing, never the one it
      // remembers.
      for (int i = 0; i < 20; i++) {
        try {
          assertThat(onlySleeper.objects().get("slept")).isEqualTo(Workers.value(2));
        } catch (FloeException e) {
          assertThat(e.code().retryability())
              .as("%s", e.getMessage())
              .isNotEqualTo(dev.floe.core.error.Retryability.NEVER);
        }
      }
    }
    assertThat(objects.stat("slept").orElseThrow().version()).isGreaterThan(old);
    assertThat(view().term()).isGreaterThan(before.term());
    put("after", 3);
    assertThat(objects.get("after")).isEqualTo(Workers.value(3));
    assertThat(process.isAlive()).as("the paused master goes on as a follower").isTrue();
  }

  private boolean isLedByAnother(String former) {
    try {
      return !view().answeredBy().equals(former);
    } catch (FloeException e) {
      return false;
    }
  }

  private void put(String key, long seed) {
    PutResult.Present result =
        objects.put(key, ValueSource.of(Workers.value(seed)), PutOptions.replicas(2));
    assertThat(result).isInstanceOf(PutResult.Stored.class);
  }

  @Test
  @Order(3)
  void readersOfAStoreThatIsKilledFallOverToTheOtherReplica() throws Exception {
    Map<String, Long> stored = Workers.noneYet();
    for (long i = 0; i < 20; i++) {
      put("both/" + i, i);
      assertThat(objects.stat("both/" + i).orElseThrow().replicas()).hasSize(2);
      stored.put("both/" + i, i);
    }
    Workers readers = new Workers(objects, stored, false);
    try (readers) {
      readers.start(3, "read");
      awaitRounds(readers, 50);
      nodes.process("s1").kill();
      awaitRounds(readers, 200);
    }
    readers.checkAll();
    assertThat(readers.wrong()).isEmpty();
    assertThat(readers.refused()).as("reads that failed though a replica lived").isZero();
    assertThat(objects.stats().snapshot().trouble().failovers()).isPositive();
    // New values go where there is a store.
    put("alone", 9);
    assertThat(objects.get("alone")).isEqualTo(Workers.value(9));
  }
}
