package dev.floe.meta.ratis;

import dev.floe.meta.ratis.storage.SegmentScan;
import java.io.File;
import java.time.Duration;
import java.util.List;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/// Every setting of Ratis that this project makes, in one place.
///
/// The settings that keep data safe are fixed here and not configurable: `log-metadata` off (it
/// doubles the entries), `async-flush` and `unsafe-flush` off (they acknowledge what is not on
/// disk), corruption policy EXCEPTION (the lenient one also swallows damage in the middle of the
/// log; `LogTailRepair` deals with torn tails), linearizable reads with the leader's lease (without
/// it they are not linearizable), pre-vote on (the lease needs it), snapshot retention bounded (its
/// default keeps all). Ratis's own snapshot trigger is off: it asks again after every entry until a
/// snapshot exists, while ours is written in the background; `SnapshotTrigger` decides instead.
public final class RatisProperties {
  private RatisProperties() {}

  /// The properties of one master that talks gRPC.
  public static RaftProperties of(RatisOptions options) {
    return of(options, RaftRpc.GRPC);
  }

  /// The properties of one master.
  public static RaftProperties of(RatisOptions options, RaftRpc rpc) {
    RaftProperties p = new RaftProperties();
    File directory = options.directory().toFile();
    RaftServerConfigKeys.setStorageDir(p, List.of(directory));
    RaftServerConfigKeys.setRemovedGroupsDir(
        p, options.directory().resolveSibling(directory.getName() + "-removed").toFile());
    RaftServerConfigKeys.setStorageFreeSpaceMin(
        p, SizeInBytes.valueOf(options.storage().freeSpaceMinBytes()));
    elections(p, options.timing());
    reads(p, options.timing());
    log(p, options.storage());
    snapshots(p, options.storage());
    p.set("raft.datastream.type", "DISABLED");
    rpc.configure(p, options.self());
    return p;
  }

  private static void elections(RaftProperties p, RatisOptions.Timing timing) {
    TimeDuration min = millis(timing.electionMin());
    TimeDuration max = millis(timing.electionMax());
    RaftServerConfigKeys.Rpc.setTimeoutMin(p, min);
    RaftServerConfigKeys.Rpc.setTimeoutMax(p, max);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, min);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, max);
    RaftServerConfigKeys.Rpc.setRequestTimeout(p, millis(Duration.ofSeconds(3)));
    RaftServerConfigKeys.Rpc.setSlownessTimeout(p, millis(Duration.ofSeconds(60)));
    RaftServerConfigKeys.setSleepDeviationThreshold(p, millis(Duration.ofMillis(300)));
    RaftServerConfigKeys.setCloseThreshold(p, millis(Duration.ofSeconds(60)));
    RaftServerConfigKeys.Notification.setNoLeaderTimeout(p, millis(Duration.ofSeconds(30)));
    RaftServerConfigKeys.LeaderElection.setPreVote(p, true);
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
        p, millis(timing.electionMax().multipliedBy(3).dividedBy(2)));
    RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(p, false);
  }

  private static void reads(RaftProperties p, RatisOptions.Timing timing) {
    RaftServerConfigKeys.Read.setOption(p, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
    RaftServerConfigKeys.Read.setLeaderLeaseEnabled(p, true);
    RaftServerConfigKeys.Read.setLeaderLeaseTimeoutRatio(p, 0.8);
    RaftServerConfigKeys.Read.setTimeout(p, millis(timing.readTimeout()));
    // Retries are made exactly-once by the replicated session table; the cache only has to outlive
    // what Ratis itself repeats.
    RaftServerConfigKeys.RetryCache.setExpiryTime(p, millis(Duration.ofSeconds(60)));
  }

  private static void log(RaftProperties p, RatisOptions.Storage storage) {
    RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(p, false);
    RaftServerConfigKeys.Log.setAsyncFlushEnabled(p, false);
    RaftServerConfigKeys.Log.setForceSyncNum(p, SegmentScan.UNFORCED_RECORDS_MAX);
    RaftServerConfigKeys.Log.setCorruptionPolicy(
        p, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
    RaftServerConfigKeys.Log.setSegmentSizeMax(p, SizeInBytes.valueOf(storage.segmentBytes()));
    RaftServerConfigKeys.Log.setPreallocatedSize(
        p, SizeInBytes.valueOf(Math.min(4L << 20, storage.segmentBytes())));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(p, 2);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(p, SizeInBytes.valueOf("64MB"));
    RaftServerConfigKeys.Log.setWriteBufferSize(p, SizeInBytes.valueOf("8MB"));
    RaftServerConfigKeys.Log.setQueueElementLimit(p, 4096);
    RaftServerConfigKeys.Log.setQueueByteLimit(p, SizeInBytes.valueOf("64MB"));
    RaftServerConfigKeys.Write.setElementLimit(p, 4096);
    RaftServerConfigKeys.Write.setByteLimit(p, SizeInBytes.valueOf("64MB"));
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, true);
    RaftServerConfigKeys.Log.setPurgeGap(p, storage.purgeGapEntries());
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(p, storage.preservedEntries());
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, SizeInBytes.valueOf("4MB"));
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(p, millis(Duration.ofMillis(1)));
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(p, true);
    RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(p, SizeInBytes.valueOf("4MB"));
  }

  private static void snapshots(RaftProperties p, RatisOptions.Storage storage) {
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(p, false);
    RaftServerConfigKeys.Snapshot.setCreationGap(p, 1024);
    RaftServerConfigKeys.Snapshot.setRetentionFileNum(p, storage.retainedSnapshots());
  }

  private static TimeDuration millis(Duration duration) {
    return TimeDuration.valueOf(duration.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
  }
}
