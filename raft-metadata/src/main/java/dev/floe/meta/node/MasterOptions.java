package dev.floe.meta.node;

import dev.floe.meta.leader.LeaderOptions;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.meta.state.StateConfig;
import java.nio.file.Path;
import java.util.List;

/// What one master needs to start.
///
/// @param cluster the cluster's name, the same on every node of it
/// @param node this master's stable id; one of the peers
/// @param directory this master's own folder
/// @param group all masters, this one included, the same list on every master that founds the cluster
/// @param behaviour timeouts and bounds; the same on every master
public record MasterOptions(
    String cluster, String node, Path directory, RatisOptions.Group group, Behaviour behaviour) {
  /// A master that founds the cluster together with its peers.
  public MasterOptions(
      String cluster, String node, Path directory, List<RatisPeer> peers, Behaviour behaviour) {
    this(cluster, node, directory, new RatisOptions.Group(peers, false), behaviour);
  }

  /// The masters that are configured, this one included.
  public List<RatisPeer> peers() {
    return group.peers();
  }

  /// Where this master listens.
  ///
  /// @throws dev.floe.core.error.FloeException `INVALID_CONFIG` when it is not one of the peers
  public RatisPeer self() {
    return ratis().self();
  }

  /// The Raft part of these options.
  RatisOptions ratis() {
    return new RatisOptions(
        cluster, node, directory.resolve("raft"), group, behaviour.timing(), behaviour.storage());
  }

  /// How a master behaves.
  public record Behaviour(
      RatisOptions.Timing timing,
      RatisOptions.Storage storage,
      LeaderOptions leader,
      StateConfig state) {
    public static final Behaviour DEFAULT =
        new Behaviour(
            RatisOptions.Timing.DEFAULT,
            RatisOptions.Storage.DEFAULT,
            LeaderOptions.DEFAULT,
            StateConfig.DEFAULT);
  }
}
