package dev.floe.store.config;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.leader.EvictionOptions;
import dev.floe.meta.leader.LeaderOptions;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The settings of a master, and how they become its options.
public final class MasterConfig {
  private static final MasterOptions.Behaviour BEHAVIOUR = MasterOptions.Behaviour.DEFAULT;
  private static final RatisOptions.Storage STORAGE = BEHAVIOUR.storage();
  private static final LeaderOptions.Leases LEASES = BEHAVIOUR.leader().leases();

  private static final Setting<String> CLUSTER =
      new Setting<>(
          "cluster", SettingType.text(), "floe", "Name of the cluster, the same on every node");
  private static final Setting<String> NODE =
      new Setting<>("node", SettingType.text(), null, "Stable id of this master, one of 'masters'");
  private static final Setting<Path> DATA_DIR =
      new Setting<>("data-dir", SettingType.path(), null, "Folder of this master alone");
  private static final Setting<List<RatisPeer>> MASTERS =
      new Setting<>(
          "masters",
          SettingType.listOf(
              SettingType.custom("NODE=HOST:PORT/RAFT-PORT", MasterConfig::readPeer)),
          null,
          "All masters, the same list on every master: id, address for clients, port for Raft");
  private static final Setting<Duration> ELECTION_MIN =
      duration(
          "election.timeout-min",
          BEHAVIOUR.timing().electionMin(),
          "Shortest silence of the leader after which a follower stands for election");
  private static final Setting<Duration> ELECTION_MAX =
      duration(
          "election.timeout-max",
          BEHAVIOUR.timing().electionMax(),
          "Longest such silence; each is drawn between the two");
  private static final Setting<Duration> RUNTIME_TTL =
      duration(
          "lease.store-ttl", LEASES.runtimeTtl(), "Silence after which a store gets no new data");
  private static final Setting<Duration> RUNTIME_GRACE =
      duration(
          "lease.store-grace",
          LEASES.runtimeGrace(),
          "Further silence after which a store's replicas are given up");
  private static final Setting<Duration> SESSION_TTL =
      duration(
          "lease.session-ttl", LEASES.sessionTtl(), "Silence after which a client's session ends");
  private static final Setting<Duration> READ_TTL =
      duration("lease.read-ttl", LEASES.readTtl(), "How long a look-up protects an object");
  private static final Setting<Integer> EVICTION_ABOVE =
      new Setting<>(
          "eviction.above",
          SettingType.integer(1, 100),
          "90",
          "Percent of all memory in use above which the oldest objects are evicted");
  private static final Setting<Integer> EVICTION_FREES =
      new Setting<>(
          "eviction.frees",
          SettingType.integer(0, 100),
          "5",
          "Percent of all memory that eviction frees below that; 0 never evicts");
  private static final Setting<Integer> SNAPSHOT_ENTRIES =
      new Setting<>(
          "snapshot.entries",
          SettingType.integer(1, 100_000_000),
          Long.toString(STORAGE.snapshot().entries()),
          "Log entries after which a snapshot is taken");
  private static final Setting<Long> SNAPSHOT_LOG_SIZE =
      new Setting<>(
          "snapshot.log-size",
          SettingType.size(64L << 10, 1L << 40),
          ByteSize.exact(STORAGE.snapshot().logBytes()),
          "Bytes of log after which a snapshot is taken");
  private static final Setting<Duration> SNAPSHOT_AGE =
      duration(
          "snapshot.age",
          STORAGE.snapshot().age(),
          "Time after which a snapshot is taken if anything changed");
  private static final Setting<Long> FREE_SPACE_MIN =
      new Setting<>(
          "free-space-min",
          SettingType.size(0, 1L << 44),
          ByteSize.exact(STORAGE.freeSpaceMinBytes()),
          "Free space of data-dir below which the master does not start");

