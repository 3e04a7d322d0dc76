package dev.floe.nof.block;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/// Turns the operating system's file errors into ours.
///
/// Java gives the C library's text only, so the text decides: ENOSPC and EDQUOT become `NO_SPACE`,
/// everything else is `IO_ERROR`.
final class DeviceFailures {
  private DeviceFailures() {}

  static FloeException of(String what, Path path, IOException e) {
    String reason = e.getMessage() == null ? e.toString() : e.getMessage();
    String lower = reason.toLowerCase(Locale.ROOT);
    if (lower.contains("no space left") || lower.contains("quota exceeded")) {
      return new FloeException(
          ErrorCode.NO_SPACE,
          what + " of " + path + " failed: " + reason + "; make room on the file system below",
          e);
    }
    return new FloeException(
        ErrorCode.IO_ERROR, what + " of " + path + " failed: " + reason + "; check the medium", e);
  }
}
