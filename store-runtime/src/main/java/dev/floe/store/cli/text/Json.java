package dev.floe.store.cli.text;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Results for programs. Field names are a contract: they are only ever added.
public final class Json {
  private Json() {}

  /// One document without line feeds.
  public static String writeLine(Object value) {
    return JsonMapper.shared().writeValueAsString(value);
  }

  /// One indented document, ended by a line feed. Maps keep the order of their entries.
  public static String write(Object value) {
    return JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(value)
            .replace("\r\n", "\n")
        + "\n";
  }
}
