package dev.floe.meta.ratis.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexReplyProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.server.protocol.RaftServerProtocol;
import org.junit.jupiter.api.Test;

final class FollowerGateTest {
  private static final AppendEntriesRequestProto HEARTBEAT =
      AppendEntriesRequestProto.getDefaultInstance();
  private static final AppendEntriesRequestProto ENTRIES =
      HEARTBEAT.toBuilder().addEntries(LogEntryProto.newBuilder().setIndex(7)).build();

  private static final AppendEntriesRequestProto NEXT_ENTRIES =
      HEARTBEAT.toBuilder().addEntries(LogEntryProto.newBuilder().setIndex(8)).build();

  private final FakeServer server = new FakeServer();
  private final FollowerGate gate =
      new FollowerGate(server, server, group -> server.look(), Duration.ofMillis(20));

  @Test
  void takesNoSnapshotWhileEntriesAreBeingAppended() throws IOException {
    CompletableFuture<AppendEntriesReplyProto> appended = gate.append(ENTRIES);
    assertThatThrownBy(() -> gate.install(lastPieceAt(100)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("1 appends are under way");
    assertThat(server.installs).isZero();

    server.appended.complete(AppendEntriesReplyProto.getDefaultInstance());
    assertThat(appended).isCompleted();
    assertThat(gate.install(lastPieceAt(100)).getResult()).isEqualTo(InstallSnapshotResult.SUCCESS);
  }

  @Test
  void appendsAnEntryOnlyWhenNoAppendOfTheSameIsUnderWay() throws IOException {
    var _ = gate.append(entries(203, 203));
    CompletableFuture<AppendEntriesReplyProto> both = gate.append(entries(203, 204));
    assertThat(server.appends).isOne();
    assertThat(both).isNotDone();

    server.appended.complete(AppendEntriesReplyProto.getDefaultInstance());
    assertThat(server.appends).isEqualTo(2);
    assertThat(both).isCompleted();
  }

  @Test
  void appendsEntriesThatFollowOneAnotherWithoutWaiting() throws IOException {
    var _ = gate.append(entries(203, 203));
    var _ = gate.append(entries(204, 205));
    assertThat(server.appends).isEqualTo(2);
  }

  @Test
  void handsAppendsOverOneAfterTheOther() throws Exception {
    CountDownLatch isInside = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    server.onAppend =
        () -> {
          isInside.countDown();
          try {
            mayGoOn.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    FollowerGate patient =
        new FollowerGate(server, server, group -> server.look(), Duration.ofMinutes(1));
    Thread first = Thread.startVirtualThread(() -> appendQuietly(patient, ENTRIES));
    isInside.await();
    server.onAppend = () -> {};
    Thread second = Thread.ofPlatform().start(() -> appendQuietly(patient, NEXT_ENTRIES));

    while (second.getState() != Thread.State.TIMED_WAITING && second.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(server.appends).isOne();
    mayGoOn.countDown();
    first.join();
    second.join();
    assertThat(server.appends).isEqualTo(2);
  }

  private static void appendQuietly(FollowerGate gate, AppendEntriesRequestProto request) {
    try {
      var _ = gate.append(request);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void votesOnlyWhenNoAppendIsUnderWay() throws IOException {
    RequestVoteRequestProto request = RequestVoteRequestProto.getDefaultInstance();
    var _ = gate.append(ENTRIES);
    assertThatThrownBy(() -> gate.vote(request))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no vote can be given yet: 1 appends are under way");
    var _ = gate.vote(request.toBuilder().setPreVote(true).build());
    assertThat(server.votes).as("what changes nothing passes").isOne();

    server.appended.complete(AppendEntriesReplyProto.getDefaultInstance());
    var _ = gate.vote(request);
    assertThat(server.votes).isEqualTo(2);
  }

  @Test
  void refusesAppendsWhenTooManyWait() throws IOException {
    var _ = gate.append(entries(203, 203));
    for (int i = 0; i < 64; i++) {
      var _ = gate.append(entries(203, 204));
    }
    assertThatThrownBy(() -> gate.append(entries(203, 204)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("64 appends wait");
  }

  private static AppendEntriesRequestProto entries(long first, long last) {
    AppendEntriesRequestProto.Builder request = HEARTBEAT.toBuilder();
    for (long index = first; index <= last; index++) {
      request.addEntries(LogEntryProto.newBuilder().setIndex(index));
    }
    return request.build();
  }

  @Test
  void takesASnapshotAfterAnAppendThatFailed() throws IOException {
    var _ = gate.append(ENTRIES);
    server.appended.completeExceptionally(new IllegalStateException("does not fit"));
    assertThat(gate.install(lastPieceAt(100)).getResult()).isEqualTo(InstallSnapshotResult.SUCCESS);
  }

  @Test
  void takesASnapshotAfterAnAppendThatWasRefusedAtOnce() throws IOException {
    server.isDown = true;
    assertThatThrownBy(() -> gate.append(ENTRIES)).isInstanceOf(IOException.class);
    assertThat(gate.install(lastPieceAt(100)).getResult()).isEqualTo(InstallSnapshotResult.SUCCESS);
  }

  @Test
  void takesNoSnapshotWhileTheOneBeforeIsLoaded() throws IOException {
    var _ = gate.install(lastPieceAt(100));
    assertThatThrownBy(() -> gate.install(lastPieceAt(200)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the snapshot at 100 is loaded");
    assertThat(server.installs).isOne();

    server.applied = 100;
    assertThat(gate.install(lastPieceAt(200)).getResult()).isEqualTo(InstallSnapshotResult.SUCCESS);
  }

  @Test
  void takesThePiecesOfASnapshotOneAfterTheOther() throws IOException {
    var _ = gate.install(piece(100, false));
    var _ = gate.install(lastPieceAt(100));
    assertThat(server.installs).isEqualTo(2);
  }

  @Test
  void waitsForNothingAfterASnapshotThatWasThereAlready() throws IOException {
    server.result = InstallSnapshotResult.ALREADY_INSTALLED;
    var _ = gate.install(lastPieceAt(100));
    var _ = gate.install(lastPieceAt(100));
    assertThat(server.installs).isEqualTo(2);
  }

  @Test
  void letsHeartbeatsPassUncounted() throws IOException {
    var _ = gate.append(HEARTBEAT);
    assertThat(gate.install(lastPieceAt(100)).getResult()).isEqualTo(InstallSnapshotResult.SUCCESS);
  }

  @Test
  void refusesEntriesWhileASnapshotWaits() throws IOException {
    var _ = gate.install(lastPieceAt(100));
    server.onLook =
        () ->
            assertThatThrownBy(() -> gate.append(ENTRIES))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("send them again");
    assertThatThrownBy(() -> gate.install(lastPieceAt(200))).isInstanceOf(IOException.class);
    assertThat(server.looks).isPositive();
    assertThat(gate.append(ENTRIES)).isNotDone();
  }

  private static InstallSnapshotRequestProto lastPieceAt(long index) {
    return piece(index, true);
  }

  private static InstallSnapshotRequestProto piece(long index, boolean isLast) {
    RaftGroupId group = RaftGroupId.valueOf(new UUID(1, 2));
    return InstallSnapshotRequestProto.newBuilder()
        .setServerRequest(
            RaftRpcRequestProto.newBuilder()
                .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(group.toByteString())))
        .setSnapshotChunk(
            InstallSnapshotRequestProto.SnapshotChunkProto.newBuilder()
                .setTermIndex(TermIndexProto.newBuilder().setTerm(1).setIndex(index))
                .setDone(isLast))
        .build();
  }

  private static final class FakeServer
      implements RaftServerAsynchronousProtocol, RaftServerProtocol {
    private final CompletableFuture<AppendEntriesReplyProto> appended = new CompletableFuture<>();
    private InstallSnapshotResult result = InstallSnapshotResult.SUCCESS;
    private long applied;
    private volatile int appends;
    private int installs;
    private int votes;
    private boolean isDown;
    private int looks;
    private Runnable onLook = () -> {};
    private volatile Runnable onAppend = () -> {};

    private long look() {
      looks++;
      onLook.run();
      return applied;
    }

    @Override
    public CompletableFuture<AppendEntriesReplyProto> appendEntriesAsync(
        AppendEntriesRequestProto request) throws IOException {
      synchronized (this) {
        appends++;
      }
      onAppend.run();
      if (isDown) {
        throw new IOException("down");
      }
      return appended;
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) {
      installs++;
      return InstallSnapshotReplyProto.newBuilder().setResult(result).build();
    }

    @Override
    public CompletableFuture<ReadIndexReplyProto> readIndexAsync(ReadIndexRequestProto request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) {
      votes++;
      return RequestVoteReplyProto.getDefaultInstance();
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(
        StartLeaderElectionRequestProto request) {
      throw new UnsupportedOperationException();
    }
  }
}
