package dev.floe.meta.model;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.wire.Endpoint;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// A registered store runtime. Hard state.
///
/// @param process which process it is
/// @param epoch grows with every registration of a new incarnation and after every expiry; every
///     mount names it
/// @param dataEndpoint where clients read and write
/// @param labels free name-value pairs such as `host` and `zone`
public record RuntimeRecord(
    RuntimeId id,
    RuntimeProcess process,
    long epoch,
    RuntimeState state,
    Endpoint dataEndpoint,
    Map<String, String> labels) {
  public RuntimeRecord {
    labels = checkedLabels(labels);
  }

  /// A sorted, immutable copy of labels within the limits.
  ///
  /// @throws FloeException `INVALID_ARGUMENT` naming the first label, in the order of names, that is too
  ///     long, or the count
  public static Map<String, String> checkedLabels(Map<String, String> labels) {
    if (labels.size() > Limits.LABELS_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          labels.size() + " labels given, the limit is " + Limits.LABELS_MAX);
    }
    // In the order of names: apply answers with the first fault, and Map.of iterates differently in
    // every JVM.
    Map<String, String> sorted = new TreeMap<>(labels);
    sorted.forEach(
        (name, value) -> {
          int bytes =
              Math.max(
                  name.getBytes(StandardCharsets.UTF_8).length,
                  value.getBytes(StandardCharsets.UTF_8).length);
          if (name.isEmpty() || bytes > Limits.LABEL_BYTES_MAX) {
            throw new FloeException(
                ErrorCode.INVALID_ARGUMENT,
                "label '"
                    + name
                    + "' is empty or longer than "
                    + Limits.LABEL_BYTES_MAX
                    + " bytes");
          }
        });
    return Collections.unmodifiableMap(sorted);
  }

  /// The process's own name.
  public SessionId incarnation() {
    return process.incarnation();
  }

  public RuntimeRecord withState(RuntimeState newState) {
    return new RuntimeRecord(id, process, epoch, newState, dataEndpoint, labels);
  }
}
