package dev.floe.meta.ratis;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.ratis.replication.FloeGrpcRpcType;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.util.SizeInBytes;

/// Masters that talk gRPC over TCP.
final class GrpcRaftRpc implements RaftRpc {
  /// Ratis answers a taken port by ending the process.
  @Override
  public void checkAddress(RatisOptions options) {
    Endpoint endpoint = options.self().raftEndpoint();
    RatisErrors errors = new RatisErrors(options);
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(endpoint.host(), endpoint.port()));
    } catch (BindException e) {
      throw errors.addressInUse(e);
    } catch (SocketException e) {
      throw errors.addressInUse(e);
    } catch (IOException e) {
      throw errors.ofStart(e);
    }
  }

  @Override
  public void configure(RaftProperties p, RatisPeer self) {
    RaftConfigKeys.Rpc.setType(p, new FloeGrpcRpcType());
    GrpcConfigKeys.Server.setHost(p, self.raftEndpoint().host());
    GrpcConfigKeys.Server.setPort(p, self.raftEndpoint().port());
    GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(p, 8);
    GrpcConfigKeys.Server.setHeartbeatChannel(p, true);
    GrpcConfigKeys.setMessageSizeMax(p, SizeInBytes.valueOf("32MB"));
    GrpcConfigKeys.setFlowControlWindow(p, SizeInBytes.valueOf("4MB"));
  }

  @Override
  public Parameters parameters() {
    return new Parameters();
  }
}
