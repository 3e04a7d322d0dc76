/// What must hold in every run, and what must have happened in some run.
///
/// Oracles see more than any process does: each applied entry of each node, each byte that a
/// runtime takes or serves, each client operation with its times. They throw a `Violation` at the
/// step that breaks a rule. They know the specification (the documentation of commands and replies)
/// and nothing of the implementation. Each has tests with histories that are known to be good and
/// bad. Collaborators: `meta.command`, `meta.model`, `meta.state` as a view.
@NullMarked
package dev.floe.sim.check;

import org.jspecify.annotations.NullMarked;
