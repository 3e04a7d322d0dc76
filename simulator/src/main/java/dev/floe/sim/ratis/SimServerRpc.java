package dev.floe.sim.ratis;

import com.google.protobuf.ByteString;
import dev.floe.meta.ratis.replication.FollowerGate;
import dev.floe.sim.mutant.Omission;
import dev.floe.sim.wire.SimCalls;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexReplyProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;
import org.jspecify.annotations.Nullable;

/// One server's end of the simulated RPC: every call goes through the network as bytes.
final class SimServerRpc implements RaftServerRpc {
  private final RaftServer server;
  private final FollowerGate gate;
  private final SimRaftRpc place;
  private final long timeoutNanos;

  SimServerRpc(RaftServer server, SimRaftRpc place) {
    this.server = server;
    this.gate = new FollowerGate(server);
    this.place = place;
    this.timeoutNanos =
        RaftServerConfigKeys.Rpc.requestTimeout(server.getProperties())
            .toLong(java.util.concurrent.TimeUnit.NANOSECONDS);
  }

  @Override
  public RpcType getRpcType() {
    return new SimRpcType();
  }

  @Override
  public void start() {
    place.calls().serve(place.host(), this::serve);
  }

  @Override
  public void close() {}

  @Override
  public @Nullable InetSocketAddress getInetSocketAddress() {
    return null;
  }

  @Override
  public void addRaftPeers(Collection<RaftPeer> peers) {}

  @Override
  public void handleException(RaftPeerId peer, Exception error, boolean reconnect) {}

  Omission omission() {
    return place.omission();
  }

  // --- calls to others ---

  private CompletableFuture<ByteString> call(
      Kind kind, RaftRpcRequestProto head, MessageLite request) {
    return place
        .calls()
        .call(
            place.host(),
            head.getReplyId().toStringUtf8(),
            new SimCalls.Call(
                kind.name(),
                ByteString.copyFrom(request.toByteArray()),
                timeoutNanos,
                kind != Kind.INSTALL));
  }

  private byte[] await(Kind kind, RaftRpcRequestProto head, MessageLite request)
      throws IOException {
    try {
      return call(kind, head, request).get().toByteArray();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException(kind + " was interrupted").initCause(e);
    } catch (ExecutionException e) {
      throw new IOException(kind + " failed", e.getCause());
    }
  }

  /// Sends entries or a heartbeat without waiting.
  CompletableFuture<AppendEntriesReplyProto> append(AppendEntriesRequestProto request) {
    return call(Kind.APPEND, request.getServerRequest(), request)
        .thenApply(bytes -> parsed(() -> AppendEntriesReplyProto.parseFrom(bytes.toByteArray())));
  }

  @Override
  public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request)
      throws IOException {
    return AppendEntriesReplyProto.parseFrom(
        await(Kind.APPEND, request.getServerRequest(), request));
  }

  @Override
  public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request)
      throws IOException {
    return InstallSnapshotReplyProto.parseFrom(
        await(Kind.INSTALL, request.getServerRequest(), request));
  }

  @Override
  public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
    if (!request.getPreVote()) {
      String self = place.host().name();
      place.votes().voted(self, request.getCandidateTerm(), self);
    }
    return RequestVoteReplyProto.parseFrom(await(Kind.VOTE, request.getServerRequest(), request));
  }

  @Override
  public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
      throws IOException {
    return StartLeaderElectionReplyProto.parseFrom(
        await(Kind.ELECT, request.getServerRequest(), request));
  }

  @Override
  public RaftServerAsynchronousProtocol async() {
    return new RaftServerAsynchronousProtocol() {
      @Override
      public CompletableFuture<AppendEntriesReplyProto> appendEntriesAsync(
          AppendEntriesRequestProto request) {
        return append(request);
      }

      @Override
      public CompletableFuture<ReadIndexReplyProto> readIndexAsync(ReadIndexRequestProto request) {
        return call(Kind.READ_INDEX, request.getServerRequest(), request)
            .thenApply(bytes -> parsed(() -> ReadIndexReplyProto.parseFrom(bytes.toByteArray())));
      }
    };
  }

  private interface Parser<T> {
    T parse() throws IOException;
  }

  private static <T> T parsed(Parser<T> parser) {
    try {
      return parser.parse();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  // --- calls of others ---

  private CompletableFuture<ByteString> serve(String kind, ByteString body) throws IOException {
    byte[] bytes = body.toByteArray();
    return switch (Kind.valueOf(kind)) {
      case APPEND ->
          gate.append(AppendEntriesRequestProto.parseFrom(bytes)).thenApply(SimServerRpc::encoded);
      case READ_INDEX ->
          server
              .readIndexAsync(ReadIndexRequestProto.parseFrom(bytes))
              .thenApply(SimServerRpc::encoded);
      case VOTE -> done(vote(RequestVoteRequestProto.parseFrom(bytes)));
      case INSTALL -> done(gate.install(InstallSnapshotRequestProto.parseFrom(bytes)));
      case ELECT ->
          done(server.startLeaderElection(StartLeaderElectionRequestProto.parseFrom(bytes)));
    };
  }

  private RequestVoteReplyProto vote(RequestVoteRequestProto request) throws IOException {
    RequestVoteReplyProto reply = gate.vote(request);
    if (!request.getPreVote() && reply.getServerReply().getSuccess()) {
      place
          .votes()
          .voted(
              place.host().name(),
              request.getCandidateTerm(),
              request.getServerRequest().getRequestorId().toStringUtf8());
    }
    return reply;
  }

  private static ByteString encoded(MessageLite message) {
    return ByteString.copyFrom(message.toByteArray());
  }

  private static CompletableFuture<ByteString> done(MessageLite message) {
    return CompletableFuture.completedFuture(encoded(message));
  }

  private enum Kind {
    APPEND,
    INSTALL,
    VOTE,
    ELECT,
    READ_INDEX
  }
}
