/// How one client moves bytes between values and the replicas of an object: its options, its bounds
/// and its counters, and the reading and writing of replicas.
///
/// `ReplicaReader` reads from one replica into a `ReadProgress`; `ValueWriter` writes a value to all
/// of its replicas. What becomes of an object as a whole is decided in `store.client`. Collaborators:
/// `client.value` for where bytes come from and go to, `store.wire` for messages, `meta.client` for
/// leases. Invariants: no byte is believed before its checksum matched; when a call returns or throws,
/// no request of it is under way.
@NullMarked
package dev.floe.store.client.transfer;

import org.jspecify.annotations.NullMarked;
