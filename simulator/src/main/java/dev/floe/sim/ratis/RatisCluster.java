package dev.floe.sim.ratis;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.sim.explain.Roles;
import dev.floe.sim.member.MemberChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The masters of one run.
final class RatisCluster {
  private final List<SimMaster> masters = new ArrayList<>();
  private final List<RatisPeer> peers = new ArrayList<>();
  private final MemberChange membership;

  RatisCluster(World world, int count) {
    for (int i = 1; i <= count; i++) {
      masters.add(new SimMaster("m" + i, world));
      peers.add(SimMaster.peer("m" + i));
    }
    membership = new MemberChange(world.simulation(), masters);
  }

  List<SimMaster> masters() {
    return masters;
  }

  /// Changes of who the masters are.
  MemberChange membership() {
    return membership;
  }

  List<String> names() {
    return masters.stream().map(SimMaster::name).toList();
  }

  /// Where clients reach them.
  List<Endpoint> endpoints() {
    return peers.stream().map(RatisPeer::rpcEndpoint).toList();
  }

  /// Starts every master that is down and not out.
  void startDead() throws InterruptedException {
    startDead(masters);
  }

  /// The same for some of them.
  void startDead(List<SimMaster> some) throws InterruptedException {
    for (SimMaster master : some) {
      if (!master.isAlive() && !master.isOut()) {
        var _ = master.start(peers);
      }
    }
  }

  /// The masters that run.
  List<SimMaster> alive() {
    return masters.stream().filter(SimMaster::isAlive).toList();
  }

  /// Whether all that run have applied the log up to an index.
  boolean haveApplied(long index, List<SimMaster> some) {
    return some.stream()
        .allMatch(m -> m.isAlive() && m.node().log().localDigest().index() >= index);
  }

  /// Whether some master does not run that is to.
  boolean isIncomplete() {
    return masters.stream().anyMatch(m -> !m.isAlive() && !m.isOut());
  }

  /// The master that leads and serves by its own view; with two that think so, the first.
  @Nullable SimMaster leaderOrNull() {
    return masters.stream().filter(SimMaster::isLeader).findFirst().orElse(null);
  }

  /// Whether all that run have applied the same entries; they must have the same digest then.
  boolean isConverged() {
    List<MetaLog.AppliedDigest> digests =
        alive().stream().map(m -> m.node().log().localDigest()).distinct().toList();
    if (digests.size() == 1) {
      return leaderOrNull() != null;
    }
    if (digests.stream().map(MetaLog.AppliedDigest::index).distinct().count() == 1) {
      throw new AssertionError("CONVERGENCE: equal index, different digests: " + digests);
    }
    return false;
  }

  /// Who leads, follows or is down, by the masters' own view; takes no lock.
  String roles() {
    StringBuilder text = new StringBuilder();
    for (SimMaster master : masters) {
      boolean isAlive = master.isAlive();
      MetaLog.Leadership role = isAlive ? master.node().leadership() : null;
      text.append(Roles.line(master.name(), role, isAlive));
    }
    return text.toString();
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
      master.exits().forEach(exit -> text.append(exit).append('\n'));
    }
    return text.toString();
  }
}
