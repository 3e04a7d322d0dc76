/// The kernel that runs blocking production code deterministically: every thread is a virtual
/// thread on one carrier, time is virtual, and every choice comes from the seed.
///
/// `Simulation` is the way in. `VirtualScheduler` owns the run queue and the timers, `Incarnation`
/// is one life of one simulated process, `TraceHash` the fingerprint of a run, `JdkThreads` the
/// only class that knows private parts of the JDK. Collaborators: `sim.boot` (calls from rewritten
/// code), `sim.agent`. Invariant: nothing but the carrier runs simulated code, and a wake-up that
/// does not come from it is an error.
@NullMarked
package dev.floe.sim.vthread;

import org.jspecify.annotations.NullMarked;
