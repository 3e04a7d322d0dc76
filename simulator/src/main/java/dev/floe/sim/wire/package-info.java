/// The simulated network: messages that are delayed, lost, repeated and overtaken, and byte streams
/// that stall and break.
///
/// `SimNetwork` knows hosts, cuts and conditions; `SimCalls` carries single requests and replies,
/// as Raft may have them; `SimLinkNetwork` gives `core.wire` its links, over which the frames of
/// production run. Everything happens in virtual time and is drawn from one random stream per
/// directed pair of hosts. Nothing here is preempted between two waits, so no locks are needed; a
/// lock would be kept for ever by a process that is killed while it waits for it.
@NullMarked
package dev.floe.sim.wire;

import org.jspecify.annotations.NullMarked;
