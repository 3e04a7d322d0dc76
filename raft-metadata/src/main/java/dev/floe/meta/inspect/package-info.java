/// Offline looks at what the metadata plane leaves on disks, for people and for tests.
///
/// Reads only; needs no running node. Collaborators: `meta.snapshot`, `meta.state`.
@NullMarked
package dev.floe.meta.inspect;

import org.jspecify.annotations.NullMarked;
