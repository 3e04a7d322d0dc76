/// The client library: whole values in and out of the cluster.
///
/// `StoreClient` asks the masters where (`MetadataApi`) and moves the bytes itself to and from the
/// store runtimes. Every read, of whatever kind and into whatever destination, goes through
/// `GetOperation`; every write through `PutOperation`. The bytes come from and go to what
/// `client.value` offers, and `client.transfer` moves them.
///
/// Invariant: a value is reported as read only when every chunk matched its checksum and, for whole
/// values, all bytes matched the object's. What was not reported so may be anything.
@NullMarked
package dev.floe.store.client;

import org.jspecify.annotations.NullMarked;
