package dev.floe.meta.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.Limits;
import dev.floe.core.wire.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;

/// The effective values, read the way Ratis reads them: a misspelt key would show here.
class RatisPropertiesTest {
  private static final RatisOptions OPTIONS =
      new RatisOptions(
          "test",
          "m1",
          Path.of("/data/raft"),
          List.of(new RatisPeer("m1", Endpoint.parse("127.0.0.1:7501"), Endpoint.parse("h:7401"))),
          RatisOptions.Timing.DEFAULT,
          RatisOptions.Storage.DEFAULT);
  private final RaftProperties p = RatisProperties.of(OPTIONS);

  private static long millis(TimeDuration duration) {
    return duration.toLong(TimeUnit.MILLISECONDS);
  }

  @Test
  void readsAreLinearizableWithTheLeadersLeaseAndPreVote() {
    assertThat(RaftServerConfigKeys.Read.option(p))
        .isEqualTo(RaftServerConfigKeys.Read.Option.LINEARIZABLE);
    assertThat(RaftServerConfigKeys.Read.leaderLeaseEnabled(p)).isTrue();
    assertThat(RaftServerConfigKeys.Read.leaderLeaseTimeoutRatio(p)).isEqualTo(0.8);
    assertThat(RaftServerConfigKeys.LeaderElection.preVote(p)).isTrue();
  }

  @Test
  void nothingIsAcknowledgedBeforeItIsOnDisk() {
    assertThat(RaftServerConfigKeys.Log.asyncFlushEnabled(p)).isFalse();
    assertThat(RaftServerConfigKeys.Log.unsafeFlushEnabled(p)).isFalse();
    assertThat(RaftServerConfigKeys.Log.useMemory(p)).isFalse();
    assertThat(RaftServerConfigKeys.Log.corruptionPolicy(p))
        .isEqualTo(RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
  }

  @Test
  void commitsCostNoSecondEntryAndAppendersDoNotWait() {
    assertThat(RaftServerConfigKeys.Log.logMetadataEnabled(p)).isFalse();
    assertThat(millis(RaftServerConfigKeys.Log.Appender.waitTimeMin(p))).isEqualTo(1);
  }

  @Test
  void snapshotsAreBoundedOursAndNotTakenAtStop() {
    assertThat(RaftServerConfigKeys.Snapshot.retentionFileNum(p)).isEqualTo(3);
    assertThat(RaftServerConfigKeys.Snapshot.autoTriggerEnabled(p)).isFalse();
    assertThat(RaftServerConfigKeys.Snapshot.triggerWhenStopEnabled(p)).isFalse();
    assertThat(RaftServerConfigKeys.Log.purgeUptoSnapshotIndex(p)).isTrue();
    assertThat(RaftServerConfigKeys.Log.purgePreservationLogNum(p)).isEqualTo(20_000);
    assertThat(RaftServerConfigKeys.Log.Appender.installSnapshotEnabled(p)).isTrue();
  }

  @Test
  void largestEntryFitsEverywhere() {
    long entry = RaftServerConfigKeys.Log.Appender.bufferByteLimit(p).getSize();
    assertThat(entry).isGreaterThan(8L * Limits.ENTRY_BYTES_MAX);
    assertThat(RaftServerConfigKeys.Log.writeBufferSize(p).getSize()).isGreaterThan(entry + 8);
    assertThat((long) GrpcConfigKeys.messageSizeMax(p, s -> {}).getSizeInt())
        .isGreaterThan(
            Math.max(entry, RaftServerConfigKeys.Log.Appender.snapshotChunkSizeMax(p).getSize()));
  }

  @Test
  void electionsFollowTheOptions() {
    assertThat(millis(RaftServerConfigKeys.Rpc.timeoutMin(p))).isEqualTo(1000);
    assertThat(millis(RaftServerConfigKeys.Rpc.timeoutMax(p))).isEqualTo(2000);
    assertThat(millis(RaftServerConfigKeys.LeaderElection.leaderStepDownWaitTime(p)))
        .isEqualTo(3000);
    assertThat(millis(RaftServerConfigKeys.Rpc.firstElectionTimeoutMin(p))).isEqualTo(1000);
  }

  @Test
  void filesAreWhereTheOptionsSay() {
    assertThat(RaftServerConfigKeys.storageDir(p)).containsExactly(Path.of("/data/raft").toFile());
    assertThat(RaftServerConfigKeys.removedGroupsDir(p).toPath())
        .isEqualTo(Path.of("/data/raft-removed"));
    assertThat(RaftServerConfigKeys.storageFreeSpaceMin(p).getSize()).isEqualTo(1L << 30);
    assertThat(GrpcConfigKeys.Server.port(p, s -> {})).isEqualTo(7501);
    assertThat(GrpcConfigKeys.Server.host(p, s -> {})).isEqualTo("127.0.0.1");
  }

  @Test
  void retryCacheIsBounded() {
    assertThat(millis(RaftServerConfigKeys.RetryCache.expiryTime(p)))
        .isEqualTo(Duration.ofSeconds(60).toMillis());
  }

  @Test
  void groupsOfTwoClustersDiffer() {
    RatisOptions other =
        new RatisOptions(
            "other",
            "m1",
            OPTIONS.directory(),
            OPTIONS.peers(),
            OPTIONS.timing(),
            OPTIONS.storage());
    assertThat(other.groupUuid()).isNotEqualTo(OPTIONS.groupUuid());
  }
}
