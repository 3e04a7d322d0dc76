/// Protobuf to model and back: the log entry, replies, and the pieces that other formats share.
///
/// With `meta.snapshot` the only packages that import generated code. Encoders are deterministic;
/// decoders reject what they do not know, because a node that skips a part of a command would drift
/// away from its peers. Collaborators: `meta.model`, `meta.command`.
@NullMarked
package dev.floe.meta.codec;

import org.jspecify.annotations.NullMarked;
