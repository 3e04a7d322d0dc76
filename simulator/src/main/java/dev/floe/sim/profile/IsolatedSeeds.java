package dev.floe.sim.profile;

import dev.floe.sim.isolate.FreshClasses;
import dev.floe.sim.vthread.TraceHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Whole clusters of which each run has classes of its own.
final class IsolatedSeeds implements SeedRunner {
  private final Profile profile;
  private final Setup setup;

  IsolatedSeeds(Profile profile, Setup setup) {
    this.profile = profile;
    this.setup = setup;
  }

  @Override
  public SeedReport run(long seed, TraceHash.@Nullable TraceSink sink) {
    try (FreshClasses classes = new FreshClasses()) {
      byte[] report =
          classes.apply(
              IsolatedSeed.class,
              IsolatedSeed.argument(profile, setup, seed, sink == null ? -1 : sink.lastStep()),
              line -> {
                if (sink != null) {
                  sink.line((Long) line[0], (Long) line[1], (String) line[2], (String) line[3]);
                }
              });
      return SeedReport.read(new DataInputStream(new ByteArrayInputStream(report)));
    } catch (IOException e) {
      throw new UncheckedIOException("a run's report cannot be read", e);
    }
  }

  /// As bytes, for another class loader.
  static byte[] bytes(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writer.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /// Writes something.
  @FunctionalInterface
  interface Writer {
    void write(DataOutputStream out) throws IOException;
  }
}
