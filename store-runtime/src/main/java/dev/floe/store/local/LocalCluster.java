package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataApi.ClusterView;
import java.util.List;
import java.util.Map;

/// A cluster on the loopback device.
public interface LocalCluster extends AutoCloseable {
  /// Starts every node; returns when all of them run, not when they have found each other.
  ///
  /// @throws dev.floe.core.error.FloeException what kept a node from starting; `close` stops the
  ///     others
  void start();

  /// Where the masters serve clients.
  List<Endpoint> masters();

  /// The nodes, for people.
  List<Node> nodes();

  /// The nodes that have ended by themselves, each with the reason.
  Map<String, String> ended();

  /// Whether every store of this run has joined: masters may still have records of stores of an
  /// earlier run.
  ///
  /// @param view what the leader knows
  boolean hasJoined(ClusterView view);

  /// Checks that no node has ended by itself.
  ///
  /// @throws FloeException `UNAVAILABLE` naming the first such node and why it ended
  default void checkAlive() {
    for (Map.Entry<String, String> node : ended().entrySet()) {
      throw new FloeException(
          ErrorCode.UNAVAILABLE, "node " + node.getKey() + " ended: " + node.getValue());
    }
  }

  /// Stops every node, stores before masters, and waits for them. Repeating it does nothing.
  @Override
  void close();

  /// A node of the cluster.
  ///
  /// @param place where it runs: a process id with its log file, or this process
  record Node(String name, Endpoint endpoint, String place) {}
}
