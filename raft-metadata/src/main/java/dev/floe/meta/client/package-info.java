/// What a client of the masters calls.
///
/// `MetadataApi` is the contract; `MetadataClient` speaks it to a cluster: it finds the leader from
/// any master, follows it, and repeats writes within its session so that each takes effect once.
/// Collaborators: `core.wire`, `meta.codec`. Soft state only.
@NullMarked
package dev.floe.meta.client;

import org.jspecify.annotations.NullMarked;
