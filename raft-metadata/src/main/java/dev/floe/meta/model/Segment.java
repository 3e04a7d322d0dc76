package dev.floe.meta.model;

/// A mounted memory segment of a runtime. Hard state; its allocator is kept beside it.
///
/// @param name the runtime's own name for it, unique within the runtime
/// @param epoch the runtime epoch it was mounted under
/// @param capacityBytes 1 to `Limits.SEGMENT_BYTES_MAX`
public record Segment(
    SegmentId id, RuntimeId runtime, long epoch, String name, long capacityBytes) {}