  /// What a master can be told.
  public static final Schema SCHEMA =
      new Schema(
          "master",
          "FLOE_MASTER_",
          true,
          List.of(
              CLUSTER,
              NODE,
              DATA_DIR,
              MASTERS,
              ELECTION_MIN,
              ELECTION_MAX,
              RUNTIME_TTL,
              RUNTIME_GRACE,
              SESSION_TTL,
              READ_TTL,
              EVICTION_ABOVE,
              EVICTION_FREES,
              SNAPSHOT_ENTRIES,
              SNAPSHOT_LOG_SIZE,
              SNAPSHOT_AGE,
              FREE_SPACE_MIN));

  private MasterConfig() {}

  private static Setting<Duration> duration(String key, Duration value, String description) {
    return new Setting<>(
        key,
        SettingType.duration(Duration.ofMillis(100), Duration.ofDays(7)),
        DurationText.exact(value),
        description);
  }

  /// The options that the settings describe.
  ///
  /// @throws FloeException `INVALID_CONFIG` when one is missing or two contradict each other
  public static MasterOptions options(Settings settings) {
    String node = settings.get(NODE);
    List<RatisPeer> peers = settings.get(MASTERS);
    if (peers.stream().noneMatch(peer -> peer.node().equals(node))) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "'node' is '"
              + node
              + "', which is not one of 'masters' ("
              + String.join(", ", peers.stream().map(RatisPeer::node).toList())
              + ")");
    }
    return new MasterOptions(
        settings.get(CLUSTER), node, settings.get(DATA_DIR), peers, behaviour(settings));
  }

  private static MasterOptions.Behaviour behaviour(Settings settings) {
    SnapshotTrigger.Thresholds snapshot =
        new SnapshotTrigger.Thresholds(
            settings.get(SNAPSHOT_ENTRIES),
            settings.get(SNAPSHOT_LOG_SIZE),
            settings.get(SNAPSHOT_AGE),
            STORAGE.snapshot().retryPause());
    return new MasterOptions.Behaviour(
        new RatisOptions.Timing(
            settings.get(ELECTION_MIN),
            settings.get(ELECTION_MAX),
            BEHAVIOUR.timing().readTimeout()),
        new RatisOptions.Storage(
            snapshot,
            STORAGE.retainedSnapshots(),
            STORAGE.segmentBytes(),
            STORAGE.preservedEntries(),
            STORAGE.purgeGapEntries(),
            settings.get(FREE_SPACE_MIN)),
        new LeaderOptions(
            new LeaderOptions.Leases(
                settings.get(RUNTIME_TTL),
                settings.get(RUNTIME_GRACE),
                settings.get(SESSION_TTL),
                settings.get(READ_TTL)),
            BEHAVIOUR.leader().tickInterval(),
            BEHAVIOUR.leader().entriesInFlight(),
            new EvictionOptions(
                settings.get(EVICTION_ABOVE) / 100.0, settings.get(EVICTION_FREES) / 100.0)),
        // What decides in apply may not differ from one master to the next: it is no setting.
        BEHAVIOUR.state());
  }

  /// Reads `NODE=HOST:PORT/RAFT-PORT`.
  static RatisPeer readPeer(String text) {
    int equals = text.indexOf('=');
    int slash = text.lastIndexOf('/');
    if (equals <= 0 || slash < equals) {
      throw new IllegalArgumentException(
          "is not NODE=HOST:PORT/RAFT-PORT, e.g. m1=10.0.0.1:7401/7501");
    }
    Endpoint rpc = SettingType.readEndpoint(text.substring(equals + 1, slash));
    try {
      int raftPort = Integer.parseInt(text.substring(slash + 1).strip());
      if (raftPort == rpc.port()) {
        throw new IllegalArgumentException("has the same port for clients and for Raft");
      }
      return new RatisPeer(
          text.substring(0, equals).strip(), new Endpoint(rpc.host(), raftPort), rpc);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("has a Raft port that is no number", e);
    } catch (FloeException e) {
      throw new IllegalArgumentException("is not usable: " + e.getMessage(), e);
    }
  }

  /// How the settings write a master.
  public static String peerText(RatisPeer peer) {
    return peer.node() + "=" + peer.rpcEndpoint() + "/" + peer.raftEndpoint().port();
  }
}
