package dev.floe.bench;

import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.store.client.transfer.ClientOptions;
import dev.floe.store.connect.ClusterClient;
import dev.floe.store.local.ClusterReadiness;
import dev.floe.store.local.ClusterShape;
import dev.floe.store.local.EmbeddedCluster;
import dev.floe.store.local.PortPlan;
import java.nio.file.Path;
import java.time.Duration;

/// A whole cluster in this JVM over loopback with a client: three masters with the default
/// timeouts.
final class BenchCluster implements AutoCloseable {
  private final EmbeddedCluster cluster;
  private final ClusterClient client;

  BenchCluster(Path root, int stores, long segmentBytes) throws InterruptedException {
    cluster =
        new EmbeddedCluster(
            new ClusterShape("bench", root, PortPlan.free(3, stores), segmentBytes),
            Ticker.system());
    cluster.start();
    client =
        ClusterClient.open(
            cluster.masters(),
            ClientOptions.DEFAULT,
            ClusterClient.Seams.standard(Ticker.system()));
    ClusterReadiness.await(client.metadata(), cluster, stores, deadline(60));
  }

  EmbeddedCluster cluster() {
    return cluster;
  }

  ClusterClient client() {
    return client;
  }

  static Deadline deadline(int seconds) {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(seconds));
  }

  @Override
  public void close() {
    client.close();
    cluster.close();
  }
}
