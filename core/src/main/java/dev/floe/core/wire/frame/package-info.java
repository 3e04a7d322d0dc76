/// Frames, and the two ends of a connection that speak them over a link of bytes.
///
/// `FrameCodec` has the format. `ClientConnection` is the caller's end, `FrameServer` takes links in
/// and runs a `ServerConnection` on each. Collaborators: `core.wire` for links, handlers and options;
/// `wire.link` makes the links. Invariants: lengths are checked against `Limits` before anything is
/// allocated; a frame is written whole or its link is closed.
@NullMarked
package dev.floe.core.wire.frame;

import org.jspecify.annotations.NullMarked;
