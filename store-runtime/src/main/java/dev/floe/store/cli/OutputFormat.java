package dev.floe.store.cli;

/// How results are written.
enum OutputFormat {
  /// For people; may change between releases.
  TABLE,
  /// For programs: one JSON document with stable field names.
  JSON
}
