package dev.floe.meta.model;

/// A segment and how full it is.
///
/// @param usedBytes bytes of allocated ranges, abandoned ones included
/// @param largestFreeBytes the largest request that is sure to fit
public record SegmentUsage(Segment segment, long usedBytes, long largestFreeBytes) {}
