package dev.floe.meta.place;

import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SegmentId;

/// A range that was taken for a replica.
public record Placed(RuntimeId runtime, SegmentId segment, long offsetBytes, long lengthBytes) {}
