package dev.floe.meta.ratis.replication;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.jspecify.annotations.Nullable;

/// Ratis's gRPC with four corrections: a follower that needs the first entry of a purged log gets
/// the snapshot (`SnapshotNeed`), one that has it already is believed (`SnapshotOffer`), one that is
/// sent entries twice or a snapshot takes one after the other (`FollowerGate`), and one whose
/// appender stumbles is not given up (`AppenderRevival`). Ratis looks it up by this class's name.
public final class FloeGrpcRpcType implements RpcType {
  /// Made by Ratis.
  public FloeGrpcRpcType() {}

  @Override
  public String name() {
    return FloeGrpcRpcType.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new Factory(parameters);
  }

  private static final class Factory extends GrpcFactory {
    Factory(Parameters parameters) {
      super(parameters);
    }

    @Override
    public GrpcServices newRaftServerRpc(RaftServer server) {
      return super.newRaftServerRpc(new GatedRaftServer(server));
    }

    @Override
    public LogAppender newLogAppender(
        RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
      return new Appender(server, leader, follower);
    }
  }

  private static final class Appender extends GrpcLogAppender {
    private final SnapshotOffer offer = new SnapshotOffer();

    Appender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
      super(server, leader, follower);
      AppenderRevival.begins(follower);
    }

    @Override
    public void run() throws IOException {
      try {
        AppenderRevival.run(this, super::run);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("interrupted after a stumble").initCause(e);
      }
    }

    @Override
    public @Nullable SnapshotInfo shouldInstallSnapshot() {
      offer.mend(getFollower());
      SnapshotInfo needed = super.shouldInstallSnapshot();
      return offer.made(needed != null ? needed : SnapshotNeed.atStartOfLog(this), getFollower());
    }
  }
}
