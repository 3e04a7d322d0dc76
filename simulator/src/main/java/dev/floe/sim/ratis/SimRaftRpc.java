package dev.floe.sim.ratis;

import dev.floe.meta.ratis.RaftRpc;
import dev.floe.meta.ratis.RatisOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.sim.mutant.Omission;
import dev.floe.sim.wire.SimCalls;
import dev.floe.sim.wire.SimHost;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;

/// Masters that reach each other over the simulated network.
///
/// Buffers are made small too, so that many lives fit in one JVM, and snapshots travel in many
/// pieces.
///
/// @param host this master's place
/// @param votes sees this master's votes
/// @param omission what is left out, for planted bugs
public record SimRaftRpc(SimHost host, SimCalls calls, VoteListener votes, Omission omission)
    implements RaftRpc {
  /// Told of each vote, before anyone else learns of it.
  @FunctionalInterface
  public interface VoteListener {
    void voted(String voter, long term, String candidate);
  }

  /// Nobody looks at the votes, nothing is left out.
  public SimRaftRpc(SimHost host, SimCalls calls) {
    this(host, calls, (voter, term, candidate) -> {}, Omission.NOTHING);
  }

  @Override
  public void checkAddress(RatisOptions options) {}

  @Override
  public void configure(RaftProperties p, RatisPeer self) {
    p.set("raft.rpc.type", SimRpcType.class.getName());
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, SizeInBytes.valueOf("512KB"));
    RaftServerConfigKeys.Log.setWriteBufferSize(p, SizeInBytes.valueOf("1MB"));
    RaftServerConfigKeys.Log.setPreallocatedSize(p, SizeInBytes.valueOf("4KB"));
    RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(p, SizeInBytes.valueOf("4KB"));
  }

  @Override
  public Parameters parameters() {
    Parameters parameters = new Parameters();
    parameters.put(SimRpcType.PLACE, this, SimRaftRpc.class);
    return parameters;
  }
}
