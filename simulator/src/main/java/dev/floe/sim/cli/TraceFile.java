package dev.floe.sim.cli;

import dev.floe.sim.vthread.TraceHash;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Takes the lines of a trace up to a step, at which the run halts: into a file, and the last ones also into memory.
final class TraceFile implements TraceHash.TraceSink, AutoCloseable {
  private static final int KEPT = 30;

  private final @Nullable OutputFile file;
  private final @Nullable BufferedWriter writer;
  private final long until;
  private final Deque<String> last = new ArrayDeque<>();
  private @Nullable IOException failure;

  /// @param file to write to, or none
  /// @param until the last step that is taken
  TraceFile(@Nullable OutputFile file, long until) {
    this.file = file;
    this.writer = file == null ? null : file.writer();
    this.until = until;
  }

  @Override
  public long lastStep() {
    return until;
  }

  @Override
  public void line(long step, long nanos, String kind, String text) {
    if (step > until) {
      return;
    }
    String line = step + " " + nanos + " " + kind + " " + text;
    if (writer != null && failure == null) {
      try {
        writer.write(line);
        writer.newLine();
      } catch (IOException e) {
        // Told at the end: an error here would become one of the run.
        failure = e;
      }
    }
    if (last.size() == KEPT) {
      last.removeFirst();
    }
    last.addLast(line);
  }

  /// The last lines that were taken, for people.
  Deque<String> last() {
    return last;
  }

  /// @throws dev.floe.core.error.FloeException `IO_ERROR` when a line could not be written
  @Override
  public void close() {
    if (writer == null || file == null) {
      return;
    }
    try {
      writer.close();
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
    if (failure != null) {
      throw file.lost(failure);
    }
  }
}
