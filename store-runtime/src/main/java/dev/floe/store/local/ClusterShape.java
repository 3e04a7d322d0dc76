package dev.floe.store.local;

import java.nio.file.Path;

/// What a local cluster looks like.
///
/// @param cluster its name
/// @param directory where every node gets its own folder
/// @param ports one set for each master and store
/// @param segmentBytes memory that each store gives
public record ClusterShape(String cluster, Path directory, PortPlan ports, long segmentBytes) {
  /// Masters and stores of one local cluster: more than 9 tell nothing new and fill a laptop.
  public static final int NODES_MAX = 9;

  public int masters() {
    return ports.rpc().size();
  }

  public int stores() {
    return ports.data().size();
  }

  /// `m1`, `m2`, ...
  public String masterName(int index) {
    return "m" + (index + 1);
  }

  /// `s1`, `s2`, ...
  public String storeName(int index) {
    return "s" + (index + 1);
  }

  /// The folder of a node.
  public Path directoryOf(String name) {
    return directory.resolve(name);
  }
}
