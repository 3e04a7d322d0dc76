/// The data plane on the wire: its messages and the service of a store runtime that answers them.
///
/// `DataCodec` is the only class that knows the generated messages. `DataService` reads payloads
/// from the socket into segment memory and writes answers from there; whose bytes may be touched when
/// is decided in `store.segment`. Invariant: no chunk counts as written before its bytes were compared
/// with their checksum.
@NullMarked
package dev.floe.store.wire;

import org.jspecify.annotations.NullMarked;
