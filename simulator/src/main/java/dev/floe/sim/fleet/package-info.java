/// The whole cluster: production's masters, store runtimes and clients as simulated processes, with
/// faults, phases and oracles.
///
/// `FleetScenario` is one run: start, chaos, heal a core, heal all, quiesce, audit. `FleetWorld` is
/// what the processes share; `MasterProcess`, `StoreProcess` and `ClientProcess` are lives of
/// production's nodes; `FleetNemesis` breaks things; `Workload` is what a client does and judges.
/// The log behind the masters is Ratis (`sim.ratis`) or `ModelLog`, which costs a fraction. A
/// `Mutation` plants a defect. What must hold is checked in `sim.check`. Collaborators:
/// `sim.vthread` (time, threads), `sim.wire` (network), `meta.node`, `store.node`, `store.client`.
@NullMarked
package dev.floe.sim.fleet;

import org.jspecify.annotations.NullMarked;
