package dev.floe.meta.model;

/// Who wrote an object and when the write began.
///
/// @param writer the session of the `PutStart`
/// @param startMillis leader time of the `PutStart` entry
public record WriteState(SessionId writer, long startMillis) {}
