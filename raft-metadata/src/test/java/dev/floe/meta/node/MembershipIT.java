package dev.floe.meta.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.log.MasterAddress;
import dev.floe.meta.log.Membership;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.TenantId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Masters are added, removed and replaced while clients write; over gRPC.
class MembershipIT {
  @TempDir Path root;

  private interface Change {
    boolean by(MaintainedLog log, Membership now);
  }

  private static Deadline deadline() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(5));
  }

  /// As an operator does it: looks, changes, and looks again when it is not known what came of it.
  private static void change(TestCluster cluster, String node, boolean isWanted, Change change) {
    TestCluster.await(
        node + (isWanted ? " as a member" : " as none"),
        () -> {
          MaintainedLog log = cluster.awaitLeader().log();
          Membership now = log.membership();
          if (now.contains(node) == isWanted) {
            return log.isCommitted(now);
          }
          try {
            return change.by(log, now) && log.membership().contains(node) == isWanted;
          } catch (FloeException e) {
            return false;
          }
        });
  }

  private static void add(TestCluster cluster, MasterAddress master) {
    change(cluster, master.node(), true, (log, now) -> log.addMaster(now, master, deadline()));
  }

  private static void remove(TestCluster cluster, String node) {
    change(cluster, node, false, (log, now) -> log.removeMaster(now, node, deadline()));
  }

  private static void lead(TestCluster cluster, String node) {
    TestCluster.await(
        node + " in the lead",
        () -> {
          MasterNode leader = cluster.awaitLeader();
          return leader.node().equals(node) || leader.log().transferLeadership(node, deadline());
        });
  }

  @Test
  void mastersAreReplacedWhileClientsWriteAndNothingIsLost() {
    Map<String, RouteVersion> written = new ConcurrentHashMap<>();
    AtomicBoolean isOver = new AtomicBoolean();
    try (TestCluster cluster = new TestCluster(root, 3).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      CompletableFuture<Void> load =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; !isOver.get(); i++) {
                  String key = "k" + i;
                  written.put(key, TestCluster.put(client, key).version());
                }
              },
              task -> Thread.ofVirtual().start(task));
      String replaced = cluster.someFollower();
      add(cluster, cluster.join("m4"));
      remove(cluster, replaced);
      cluster.kill(replaced);
      cluster.wipe(replaced);
      add(cluster, cluster.join(replaced));
      lead(cluster, "m4");
      isOver.set(true);
      assertThat(load).succeedsWithin(TestCluster.LONG);

      assertThat(cluster.awaitLeader().log().membership().nodes())
          .containsExactly("m1", "m2", "m3", "m4");
      assertThat(cluster.awaitLeader().log().members()).hasSize(4);
      assertThat(cluster.settledDigests().stream().distinct()).hasSize(1);
      List<String> keys = List.copyOf(written.keySet());
      assertThat(keys).isNotEmpty();
      for (String key : keys) {
        assertThat(
                client
                    .resolve(
                        TenantId.DEFAULT,
                        List.of(new ObjectKey(key)),
                        ReadOptions.PEEK,
                        TestCluster.deadline())
                    .getFirst())
            .as(key)
            .isInstanceOfSatisfying(
                Resolution.Found.class,
                found -> assertThat(found.version()).isEqualTo(written.get(key)));
      }
    }
  }

  @Test
  void aChangeOfOtherMembersThanExpectedIsNone() {
    try (TestCluster cluster = new TestCluster(root, 3).startAll()) {
      MasterNode leader = cluster.awaitLeader();
      Membership before = leader.log().membership();
      Membership other = new Membership(List.of("m1", "m2"));
      MasterAddress known = new MasterAddress("m2", cluster.endpoint("m2"), cluster.endpoint("m2"));
      assertThat(leader.log().removeMaster(other, "m2", deadline())).isFalse();
      assertThat(leader.log().addMaster(other, known, deadline())).isFalse();
      assertThatThrownBy(() -> leader.log().addMaster(before, known, deadline()))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
      assertThatThrownBy(() -> leader.log().removeMaster(before, leader.node(), deadline()))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
          .hasMessageContaining("hand the lead over");
      assertThat(leader.log().membership()).isEqualTo(before);
    }
  }
}
