package dev.floe.store.cli.object;

import dev.floe.core.error.FloeException;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.cli.shell.ErrorLines;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.OutputFormat;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Printable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What became of the objects that were to be removed, told as it comes.
final class Removals {
  private final Terminal terminal;
  private final OutputFormat format;
  private String separator = "\n  ";
  private boolean hasBegun;
  private int code = ExitCodes.OK;

  Removals(Terminal terminal, OutputFormat format) {
    this.terminal = terminal;
    this.format = format;
  }

  /// Some more were tried.
  void add(List<ObjectKey> keys, List<MetadataReply> replies) {
    begin();
    for (int i = 0; i < keys.size(); i++) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("key", keys.get(i).value());
      boolean isRemoved = !(replies.get(i) instanceof MetadataReply.Failed);
      item.put("removed", isRemoved);
      if (replies.get(i) instanceof MetadataReply.Failed failed) {
        item.put("error", failed.code().name());
        item.put("message", failed.message());
        FloeException failure = failed.toException();
        ErrorLines.print(terminal, failure);
        code = code == ExitCodes.OK ? ExitCodes.of(failure.code()) : code;
      } else if (format == OutputFormat.TABLE) {
        terminal.out().println("removed " + Printable.of(keys.get(i).value()));
      }
      if (format == OutputFormat.JSON) {
        terminal.out().print(separator + Json.writeLine(item));
        separator = ",\n  ";
      }
    }
  }

  /// All were tried.
  ///
  /// @return the exit code: that of the first that failed
  int end() {
    begin();
    if (format == OutputFormat.JSON) {
      terminal.out().print("\n]}\n");
    }
    return code;
  }

  private void begin() {
    if (!hasBegun && format == OutputFormat.JSON) {
      terminal.out().print("{\"objects\": [");
    }
    hasBegun = true;
  }
}
