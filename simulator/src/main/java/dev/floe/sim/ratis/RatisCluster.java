package dev.floe.sim.ratis;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.ratis.RatisPeer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The masters of one run.
final class RatisCluster {
  private final List<SimMaster> masters = new ArrayList<>();
  private final List<RatisPeer> peers = new ArrayList<>();

  RatisCluster(World world, int count) {
    for (int i = 1; i <= count; i++) {
      masters.add(new SimMaster("m" + i, world));
      peers.add(SimMaster.peer("m" + i));
    }
  }

  List<SimMaster> masters() {
    return masters;
  }

  List<String> names() {
    return masters.stream().map(SimMaster::name).toList();
  }

  /// Where clients reach them.
  List<Endpoint> endpoints() {
    return peers.stream().map(RatisPeer::rpcEndpoint).toList();
  }

  /// Starts every master that is down.
  void startDead() throws InterruptedException {
    for (SimMaster master : masters) {
      if (!master.isAlive()) {
        master.start(peers);
      }
    }
  }

  /// The master that leads and serves by its own view; with two that think so, the first.
  @Nullable SimMaster leaderOrNull() {
    return masters.stream().filter(SimMaster::isLeader).findFirst().orElse(null);
  }

  /// Whether all have applied the same entries; they must have the same digest then.
  boolean isConverged() {
    List<MetaLog.AppliedDigest> digests =
        masters.stream().map(m -> m.node().log().localDigest()).distinct().toList();
    if (digests.size() == 1) {
      return leaderOrNull() != null;
    }
    if (digests.stream().map(MetaLog.AppliedDigest::index).distinct().count() == 1) {
      throw new AssertionError("CONVERGENCE: equal index, different digests: " + digests);
    }
    return false;
  }

  String describe() {
    StringBuilder text = new StringBuilder();
    for (SimMaster master : masters) {
      if (master.isAlive()) {
        text.append(master.name())
            .append(' ')
            .append(master.node().leadership())
            .append(' ')
            .append(master.node().log().localDigest())
            .append('\n');
      }
    }
    return text.toString();
  }
}
