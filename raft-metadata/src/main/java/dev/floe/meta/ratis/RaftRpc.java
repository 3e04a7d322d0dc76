package dev.floe.meta.ratis;

import dev.floe.core.error.FloeException;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;

/// How masters reach each other below Ratis: gRPC in production, a simulated network elsewhere.
public interface RaftRpc {
  /// gRPC over TCP.
  RaftRpc GRPC = new GrpcRaftRpc();

  /// Says before Ratis is started that its address cannot be had.
  ///
  /// @throws FloeException `ADDRESS_IN_USE`
  void checkAddress(RatisOptions options);

  /// Names the RPC and sets its properties; called after all others were set.
  void configure(RaftProperties properties, RatisPeer self);

  /// What the RPC's factory finds at run time.
  Parameters parameters();
}
