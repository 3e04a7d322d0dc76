package dev.floe.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/// The peer that the metadata plane is measured against: Ratis alone, one raft entry for each command, a state machine
/// that only counts. Three servers in this JVM over loopback, requests submitted in process on the leader.
final class PlainRatis implements AutoCloseable {
  private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(0xf10e, 1));

  private final List<RaftServer> servers = new ArrayList<>();
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final RaftServer leader;

  /// @param properties the same property set that Floe's masters use, made anew for each server from its folder
  PlainRatis(Path root, PropertiesOf properties) throws Exception {
    List<RaftPeer> peers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      peers.add(RaftPeer.newBuilder().setId("p" + i).setAddress("127.0.0.1:" + freePort()).build());
    }
    RaftGroup group = RaftGroup.valueOf(GROUP, peers);
    for (RaftPeer peer : peers) {
      RaftProperties p = properties.of(root.resolve(peer.getId().toString()));
      int port = Integer.parseInt(peer.getAddress().substring(peer.getAddress().indexOf(':') + 1));
      GrpcConfigKeys.Server.setPort(p, port);
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

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() throws IOException {
    for (RaftServer server : servers) {
      server.close();
    }
  }

  /// Makes the properties of one server.
  @FunctionalInterface
  interface PropertiesOf {
    RaftProperties of(Path storage);

    /// The one that names the storage folder of a property set.
    static RaftProperties withStorage(RaftProperties properties, Path storage) {
      RaftServerConfigKeys.setStorageDir(properties, List.of(storage.toFile()));
      return properties;
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
