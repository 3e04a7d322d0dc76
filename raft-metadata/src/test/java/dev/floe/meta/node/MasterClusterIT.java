package dev.floe.meta.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.FrameType;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.codec.RpcMessages;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import dev.floe.meta.state.MetadataView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three masters over loopback: failover, snapshots, catching up, exactly-once.
class MasterClusterIT {
  private static final SnapshotTrigger.Thresholds OFTEN =
      new SnapshotTrigger.Thresholds(200, 1 << 30, Duration.ofHours(1), Duration.ofSeconds(1));

  @TempDir Path root;

  private static Resolution resolve(MetadataClient client, String key, ReadOptions options) {
    return client
        .resolve(TenantId.DEFAULT, List.of(new ObjectKey(key)), options, TestCluster.deadline())
        .getFirst();
  }

  private static void assertReadable(MetadataClient client, Map<String, RouteVersion> expected) {
    List<String> keys = List.copyOf(expected.keySet());
    List<Resolution> found =
        client.resolve(
            TenantId.DEFAULT,
            keys.stream().map(ObjectKey::new).toList(),
            ReadOptions.PEEK,
            TestCluster.deadline());
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i);
      assertThat(found.get(i))
          .as(key)
          .isInstanceOfSatisfying(
              Resolution.Found.class,
              f -> {
                assertThat(f.version()).isEqualTo(expected.get(key));
                assertThat(f.checksum()).isEqualTo(42);
              });
    }
  }

  @Test
  void clientWritesAndReadsWhereverItBegins() {
    try (TestCluster cluster = new TestCluster(root, 3).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      RouteVersion version = TestCluster.put(client, "a/1").version();
      TestCluster.put(client, "a/2");
      assertReadable(client, Map.of("a/1", version));
      assertThat(resolve(client, "a/3", ReadOptions.DEFAULT))
          .isInstanceOfSatisfying(
              Resolution.Missing.class, m -> assertThat(m.code()).isEqualTo(ErrorCode.NOT_FOUND));
      assertThat(
              client.exist(
                  TenantId.DEFAULT,
                  List.of(new ObjectKey("a/1"), new ObjectKey("nope")),
                  ReadOptions.STRICT,
                  TestCluster.deadline()))
          .containsExactly(true, false);
      assertThat(client.list(TenantId.DEFAULT, "a/", "", 1, TestCluster.deadline()))
          .satisfies(
              page -> {
                assertThat(page.entries()).extracting(e -> e.key().value()).containsExactly("a/1");
                assertThat(
                        client
                            .list(
                                TenantId.DEFAULT,
                                "a/",
                                page.nextPageToken(),
                                10,
                                TestCluster.deadline())
                            .entries())
                    .extracting(e -> e.key().value())
                    .containsExactly("a/2");
              });
      ClusterView view = client.clusterView(false, TestCluster.deadline());
      assertThat(view.isLeader()).isTrue();
      assertThat(view.masters()).hasSize(3).filteredOn(ClusterView.Master::isLeader).hasSize(1);
      assertThat(view.totals().objects()).isEqualTo(2);
      assertThat(view.runtimes()).hasSize(1);
      assertThat(cluster.fatal).isEmpty();
    }
  }

  @Test
  void readLeaseHoldsPlainRemovalOffButNotForcedRemoval() {
    try (TestCluster cluster = new TestCluster(root, 1).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      TestCluster.put(client, "read");
      assertThat(resolve(client, "read", ReadOptions.DEFAULT))
          .isInstanceOfSatisfying(
              Resolution.Found.class, f -> assertThat(f.leaseMillis()).isEqualTo(2000));
      ObjectId id = ObjectId.of("read");
      assertThat(client.submit(new MetadataCommand.Remove(id, false), TestCluster.deadline()))
          .isInstanceOfSatisfying(
              MetadataReply.Failed.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.HAS_LEASE));
      assertThat(client.submit(new MetadataCommand.Remove(id, true), TestCluster.deadline()))
          .isEqualTo(MetadataReply.Done.INSTANCE);
      TestCluster.put(client, "unread");
      assertThat(
              client.submit(
                  new MetadataCommand.Remove(ObjectId.of("unread"), false), TestCluster.deadline()))
          .isEqualTo(MetadataReply.Done.INSTANCE);
    }
  }

  /// Three times to live pass in the log between the two commands of one write.
  @Test
  void anIdleClientKeepsItsSessionHoweverShortItsTimeToLive() {
    try (TestCluster cluster =
            new TestCluster(root, 1).withSessionTtl(Duration.ofSeconds(1)).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      ObjectId id = ObjectId.of("slow");
      MetadataReply started =
          client.submit(
              new MetadataCommand.PutStart(id, 1, MetadataCommand.Placement.replicas(1)),
              TestCluster.deadline());
      List<Long> tokens =
          ((MetadataReply.PutStarted) started)
              .targets().stream().map(target -> target.replica().id()).toList();
      MetadataView view = cluster.awaitLeader().log().localView();
      List<SessionId> sessions = view.sessions();
      assertThat(sessions).hasSize(1);
      long begin = view.appliedTimeMillis();
      TestCluster.await("time", () -> view.appliedTimeMillis() > begin + 3_500);

      assertThat(view.sessions()).isEqualTo(sessions);
      assertThat(client.submit(new MetadataCommand.PutEnd(id, tokens, 42), TestCluster.deadline()))
          .isEqualTo(MetadataReply.Done.INSTANCE);
    }
  }

  @Test
  void killingTheLeaderUnderLoadLosesNoAcknowledgedPutAndAppliesNoneTwice() throws Exception {
    try (TestCluster cluster = new TestCluster(root, 3).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      Map<String, RouteVersion> acknowledged = new ConcurrentHashMap<>();
      ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
      AtomicBoolean isOver = new AtomicBoolean();
      try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int w = 0; w < 16; w++) {
          String prefix = "w" + w + "/";
          writers.execute(() -> write(client, prefix, isOver, acknowledged, failures));
        }
        for (int round = 0; round < 3; round++) {
          int before = acknowledged.size();
          TestCluster.await("progress", () -> acknowledged.size() > before + 50);
          String leader = cluster.awaitLeader().node();
          cluster.kill(leader);
          int after = acknowledged.size();
          TestCluster.await(
              "progress under a new leader",
              () -> acknowledged.size() > after + 50 || !failures.isEmpty());
          cluster.start(leader);
        }
        isOver.set(true);
      }
      // A put that was applied twice would have been answered WRITE_IN_PROGRESS or ALREADY_EXISTS.
      assertThat(failures).isEmpty();
      assertReadable(client, acknowledged);
      assertThat(client.clusterView(false, TestCluster.deadline()).totals().objects())
          .isEqualTo(acknowledged.size());
      assertThat(cluster.settledDigests())
          .hasSize(3)
          .satisfies(d -> assertThat(d.stream().distinct()).hasSize(1));
      assertThat(cluster.masters()).allSatisfy(m -> assertThat(m.divergences()).isZero());
      assertThat(cluster.fatal).isEmpty();
    }
  }

  private static void write(
      MetadataClient client,
      String prefix,
      AtomicBoolean isOver,
      Map<String, RouteVersion> acknowledged,
      ConcurrentLinkedQueue<Throwable> failures) {
    try {
      for (int i = 0; !isOver.get(); i++) {
        acknowledged.put(prefix + i, TestCluster.put(client, prefix + i).version());
      }
    } catch (RuntimeException e) {
      failures.add(e);
    }
  }

  @Test
  void mastersKilledAndRestartedInALoopKeepIdenticalStates() {
    try (TestCluster cluster = new TestCluster(root, 3, OFTEN, 100).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      Map<String, RouteVersion> acknowledged = new ConcurrentHashMap<>();
      for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 30; i++) {
          String key = "r" + round + "/" + i;
          acknowledged.put(key, TestCluster.put(client, key).version());
        }
        String victim = round % 2 == 0 ? cluster.awaitLeader().node() : cluster.someFollower();
        cluster.kill(victim);
        String key = "r" + round + "/meanwhile";
        acknowledged.put(key, TestCluster.put(client, key).version());
        cluster.start(victim);
        List<Long> digests = cluster.settledDigests();
        assertThat(digests).as("round %d", round).hasSize(3).containsOnly(digests.get(0));
      }
      cluster.nodes().forEach(cluster::kill);
      cluster.nodes().forEach(cluster::start);
      assertReadable(client, acknowledged);
      assertThat(cluster.fatal).isEmpty();
    }
  }

  @Test
  void restartFromSnapshotKeepsTheState() {
    Map<String, RouteVersion> acknowledged = new ConcurrentHashMap<>();
    try (TestCluster cluster = new TestCluster(root, 1, OFTEN, 0).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      for (int i = 0; i < 400; i++) {
        acknowledged.put("k" + i, TestCluster.put(client, "k" + i).version());
      }
      TestCluster.await("a snapshot", () -> cluster.master("m1").log().snapshotIndex() > 0);
      TestCluster.await("a purge", () -> cluster.master("m1").log().logStartIndex() > 0);
      cluster.stop("m1");
      cluster.start("m1");
      cluster.awaitLeader();
      assertThat(cluster.master("m1").log().logStartIndex()).isPositive();
      assertReadable(client, acknowledged);
      TestCluster.put(client, "afterwards");
      assertThat(cluster.fatal).isEmpty();
    }
  }

  @Test
  void followerThatMissedWhatWasPurgedCatchesUpBySnapshot() {
    try (TestCluster cluster = new TestCluster(root, 3, OFTEN, 0).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      TestCluster.put(client, "first");
      String follower = cluster.someFollower();
      long seen = cluster.master(follower).log().localDigest().index();
      cluster.kill(follower);
      for (int i = 0; i < 600; i++) {
        TestCluster.put(client, "k" + i);
      }
      TestCluster.await(
          "purges on both",
          () -> cluster.masters().stream().allMatch(m -> m.log().logStartIndex() > seen + 10));
      cluster.start(follower);
      List<Long> digests = cluster.settledDigests();
      assertThat(digests).hasSize(3).containsOnly(digests.get(0));
      assertThat(cluster.master(follower).log().snapshotIndex()).isGreaterThan(seen);
      TestCluster.put(client, "afterwards");
      assertThat(cluster.fatal).isEmpty();
    }
  }

  @Test
  void emptyFollowerOfAnIdleClusterCatchesUp() {
    try (TestCluster cluster = new TestCluster(root, 3, OFTEN, 0).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      for (int i = 0; i < 300; i++) {
        TestCluster.put(client, "k" + i);
      }
      String follower = cluster.someFollower();
      TestCluster.await(
          "purges", () -> cluster.masters().stream().allMatch(m -> m.log().logStartIndex() > 10));
      cluster.stop(follower);
      cluster.wipe(follower);
      cluster.start(follower);
      List<Long> digests = cluster.settledDigests();
      assertThat(digests).hasSize(3).containsOnly(digests.get(0));
      assertThat(cluster.fatal).isEmpty();
    }
  }

  @Test
  void retryAfterFailoverToAMasterMadeFromASnapshotIsAnsweredNotRepeated() {
    try (TestCluster cluster = new TestCluster(root, 3, OFTEN, 0).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      MetadataReply opened =
          client.submit(
              new MetadataCommand.OpenSession(new SessionId(1, 2)), TestCluster.deadline());
      SessionId session = ((MetadataReply.SessionOpened) opened).session();
      CommandBatch put =
          new CommandBatch(
              0,
              List.of(
                  new SessionCommand(
                      session,
                      1,
                      1,
                      new MetadataCommand.PutStart(
                          ObjectId.of("once"), 1, MetadataCommand.Placement.replicas(1)))));
      MetadataReply first = submitToLeader(cluster, put).getFirst();
      assertThat(first).isInstanceOf(MetadataReply.PutStarted.class);
      String follower = cluster.someFollower();
      long seen = cluster.master(follower).log().localDigest().index();
      cluster.stop(follower);
      cluster.wipe(follower);
      for (int i = 0; i < 600; i++) {
        TestCluster.put(client, "k" + i);
      }
      TestCluster.await(
          "purges", () -> cluster.masters().stream().allMatch(m -> m.log().logStartIndex() > seen));
      cluster.start(follower);
      cluster.settledDigests();
      for (int i = 0; !cluster.awaitLeader().node().equals(follower) && i < 20; i++) {
        String leader = cluster.awaitLeader().node();
        cluster.kill(leader);
        cluster.awaitLeader();
        cluster.start(leader);
        cluster.settledDigests();
      }
      assertThat(cluster.awaitLeader().node()).isEqualTo(follower);
      assertThat(submitToLeader(cluster, put)).containsExactly(first);
    }
  }

  private static List<MetadataReply> submitToLeader(TestCluster cluster, CommandBatch batch) {
    ByteString header =
        cluster
            .call(
                cluster.awaitLeader().endpoint(),
                Connection.Call.of(
                    FrameType.META_SUBMIT,
                    RpcMessages.submitRequest(batch),
                    TestCluster.deadline()))
            .header();
    return RpcMessages.replies(header, batch.commands().size());
  }

  @Test
  void followerRedirectsToTheLeader() {
    try (TestCluster cluster = new TestCluster(root, 3).startAll()) {
      MasterNode leader = cluster.awaitLeader();
      String follower = cluster.someFollower();
      TestCluster.await(
          "the follower knows the leader",
          () -> leader.node().equals(cluster.master(follower).leadership().leaderNode()));
      ByteString lookup =
          RpcMessages.lookupRequest(
              new RpcMessages.Lookup(
                  TenantId.DEFAULT, List.of(new ObjectKey("k")), ReadOptions.DEFAULT));
      for (int type : List.of(FrameType.META_RESOLVE, FrameType.META_EXIST)) {
        assertThatThrownBy(
                () ->
                    cluster.call(
                        cluster.endpoint(follower),
                        Connection.Call.of(type, lookup, TestCluster.deadline())))
            .isInstanceOfSatisfying(
                FloeException.class,
                e -> {
                  assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER);
                  assertThat(e.context()).containsEntry("leader", leader.endpoint().toString());
                });
      }
      RpcMessages.LeaderLocation location =
          RpcMessages.leaderLocation(
              cluster
                  .call(
                      cluster.endpoint(follower),
                      Connection.Call.of(
                          FrameType.META_LOCATE_LEADER,
                          RpcMessages.locateLeaderRequest(),
                          TestCluster.deadline()))
                  .header());
      assertThat(location.isLeader()).isFalse();
      assertThat(location.leaderEndpoint()).isEqualTo(leader.endpoint().toString());
    }
  }

  @Test
  void strictReadWaitsForAnEntryOfItsOwn() {
    try (TestCluster cluster = new TestCluster(root, 1).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      // Ticks come every 100 ms; a strict read adds an entry each, a plain one none.
      long before = cluster.master("m1").log().localDigest().index();
      long began = System.nanoTime();
      for (int i = 0; i < 200; i++) {
        resolve(client, "k", ReadOptions.STRICT);
      }
      long ticks = (System.nanoTime() - began) / 100_000_000 + 2;
      assertThat(cluster.master("m1").log().localDigest().index())
          .isGreaterThanOrEqualTo(before + 200)
          .isLessThan(before + 210 + 2 * ticks);
    }
  }

  @Test
  void tenThousandInvalidRequestsChangeNoLeader() throws Exception {
    try (TestCluster cluster = new TestCluster(root, 3).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      MasterNode leader = cluster.awaitLeader();
      long term = leader.leadership().term();
      List<ByteString> invalid = new ArrayList<>();
      invalid.add(ByteString.copyFromUtf8("not a request"));
      invalid.add(
          RpcMessages.submitRequest(
              new CommandBatch(
                  0, List.of(SessionCommand.unguarded(new MetadataCommand.Tick(0, 0))))));
      invalid.add(
          RpcMessages.submitRequest(
              new CommandBatch(
                  0,
                  List.of(
                      SessionCommand.unguarded(
                          new MetadataCommand.Remove(ObjectId.of("k"), true))))));
      invalid.add(
          RpcMessages.submitRequest(
              new CommandBatch(
                  0,
                  List.of(
                      new SessionCommand(
                          new SessionId(9, 9),
                          1,
                          1,
                          new MetadataCommand.PutStart(
                              ObjectId.of("k"), -1, MetadataCommand.Placement.replicas(1)))))));
      try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int t = 0; t < 8; t++) {
          callers.execute(
              () -> {
                for (int i = 0; i < 1250; i++) {
                  expectRefusal(cluster, leader, invalid.get(i % invalid.size()));
                }
              });
        }
      }
      assertThat(leader.leadership().isLeaderReady()).isTrue();
      assertThat(leader.leadership().term()).isEqualTo(term);
      TestCluster.put(client, "fine");
      assertThat(cluster.fatal).isEmpty();
    }
  }

  private static void expectRefusal(TestCluster cluster, MasterNode leader, ByteString header) {
    try {
      ByteString reply =
          cluster
              .call(
                  leader.endpoint(),
                  Connection.Call.of(FrameType.META_SUBMIT, header, TestCluster.deadline()))
              .header();
      if (!(RpcMessages.replies(reply, 1).getFirst() instanceof MetadataReply.Failed)) {
        throw new AssertionError("an invalid request was executed");
      }
    } catch (FloeException e) {
      if (e.code() != ErrorCode.INVALID_ARGUMENT && e.code() != ErrorCode.PROTOCOL_VIOLATION) {
        throw e;
      }
    }
  }

  /// A change of leader begins a new log segment and whole segments are purged, so the log of a
  /// leader that died ends right before the first entry that the others still have.
  @Test
  void deadLeaderCatchesUpWhenTheLogBeginsRightAfterItsEnd() {
    try (TestCluster cluster = new TestCluster(root, 3, OFTEN, 0).startAll();
        MetadataClient client = cluster.client()) {
      TestCluster.mountSpace(client);
      for (int i = 0; i < 20; i++) {
        TestCluster.put(client, "before/" + i);
      }
      String dead = cluster.awaitLeader().node();
      cluster.settledDigests();
      cluster.kill(dead);
      cluster.awaitLeader();
      TestCluster.put(client, "after");
      for (MasterNode master : cluster.masters()) {
        master.log().requestSnapshot();
      }
      TestCluster.await(
          "a purged log on both",
          () -> cluster.masters().stream().allMatch(m -> m.log().logStartIndex() > 0));
      cluster.start(dead);
      assertThat(cluster.settledDigests().stream().distinct()).hasSize(1);
      assertThat(cluster.fatal).isEmpty();
    }
  }
}
