/// Whole clusters on this machine, for people who want to see or try one.
///
/// `LocalCluster` is masters and stores on the loopback device: `EmbeddedCluster` runs them in this
/// JVM, `ProcessCluster` as child processes; both are the real thing with real Ratis and real
/// sockets. `Quickstart` is the demonstration that stores files, kills the leader and compares every
/// byte. Collaborators: `store.node`, `store.client`, `meta.node`, `store.config`. Everything that is
/// started here is stopped by `close`, stores before masters.
@NullMarked
package dev.floe.store.local;

import org.jspecify.annotations.NullMarked;
