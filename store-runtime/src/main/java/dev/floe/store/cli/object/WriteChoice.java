package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.meta.command.MetadataCommand.WriteOptions;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.SoftPin;
import dev.floe.store.config.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What a put may take the place of, and what keeps the value then.
final class WriteChoice {
  @Option(
      names = "--replace",
      description =
          "Take the place of a value that is there; it is read until the new one is whole.")
  private boolean replaces;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description =
          "Evicted together with the others of this group; fixed while the key has a value.")
  private String group = "";

  @Option(names = "--hard-pin", description = "Never evicted, only removed.")
  private boolean isHardPinned;

  @Option(
      names = "--soft-pin",
      paramLabel = "TIME",
      description =
          "Evicted only when nothing else is left, for a time up to 24h, such as 30m; 0 takes the pin"
              + " of a replaced value away.")
  private @Nullable String softPin;

  @Option(
      names = "--type",
      paramLabel = "T",
      description = "What it holds: ${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
  private DataType dataType = DataType.UNKNOWN;

  /// @throws FloeException `INVALID_ARGUMENT` naming the option, its limit and its value
  WriteOptions options() {
    int bytes = group.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > Limits.GROUP_BYTES_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "the name given to --group has "
              + bytes
              + " bytes, the limit is "
              + Limits.GROUP_BYTES_MAX
              + "; shorten it or use its hash");
    }
    return new WriteOptions(replaces, dataType, group, isHardPinned, pin());
  }

  private SoftPin pin() {
    String text = softPin;
    if (text == null) {
      return SoftPin.Preserve.INSTANCE;
    }
    Duration time = text.strip().equals("0") ? Duration.ZERO : timeOf(text);
    if (time.isZero()) {
      return SoftPin.Disable.INSTANCE;
    }
    if (time.toMillis() < 1 || time.toMillis() > Limits.SOFT_PIN_MILLIS_MAX) {
      throw wrong(text);
    }
    return new SoftPin.Enable(time.toMillis());
  }

  private static Duration timeOf(String text) {
    try {
      return DurationText.parse(text.strip().toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw wrong(text);
    }
  }

  private static FloeException wrong(String text) {
    return new FloeException(
        ErrorCode.INVALID_ARGUMENT,
        "'"
            + text
            + "' given to --soft-pin is no time from 1ms to 24h, nor 0; give one such as 30m, or"
            + " --hard-pin for a value that must never be evicted");
  }
}
