/// The simulated network: messages between named processes with delay, loss, duplication,
/// reordering and cuts.
///
/// Messages are immutable objects; what production would encode is encoded by those who send.
/// Collaborators: `sim.kernel`.
@NullMarked
package dev.floe.sim.net;

import org.jspecify.annotations.NullMarked;
