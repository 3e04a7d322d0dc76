/// Time as a constructor argument: a monotonic ticker and deadlines made from it.
///
/// Wall-clock time comes in as a `java.time.InstantSource`. Nothing here starts a thread.
@NullMarked
package dev.floe.core.time;

import org.jspecify.annotations.NullMarked;
