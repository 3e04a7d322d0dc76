package dev.floe.sim.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/// The simulated RPC as Ratis looks it up: by this class's name.
public final class SimRpcType implements RpcType {
  static final String PLACE = "floe.sim.place";

  /// Made by Ratis.
  public SimRpcType() {}

  @Override
  public String name() {
    return SimRpcType.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new Factory(parameters.getNonNull(PLACE, SimRaftRpc.class));
  }

  private record Factory(SimRaftRpc place) implements ServerFactory {
    @Override
    public RpcType getRpcType() {
      return new SimRpcType();
    }

    @Override
    public RaftServerRpc newRaftServerRpc(RaftServer server) {
      return new SimServerRpc(server, place);
    }

    @Override
    public LogAppender newLogAppender(
        RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
      return new PipelinedAppender(server, leader, follower);
    }
  }
}
