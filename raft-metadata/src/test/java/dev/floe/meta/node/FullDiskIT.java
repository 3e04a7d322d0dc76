package dev.floe.meta.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.Limits;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The disk of one of three masters takes no more.
class FullDiskIT {
  /// Above the log's segments of 16 KiB, below the entry that is written here.
  private static final int FILE_KIBIBYTES_MAX = 64;

  @TempDir Path root;

  @Test
  void theOthersGoOnAndTheOneThatFailedSaysWhyAndComesBackWhenThereIsRoom() throws Exception {
    try (TestCluster cluster = new TestCluster(root, 3);
        MetadataClient client = cluster.client()) {
      cluster.start("m1");
      cluster.start("m2");
      cluster.awaitLeader();
      try (MasterProcess third = MasterProcess.start(cluster, root, "m3", FILE_KIBIBYTES_MAX)) {
        TestCluster.await("its start", () -> third.output().contains("STARTED"));
        TestCluster.mountSpace(client);
        TestCluster.put(client, "before");
        TestCluster.await("it to follow", () -> hasApplied(client, "m3", cluster));
        assertThat(third.isAlive()).as(third.output()).isTrue();

        assertThat(client.submit(largeCommand(), TestCluster.deadline()))
            .isInstanceOf(MetadataReply.RuntimeRegistered.class);

        assertThat(third.awaitExit()).as(third.output()).isEqualTo(MasterProcess.EXIT_FATAL);
        assertThat(third.output())
            .contains("the Raft log of master m3 failed")
            .contains("File too large")
            .contains("start the master again");
      }
      TestCluster.put(client, "meanwhile");
      assertThat(cluster.fatal).isEmpty();

      cluster.start("m3");
      TestCluster.put(client, "after");
      assertThat(cluster.settledDigests()).hasSize(3).containsOnly(cluster.settledDigests().get(0));
      assertThat(cluster.master("m3").log().localView().totals().objects()).isEqualTo(3);
      assertThat(cluster.fatal).isEmpty();
    }
  }

  /// The process tells nobody how far it is; the leader does.
  private static boolean hasApplied(MetadataClient client, String node, TestCluster cluster) {
    long mine = cluster.awaitLeader().log().localDigest().index();
    return client.clusterView(false, TestCluster.deadline()).masters().stream()
        .filter(master -> master.node().equals(node))
        .map(master -> master.appliedIndexOrNull())
        .anyMatch(index -> index != null && index > mine - 20);
  }

  private static MetadataCommand.Client largeCommand() {
    Map<String, String> labels = new TreeMap<>();
    for (int i = 0; i < Limits.LABELS_MAX; i++) {
      String number = String.valueOf(i);
      labels.put(
          number + "n".repeat(Limits.LABEL_BYTES_MAX - number.length()),
          "v".repeat(Limits.LABEL_BYTES_MAX));
    }
    return new MetadataCommand.RegisterRuntime(
        new RuntimeId("large"), new SessionId(3, 3), Endpoint.parse("127.0.0.1:9998"), labels);
  }
}
