package dev.floe.meta.model;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.nio.charset.StandardCharsets;

/// The name of a tenant: 1 to 128 bytes of UTF-8, not starting with `_`, without control
/// characters.
public record TenantId(String value) implements Comparable<TenantId> {
  /// The tenant of callers that name none.
  public static final TenantId DEFAULT = new TenantId("default");

  public TenantId {
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > Limits.TENANT_BYTES_MAX) {
      throw invalid(value, "has " + bytes + " bytes, allowed are 1 to " + Limits.TENANT_BYTES_MAX);
    }
    if (value.charAt(0) == '_') {
      throw invalid(value, "starts with '_', which is kept for the system");
    }
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < 0x20 || value.charAt(i) == 0x7f) {
        throw invalid(value, "has a control character");
      }
    }
  }

  private static FloeException invalid(String value, String why) {
    return new FloeException(ErrorCode.INVALID_ARGUMENT, "tenant '" + value + "' " + why);
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
