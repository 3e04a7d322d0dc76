/// What only the leader does, with soft state that is rebuilt after every change of leadership.
///
/// `CommandBatcher` turns many callers' commands into few entries; `ReadLeases` protects what is
/// being read; `LeaseTracker` watches over the leases of runtimes and sessions; `LeaderServices`
/// starts and stops them with the term as fence. Independent of Ratis: driven by `MetaLog`, a
/// `Ticker` and an `InstantSource`. Nothing here is ever written to the log except as a command.
@NullMarked
package dev.floe.meta.leader;

import org.jspecify.annotations.NullMarked;
