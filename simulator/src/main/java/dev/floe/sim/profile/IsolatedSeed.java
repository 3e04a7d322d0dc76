package dev.floe.sim.profile;

import dev.floe.sim.isolate.FreshClasses;
import dev.floe.sim.vthread.TraceHash;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs one seed among classes of its own; the other side of `IsolatedSeeds`.
public final class IsolatedSeed implements FreshClasses.Function {
  /// Made by `FreshClasses`.
  public IsolatedSeed() {}

  /// What `apply` takes.
  ///
  /// @param lastStep of the trace, -1 for none
  static byte[] argument(Profile profile, Setup setup, long seed, long lastStep) {
    return IsolatedSeeds.bytes(
        out -> {
          out.writeUTF(profile.toString());
          out.writeUTF(setup.mutant());
          out.writeBoolean(setup.hasFaults());
          out.writeBoolean(setup.hasTrouble());
          out.writeDouble(setup.preemption());
          out.writeInt(setup.options().size());
          for (Map.Entry<String, String> option : setup.options().entrySet()) {
            out.writeUTF(option.getKey());
            out.writeUTF(option.getValue());
          }
          out.writeLong(seed);
          out.writeLong(lastStep);
        });
  }

  @Override
  public byte[] apply(byte[] argument, Consumer<Object[]> lines) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(argument))) {
      Profile profile = Profile.named(in.readUTF());
      String mutant = in.readUTF();
      boolean hasFaults = in.readBoolean();
      boolean hasTrouble = in.readBoolean();
      double preemption = in.readDouble();
      Map<String, String> options = new TreeMap<>();
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        options.put(in.readUTF(), in.readUTF());
      }
      Setup setup = new Setup(new TreeMap<>(options), mutant, hasFaults, hasTrouble, preemption);
      long seed = in.readLong();
      long lastStep = in.readLong();
      TraceHash.@Nullable TraceSink sink = lastStep < 0 ? null : new Passing(lines, lastStep);
      SeedReport report = FleetSeeds.report(FleetSeeds.runs(profile, setup).run(seed, sink));
      return IsolatedSeeds.bytes(report::write);
    } catch (IOException e) {
      throw new UncheckedIOException("the order for a run cannot be read", e);
    }
  }

  /// Passes lines on to the other classes.
  private record Passing(Consumer<Object[]> lines, long lastStep) implements TraceHash.TraceSink {
    @Override
    public void line(long step, long nanos, String kind, String text) {
      lines.accept(new Object[] {step, nanos, kind, text});
    }
  }
}
