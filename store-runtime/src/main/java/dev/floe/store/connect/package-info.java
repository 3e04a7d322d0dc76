/// Opens clients of a real cluster: sockets, connection pools, the metadata client and the client
/// for values, in the right order, with one owner that closes them.
///
/// Collaborators: `core.wire`, `core.peer`, `meta.client`, `store.client`. Programs that use Floe
/// as a library start here; the command line does too.
@NullMarked
package dev.floe.store.connect;

import org.jspecify.annotations.NullMarked;
