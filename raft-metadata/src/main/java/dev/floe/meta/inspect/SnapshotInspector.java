package dev.floe.meta.inspect;

import dev.floe.core.error.FloeException;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.snapshot.SnapshotContents;
import dev.floe.meta.snapshot.SnapshotReader;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.MetadataView;
import dev.floe.meta.state.StateConfig;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// Verifies a snapshot file and describes it for people.
///
/// Reading rebuilds the whole state and checks everything in it, so a file that this calls sound
/// can be started from.
public final class SnapshotInspector {
  private SnapshotInspector() {}

  /// Looks at a file.
  ///
  /// @throws IOException when it cannot be read at all
  public static Inspection inspect(Path file) throws IOException {
    long bytes = Files.size(file);
    StringBuilder text = new StringBuilder();
    line(text, "snapshot   %s", file);
    line(text, "size       %d bytes", bytes);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      describe(SnapshotReader.readContents(in, StateConfig.DEFAULT), text);
      line(text, "verdict    sound: checksums, records, allocators and digest fit together");
      return new Inspection(true, text.toString());
    } catch (FloeException e) {
      line(text, "verdict    NOT SOUND, %s: %s", e.code(), e.getMessage());
      return new Inspection(false, text.toString());
    }
  }

  private static void describe(SnapshotContents contents, StringBuilder text) {
    MetadataState state = contents.state();
    line(text, "index      %d", state.appliedIndex());
    line(text, "time       %d ms", state.appliedTimeMillis());
    line(text, "digest     %016x", state.digest());
    line(text, "");
    line(text, "%-12s %8s %14s %12s", "section", "chunks", "bytes", "records");
    for (SnapshotContents.Section section : contents.sections()) {
      line(
          text,
          "%-12s %8d %14d %12d",
          section.kind().toLowerCase(Locale.ROOT),
          section.chunks(),
          section.bytes(),
          section.records());
    }
    line(text, "");
    MetadataView.Totals totals = state.totals();
    line(text, "objects    %d with %d bytes", totals.objects(), totals.objectBytes());
    line(text, "writing    %d", totals.writing());
    line(text, "sessions   %d", totals.sessions());
    line(
        text,
        "space      %d of %d bytes used, %d of them abandoned",
        totals.usedBytes(),
        totals.capacityBytes(),
        totals.abandonedBytes());
    line(text, "");
    for (RuntimeRecord runtime : state.runtimes()) {
      line(
          text,
          "runtime    %s epoch %d %s at %s %s",
          runtime.id(),
          runtime.epoch(),
          runtime.state(),
          runtime.dataEndpoint(),
          runtime.labels());
    }
    for (SegmentUsage usage : state.segments()) {
      line(
          text,
          "segment    %s '%s' of %s: %d of %d bytes used, largest free %d",
          usage.segment().id(),
          usage.segment().name(),
          usage.segment().runtime(),
          usage.usedBytes(),
          usage.segment().capacityBytes(),
          usage.largestFreeBytes());
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /// What was found.
  ///
  /// @param text lines for people
  public record Inspection(boolean isSound, String text) {}
}
