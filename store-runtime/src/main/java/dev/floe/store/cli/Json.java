package dev.floe.store.cli;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Results for programs. Field names are a contract: they are only ever added.
final class Json {
  private Json() {}

  /// One document without line feeds.
  static String writeLine(Object value) {
    return JsonMapper.shared().writeValueAsString(value);
  }

  /// One indented document, ended by a line feed. Maps keep the order of their entries.
  static String write(Object value) {
    return JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(value)
            .replace("\r\n", "\n")
        + "\n";
  }
}
