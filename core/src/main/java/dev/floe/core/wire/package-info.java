/// The transport that carries requests, as its users see it: one protocol for metadata calls and for
/// bytes of values.
///
/// `Transport` is the SPI: blocking socket channels in production, memory in tests, the simulated
/// network in the simulator. `ByteLink` is what both ends of a connection write to. A connection
/// carries many requests at once, matched by request id. A body is read straight into the buffer
/// that its receiver names, never through the heap. Collaborators: `core.error` for the error table,
/// `core.time` for deadlines; `wire.frame` and `wire.link` implement what is declared here, and this
/// package knows neither. Invariant: a buffer given to a call is not touched after the call has
/// returned, whatever its outcome.
@NullMarked
package dev.floe.core.wire;

import org.jspecify.annotations.NullMarked;
