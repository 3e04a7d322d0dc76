/// Links of bytes through sockets and through memory, and the transports over them.
///
/// `SocketTransport` is the one of production, `InMemoryTransport` stays within a JVM, and
/// `LinkTransport` works over any `LinkNetwork`. Collaborators: `wire.frame` speaks frames over the
/// links made here. Invariant: closing a link ends every blocked read and write of it.
@NullMarked
package dev.floe.core.wire.link;

import org.jspecify.annotations.NullMarked;
