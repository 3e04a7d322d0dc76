package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.model.RuntimeState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Waits until a cluster can be used.
public final class ClusterReadiness {
  private static final long POLL_MILLIS = 50;
  private static final Duration ASK = Duration.ofSeconds(2);

  private ClusterReadiness() {}

  /// Waits for a leader and for `stores` stores that are alive and have mounted their memory.
  ///
  /// @return the leader's view
  /// @throws FloeException `UNAVAILABLE` saying what is missing when the deadline has passed, or
  ///     which node has ended
  public static ClusterView await(
      MetadataApi metadata, LocalCluster cluster, int stores, Deadline deadline)
      throws InterruptedException {
    String missing = "no master has answered";
    while (!deadline.isExpired()) {
      cluster.checkAlive();
      ClusterView view = ask(metadata, deadline);
      if (view != null) {
        long alive = view.runtimes().stream().filter(r -> r.state() == RuntimeState.ALIVE).count();
        long mounted = view.segments().stream().map(s -> s.segment().runtime()).distinct().count();
        if (alive >= stores && mounted >= stores && cluster.hasJoined(view)) {
          return view;
        }
        missing =
            Math.min(alive, mounted) < stores
                ? "there is a leader, but only "
                    + Math.min(alive, mounted)
                    + " of "
                    + stores
                    + " stores have joined"
                : "the leader knows stores of an earlier run, but not all of this one have joined";
      }
      Thread.sleep(POLL_MILLIS);
    }
    throw new FloeException(
        ErrorCode.UNAVAILABLE,
        "the cluster did not become ready in time: " + missing + "; look at the logs of the nodes");
  }

  private static @Nullable ClusterView ask(MetadataApi metadata, Deadline deadline) {
    try {
      ClusterView view = metadata.clusterView(false, deadline.atMost(ASK));
      return view.isLeader() ? view : null;
    } catch (FloeException e) {
      // Not yet: masters are still electing, or not even listening.
      return null;
    }
  }
}
