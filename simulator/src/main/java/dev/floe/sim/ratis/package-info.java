/// Unmodified Ratis and the masters of production in a simulated cluster.
///
/// `SimRaftRpc` carries Raft over `sim.wire`, with a pipelined log appender of its own
/// (`PipelinedAppender`); `RatisCluster` starts, kills, pauses and restarts masters;
/// `RatisScenario` drives clients and faults and checks the invariants; `sim.cli` has the
/// command line. Collaborators: `sim.vthread`, `sim.wire`, `meta.node`, `meta.client`. The only
/// package of the simulator that knows Ratis.
@NullMarked
package dev.floe.sim.ratis;

import org.jspecify.annotations.NullMarked;
