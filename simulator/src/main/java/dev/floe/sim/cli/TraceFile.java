package dev.floe.sim.cli;

import dev.floe.sim.vthread.TraceHash;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Takes the lines of a trace up to a step: into a file, and the last ones also into memory.
final class TraceFile implements TraceHash.TraceSink, AutoCloseable {
  private static final int KEPT = 30;

  private final @Nullable PrintWriter writer;
  private final long until;
  private final Deque<String> last = new ArrayDeque<>();

  /// @param file to write to, or none
  /// @param until the last step that is taken
  /// @throws IllegalArgumentException when the file cannot be written
  TraceFile(@Nullable Path file, long until) {
    this.writer = file == null ? null : open(file);
    this.until = until;
  }

  private static PrintWriter open(Path file) {
    try {
      return new PrintWriter(Files.newBufferedWriter(file));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--trace " + file + " cannot be written (" + e + "); name a file in a folder that exists",
          e);
    }
  }

  @Override
  public void line(long step, long nanos, String kind, String text) {
    if (step > until) {
      return;
    }
    String line = step + " " + nanos + " " + kind + " " + text;
    if (writer != null) {
      writer.println(line);
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

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
  }
}
