package dev.floe.bench;

import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.meta.ratis.RatisProperties;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/// The peer that the metadata plane is measured against: Ratis alone, one raft entry for each
/// command, a state machine that only counts. Three servers in this JVM over loopback, requests
/// submitted in process on the leader.
final class PlainRatis implements AutoCloseable {
  private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(0xf10e, 1));

  private final List<RaftServer> servers = new ArrayList<>();
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final RaftServer leader;

  /// Starts three servers with the property set of Floe's own masters.
  PlainRatis(List<RatisOptions> options) throws Exception {
    List<RaftPeer> peers = new ArrayList<>();
    for (RatisPeer peer : options.getFirst().peers()) {
      peers.add(
          RaftPeer.newBuilder()
              .setId(peer.node())
              .setAddress(peer.raftEndpoint().toString())
              .build());
    }
    RaftGroup group = RaftGroup.valueOf(GROUP, peers);
    for (int i = 0; i < peers.size(); i++) {
      RaftPeer peer = peers.get(i);
      RaftProperties p = RatisProperties.of(options.get(i));
      RaftServer server =
          RaftServer.newBuilder()
              .setServerId(peer.getId())
              .setGroup(group)
              .setStateMachine(new Counting())
              .setProperties(p)
              .setOption(RaftStorage.StartupOption.FORMAT)
              .build();
      server.start();
      servers.add(server);
    }
    this.leader = awaitLeader();
  }

  /// Submits one command as one entry.
  CompletableFuture<RaftClientReply> submit(byte[] payload) throws IOException {
    return leader.submitClientRequestAsync(
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(leader.getId())
            .setGroupId(GROUP)
            .setCallId(calls.incrementAndGet())
            .setMessage(Message.valueOf(ByteString.copyFrom(payload)))
            .setType(RaftClientRequest.writeRequestType())
            .build());
  }

  private RaftServer awaitLeader() throws Exception {
    long end = System.nanoTime() + 30_000_000_000L;
    while (System.nanoTime() < end) {
      for (RaftServer server : servers) {
        RoleInfoProto role = server.getDivision(GROUP).getInfo().getRoleInfoProto();
        if (role.hasLeaderInfo() && server.getDivision(GROUP).getInfo().isLeaderReady()) {
          return server;
        }
      }
      Thread.sleep(50);
    }
    throw new IllegalStateException("plain Ratis elected no leader in 30 s");
  }

  @Override
  public void close() throws IOException {
    for (RaftServer server : servers) {
      server.close();
    }
  }

  private static final class Counting extends BaseStateMachine {
    private long applied;

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
      applied++;
      updateLastAppliedTermIndex(
          transaction.getLogEntry().getTerm(), transaction.getLogEntry().getIndex());
      return CompletableFuture.completedFuture(Message.valueOf(Long.toString(applied)));
    }
  }
}
