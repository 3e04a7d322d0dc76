package dev.floe.meta.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// How a master takes part in its Raft group.
///
/// @param cluster the cluster's name; the group id is derived from it, so masters of two clusters
///     never mix
/// @param node this master's id; one of the peers
/// @param directory where log and snapshots live; nobody else may use it
/// @param group the other masters
public record RatisOptions(
    String cluster, String node, Path directory, Group group, Timing timing, Storage storage) {
  /// A master that founds the group together with its peers.
  public RatisOptions(
      String cluster,
      String node,
      Path directory,
      List<RatisPeer> peers,
      Timing timing,
      Storage storage) {
    this(cluster, node, directory, new Group(peers, false), timing, storage);
  }

  public RatisOptions {
    Set<String> nodes = new HashSet<>();
    for (RatisPeer peer : group.peers()) {
      if (!nodes.add(peer.node())) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG, "master id " + peer.node() + " is configured twice");
      }
    }
    if (!nodes.contains(node)) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "master id " + node + " is not among the configured masters " + nodes);
    }
    if (cluster.isBlank()) {
      throw new FloeException(ErrorCode.INVALID_CONFIG, "the cluster's name is empty");
    }
  }

  /// The masters that are configured, this one included.
  public List<RatisPeer> peers() {
    return group.peers();
  }

  /// This master's entry among the peers.
  public RatisPeer self() {
    return peers().stream().filter(p -> p.node().equals(node)).findFirst().orElseThrow();
  }

  /// The Raft group of the cluster's metadata: a name-based UUID of the cluster's name.
  public UUID groupUuid() {
    return UUID.nameUUIDFromBytes(("floe/meta/" + cluster).getBytes(StandardCharsets.UTF_8));
  }

  /// The folder that Ratis makes for the group.
  public Path groupDirectory() {
    return directory.resolve(groupUuid().toString());
  }

  /// Who the masters are.
  ///
  /// @param peers this one included. Where there is no log yet it is the same list on every master
  ///     that founds the group; later the log knows better, and this list says only where clients
  ///     reach the masters
  /// @param isJoining with an empty folder this master founds nothing, knows no members and votes for
  ///     nobody who does not ask it: it waits to be added
  public record Group(List<RatisPeer> peers, boolean isJoining) {
    public Group {
      peers = List.copyOf(peers);
    }
  }

  /// Timeouts.
  ///
  /// @param electionMin shortest silence of the leader after which a follower stands for election
  /// @param electionMax longest; a random value between the two is drawn each time
  /// @param readTimeout how long a read waits for the state to catch up
  public record Timing(Duration electionMin, Duration electionMax, Duration readTimeout) {
    /// For masters in one network: a new leader within about 4 s.
    public static final Timing DEFAULT =
        new Timing(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3));

    public Timing {
      if (electionMin.compareTo(Duration.ofMillis(100)) < 0
          || electionMax.compareTo(electionMin) <= 0) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            "election timeouts "
                + electionMin.toMillis()
                + ".."
                + electionMax.toMillis()
                + " ms: the lower must be at least 100 and the upper larger");
      }
    }
  }

  /// What is kept on disk and for how long.
  ///
  /// @param segmentBytes size of a log segment; whole segments are purged
  /// @param preservedEntries entries kept below a snapshot, so that a follower a little behind
  ///     needs no snapshot
  /// @param purgeGapEntries fewest entries to purge at a time
  /// @param freeSpaceMinBytes refuse to start with less free space
  public record Storage(
      SnapshotTrigger.Thresholds snapshot,
      int retainedSnapshots,
      long segmentBytes,
      long preservedEntries,
      int purgeGapEntries,
      long freeSpaceMinBytes) {
    public static final Storage DEFAULT =
        new Storage(SnapshotTrigger.Thresholds.DEFAULT, 3, 32L << 20, 20_000, 1024, 1024L << 20);
  }
}
