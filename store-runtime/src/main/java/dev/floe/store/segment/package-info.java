/// Memory segments of a store runtime and the rules by which their bytes are read and written.
///
/// `SegmentMemory` is the bytes, `RangeTable` knows which write token filled which range and who is
/// on it now, `StoreSegment` joins the two, `MemorySegmentStore` finds a segment by its number.
/// Invariant: bytes are handed out for reading only under the token that filled the whole range, and
/// nobody writes them while a guard is held. All state here is soft: it lives as long as the process.
/// Knows nothing of the wire, of clients or of masters.
@NullMarked
package dev.floe.store.segment;

import org.jspecify.annotations.NullMarked;
