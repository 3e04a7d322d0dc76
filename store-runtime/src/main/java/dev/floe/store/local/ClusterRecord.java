package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/// Remembers in a local cluster's folder what the masters' logs in it depend on.
///
/// A Raft log names its members and their addresses. Started with other ones, the masters would wait
/// for each other for ever, so that is refused with an explanation instead.
final class ClusterRecord {
  private static final String FILE = "local-cluster.txt";

  private ClusterRecord() {}

  /// Writes the record, or compares it with the one that is there.
  ///
  /// @throws FloeException `INVALID_CONFIG` when the folder holds a cluster of another shape,
  ///     `DIRECTORY_UNUSABLE` when it cannot be used
  static void check(ClusterShape shape) {
    String wanted =
        "cluster " + shape.cluster() + ", masters " + text(shape) + System.lineSeparator();
    Path file = shape.directory().resolve(FILE);
    try {
      Files.createDirectories(shape.directory());
      if (!Files.exists(file)) {
        Files.writeString(file, wanted);
        return;
      }
      String found = Files.readString(file);
      if (!found.strip().equals(wanted.strip())) {
        throw new FloeException(
            ErrorCode.INVALID_CONFIG,
            shape.directory()
                + " holds a local cluster of another shape ("
                + found.strip()
                + ") than asked for ("
                + wanted.strip()
                + "); use the same --masters and --base-port, another --dir, or remove the folder");
      }
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.DIRECTORY_UNUSABLE,
          "the folder " + shape.directory() + " cannot be used: " + IoReason.of(e),
          e);
    }
  }

  private static String text(ClusterShape shape) {
    return shape.ports().raft().stream().map(Object::toString).collect(Collectors.joining(" "));
  }
}
