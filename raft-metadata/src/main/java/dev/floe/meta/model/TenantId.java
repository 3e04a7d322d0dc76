package dev.floe.meta.model;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The name of a tenant: 1 to 128 bytes of UTF-8, not starting with `_`, without control
/// characters.
public record TenantId(String value) implements Comparable<TenantId> {
  /// The tenant of callers that name none.
  public static final TenantId DEFAULT = new TenantId("default");

  public TenantId {
    String flaw = flawOf(value);
    if (flaw != null) {
      throw new FloeException(ErrorCode.INVALID_ARGUMENT, "tenant '" + value + "' " + flaw);
    }
  }

  /// Why a text is no tenant's name, as the end of a sentence about it; null when it is one.
  public static @Nullable String flawOf(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > Limits.TENANT_BYTES_MAX) {
      return "has " + bytes + " bytes, allowed are 1 to " + Limits.TENANT_BYTES_MAX;
    }
    if (text.charAt(0) == '_') {
      return "starts with '_', which is kept for the system";
    }
    return text.chars().anyMatch(c -> c < 0x20 || c == 0x7f) ? "has a control character" : null;
  }

  @Override
  public int compareTo(TenantId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
