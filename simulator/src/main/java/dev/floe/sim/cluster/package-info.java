/// The simulated cluster: masters over a model log, model store runtimes, clients, and the faults
/// that hit them.
///
/// Production code does the deciding: `MetadataState`, its codec and its snapshots, the runtimes'
/// range tables, the leader's lease tables. The model log replaces Ratis: terms, votes, matching
/// logs, commit by majority, leader lease, snapshots that are installed, all as messages over
/// `sim.net`. Each process is a lane; nothing is shared but the network and the oracles, which see
/// everything. Collaborators: `sim.kernel`, `sim.net`, `sim.check`.
@NullMarked
package dev.floe.sim.cluster;

import org.jspecify.annotations.NullMarked;
