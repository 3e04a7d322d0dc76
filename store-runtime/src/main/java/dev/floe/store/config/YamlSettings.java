package dev.floe.store.config;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import dev.floe.core.error.Limits;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Reads a YAML file as flat settings with the line of each.
///
/// Sections become dotted keys, lists become one text joined by commas. Read with a streaming
/// parser rather than bound to classes, because every message has to name the line, the setting and
/// its limits.
final class YamlSettings {
  private static final int DEPTH_MAX = 4;

  private final Path file;
  private final JsonParser parser;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Integer> lineOfKey = new HashMap<>();

  private YamlSettings(Path file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /// A setting as the file has it.
  record Entry(String key, String text, boolean isList, int line) {}

  /// All settings of a file, in its order; none of an empty file.
  ///
  /// @throws FloeException `INVALID_CONFIG` naming file and line when it is missing, no YAML, or has
  ///     another shape than sections, scalars and lists of scalars
  static List<Entry> read(Path file) {
    try (JsonParser parser = YAMLMapper.builder().build().createParser(textOf(file))) {
      return new YamlSettings(file, parser).document();
    } catch (StreamReadException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw invalid(file, line, "this is not YAML: " + firstLine(e.getOriginalMessage()), e);
    } catch (JacksonException e) {
      throw invalid(file, 1, "this is not YAML: " + firstLine(e.getOriginalMessage()), e);
    }
  }

  private static String textOf(Path file) {
    try {
      long bytes = Files.size(file);
      if (bytes > Limits.CONFIG_BYTES_MAX) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            file + " has " + bytes + " bytes, the limit is " + Limits.CONFIG_BYTES_MAX);
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG, "the configuration file " + file + " does not exist", e);
    } catch (CharacterCodingException e) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG, "the configuration file " + file + " is not UTF-8 text", e);
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "the configuration file " + file + " cannot be read: " + IoReason.of(e),
          e);
    }
  }

  private List<Entry> document() {
    JsonToken token = parser.nextToken();
    if (token == null || token == JsonToken.VALUE_NULL) {
      return List.of();
    }
    if (token != JsonToken.START_OBJECT) {
      throw invalid(line(), "the file has to start with settings such as 'cluster: floe'");
    }
    section("", 1);
    if (parser.nextToken() != null) {
      throw invalid(line(), "a second document starts here; one file holds one");
    }
    return List.copyOf(entries);
  }

  private void section(String prefix, int depth) {
    if (depth > DEPTH_MAX) {
      throw invalid(line(), "section '" + prefix + "' is nested too deep");
    }
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_OBJECT; t = parser.nextToken()) {
      String key = prefix + parser.currentName();
      int line = line();
      Integer first = lineOfKey.put(key, line);
      if (first != null) {
        throw invalid(line, "'" + key + "' is set a second time; first in line " + first);
      }
      JsonToken value = parser.nextToken();
      switch (value) {
        case START_OBJECT -> section(key + ".", depth + 1);
        case START_ARRAY -> entries.add(new Entry(key, list(key), true, line));
        case VALUE_NULL -> throw invalid(line, "'" + key + "' has no value; give one or remove it");
        default -> entries.add(new Entry(key, parser.getString(), false, line));
      }
    }
  }

  private String list(String key) {
    List<String> items = new ArrayList<>();
    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
      if (!t.isScalarValue() || t == JsonToken.VALUE_NULL) {
        throw invalid(line(), "'" + key + "' is a list of plain values; this item is none");
      }
      if (parser.getString().indexOf(',') >= 0) {
        throw invalid(
            line(), "an item of '" + key + "' has a comma; put each value in its own item");
      }
      items.add(parser.getString());
    }
    return String.join(",", items);
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private FloeException invalid(int line, String what) {
    return invalid(file, line, what, null);
  }

  private static FloeException invalid(
      Path file, int line, String what, @Nullable Throwable cause) {
    return new FloeException(ErrorCode.INVALID_CONFIG, file + ":" + line + ": " + what, cause);
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("no reason given");
  }
}
