package dev.floe.store.cli.shell;

/// How results are written.
public enum OutputFormat {
  /// For people; may change between releases.
  TABLE,
  /// For programs: one JSON document with stable field names.
  JSON
}
