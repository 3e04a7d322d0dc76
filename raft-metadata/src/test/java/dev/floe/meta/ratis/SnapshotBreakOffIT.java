package dev.floe.meta.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.ratis.storage.FloeStateFormat;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import dev.floe.meta.state.DigestMismatchListener;
import dev.floe.meta.state.MetadataView;
import dev.floe.meta.state.StateConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.ratis.proto.RaftProtos.FileChunkProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto.SnapshotChunkProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A leader begins to send a snapshot and never goes on.
class SnapshotBreakOffIT {
  @TempDir Path root;
  private final ConcurrentLinkedQueue<String> fatal = new ConcurrentLinkedQueue<>();
  private final Map<String, RatisMetaLog> logs = new TreeMap<>();
  private final List<RatisPeer> peers = new ArrayList<>();
  private final List<SessionId> acknowledged = new ArrayList<>();

  @AfterEach
  void close() {
    logs.values().forEach(RatisMetaLog::close);
  }

  private static Endpoint freeEndpoint() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new Endpoint("127.0.0.1", socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RatisOptions options(String node) {
    return new RatisOptions(
        "test",
        node,
        root.resolve(node),
        peers,
        new RatisOptions.Timing(
            Duration.ofMillis(500), Duration.ofMillis(1000), Duration.ofSeconds(3)),
        new RatisOptions.Storage(
            new SnapshotTrigger.Thresholds(
                1_000_000, 1L << 40, Duration.ofDays(1), Duration.ofSeconds(1)),
            3,
            16 * 1024,
            0,
            1,
            1 << 20));
  }

  private RatisMetaLog open(String node) {
    RatisMetaLog log =
        RatisMetaLog.open(
            options(node),
            new FloeStateFormat(StateConfig.DEFAULT, DigestMismatchListener.NONE),
            Ticker.system(),
            (what, cause) -> fatal.add(node + ": " + what + cause));
    logs.put(node, log);
    return log;
  }

  private static void await(String what, BooleanSupplier condition) {
    Deadline deadline = Deadline.after(Ticker.system(), Duration.ofSeconds(40));
    while (!condition.getAsBoolean()) {
      assertThat(deadline.isExpired()).as("waited in vain for " + what).isFalse();
      LockSupport.parkNanos(10_000_000);
    }
  }

  private RatisMetaLog leader() {
    await("a leader", () -> logs.values().stream().anyMatch(l -> l.leadership().isLeaderReady()));
    return logs.values().stream()
        .filter(l -> l.leadership().isLeaderReady())
        .findFirst()
        .orElseGet(this::leader);
  }

  private static MetadataReply apply(RatisMetaLog log, MetadataCommand command) {
    CompletableFuture<List<MetadataReply>> replies = new CompletableFuture<>();
    log.propose(
        new CommandBatch(1, List.of(SessionCommand.unguarded(command))),
        new MetaLog.ProposalListener() {
          @Override
          public void applied(long index, List<MetadataReply> result) {
            replies.complete(result);
          }

          @Override
          public void failed(FloeException error) {
            replies.completeExceptionally(error);
          }
        });
    return replies.join().getFirst();
  }

  /// At whoever leads: on a busy machine the lead may go to another one at any time.
  private void openSessions(int count) {
    Deadline deadline = soon();
    int wanted = acknowledged.size() + count;
    while (acknowledged.size() < wanted) {
      assertThat(deadline.isExpired()).as("waited in vain for " + wanted + " sessions").isFalse();
      try {
        if (apply(leader(), new MetadataCommand.OpenSession(new SessionId(1, 1)))
            instanceof MetadataReply.SessionOpened opened) {
          acknowledged.add(opened.session());
        }
      } catch (CompletionException e) {
        assertThat(e).hasCauseInstanceOf(FloeException.class);
      }
    }
  }

  private void awaitSessions(Collection<RatisMetaLog> of) {
    await(
        acknowledged.size() + " sessions",
        () -> of.stream().allMatch(log -> log.localView().sessions().containsAll(acknowledged)));
  }

  @Test
  void aFollowerGoesOnAndCanLeadAndTakesAWholeSnapshotLater() throws IOException {
    for (int i = 1; i <= 3; i++) {
      peers.add(new RatisPeer("m" + i, freeEndpoint(), freeEndpoint()));
    }
    peers.forEach(peer -> open(peer.node()));
    openSessions(20);
    awaitSessions(logs.values());

    // Both, so that whichever leads next is one whose snapshot was broken off.
    RatisMetaLog first = breakOffAtAllFollowers();
    openSessions(10);
    awaitSessions(logs.values());

    String gone = nodeOf(first);
    first.close();
    logs.remove(gone);
    openSessions(5);
    assertThat(leader().<List<SessionId>>read(MetadataView::sessions, soon()))
        .containsAll(acknowledged);

    awaitSessions(List.of(open(gone)));
    // One of the two whose snapshots were broken off.
    RatisMetaLog behind =
        logs.values().stream().filter(log -> !nodeOf(log).equals(gone)).findFirst().orElseThrow();
    String late = nodeOf(behind);
    behind.close();
    logs.remove(late);
    openSessions(1);
    long begin = leader().localDigest().index();
    openSessions(300);
    awaitSessions(logs.values());
    for (RatisMetaLog log : logs.values()) {
      log.requestSnapshot();
    }
    openSessions(1);
    await("snapshots", () -> logs.values().stream().allMatch(l -> l.snapshotIndex() > begin));
    openSessions(1);
    await("purges", () -> logs.values().stream().allMatch(l -> l.logStartIndex() > begin));
    RatisMetaLog back = open(late);
    awaitSessions(List.of(back));
    assertThat(back.snapshotIndex()).as("a whole snapshot was taken").isGreaterThan(begin);
    assertThat(fatal).isEmpty();
  }

  /// Lets a leader send the first chunk of a snapshot to all others, and nothing more.
  ///
  /// @return the leader
  private RatisMetaLog breakOffAtAllFollowers() throws IOException {
    Deadline deadline = soon();
    for (int attempt = 0; !deadline.isExpired(); attempt++) {
      RatisMetaLog from = leader();
      boolean isTaken = true;
      for (RatisMetaLog to : logs.values()) {
        isTaken &= to == from || takesFirstChunk(from, to, "broken-off-" + attempt);
      }
      if (isTaken) {
        return from;
      }
    }
    throw new AssertionError("no leader could send a chunk to both others");
  }

  private boolean takesFirstChunk(RatisMetaLog from, RatisMetaLog to, String request)
      throws IOException {
    InstallSnapshotReplyProto reply = to.server().installSnapshot(firstChunk(from, to, request));
    if (reply.getResult() != InstallSnapshotResult.SUCCESS) {
      return false;
    }
    assertThat(isPaused(to) || to.leadership().isLeaderReady())
        .as("paused until it leads")
        .isTrue();
    return true;
  }

  private String nodeOf(RatisMetaLog log) {
    return logs.entrySet().stream()
        .filter(e -> e.getValue() == log)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(40));
  }

