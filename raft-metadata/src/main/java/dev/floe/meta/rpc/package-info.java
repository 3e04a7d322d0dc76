/// The metadata service: requests of clients and runtimes over `core.wire`.
///
/// `MetadataService` checks requests, decides what only the leader may decide (read leases,
/// renewals), and hands commands to `meta.leader`. Collaborators: `meta.leader`, `meta.log`,
/// `meta.codec`. Invariant: nothing reaches the log that was not checked here.
@NullMarked
package dev.floe.meta.rpc;

import org.jspecify.annotations.NullMarked;