  private RaftServer.Division division(RatisMetaLog log) throws IOException {
    RaftGroupId group = RaftGroupId.valueOf(options("m1").groupUuid());
    return log.server().getDivision(group);
  }

  private boolean isPaused(RatisMetaLog log) throws IOException {
    return division(log).getStateMachine().getLifeCycleState() == LifeCycle.State.PAUSED;
  }

  /// As a leader sends it: the file is longer than this chunk.
  private InstallSnapshotRequestProto firstChunk(
      RatisMetaLog leader, RatisMetaLog to, String request) throws IOException {
    RaftServer.Division division = division(leader);
    long term = division.getInfo().getCurrentTerm();
    TermIndexProto at = TermIndexProto.newBuilder().setTerm(term).setIndex(1_000_000).build();
    FileChunkProto chunk =
        FileChunkProto.newBuilder()
            .setFilename("sm/snapshot." + term + "_1000000")
            .setTotalSize(1 << 20)
            .setFileDigest(ByteString.copyFrom(new byte[16]))
            .setChunkIndex(0)
            .setOffset(0)
            .setData(ByteString.copyFrom(new byte[4096]))
            .setDone(false)
            .build();
    return InstallSnapshotRequestProto.newBuilder()
        .setServerRequest(
            RaftRpcRequestProto.newBuilder()
                .setRequestorId(leader.server().getId().toByteString())
                .setReplyId(to.server().getId().toByteString())
                .setRaftGroupId(
                    RaftGroupIdProto.newBuilder()
                        .setId(division.getMemberId().getGroupId().toByteString()))
                .setCallId(1))
        .setLeaderTerm(term)
        .setLastRaftConfigurationLogEntryProto(
            LogEntryProto.newBuilder()
                .setConfigurationEntry(
                    RaftConfigurationProto.newBuilder()
                        .addAllPeers(
                            division.getRaftConf().getAllPeers().stream()
                                .map(RaftPeer::getRaftPeerProto)
                                .toList())))
        .setSnapshotChunk(
            SnapshotChunkProto.newBuilder()
                .setRequestId(request)
                .setRequestIndex(0)
                .setTermIndex(at)
                .addFileChunks(chunk)
                .setTotalSize(1 << 20)
                .setDone(false))
        .build();
  }
}
