package dev.floe.sim.boot;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What rewritten code makes instead of a `RandomAccessFile`: one over a channel of the simulation,
/// or the real thing.
///
/// Of the simulated one only the channel, `write(byte[])`, `length`, `setLength` and `close` work;
/// the rest finds a file that is closed.
public final class SimRandomAccessFile extends RandomAccessFile {
  private final @Nullable FileChannel channel;

  public SimRandomAccessFile(File file, String mode) throws IOException {
    super(Lookup.owner(file) == null ? file : new File("/dev/null"), mode);
    SimFiles files = Lookup.owner(file);
    if (files == null) {
      channel = null;
      return;
    }
    super.close();
    Set<OpenOption> options =
        mode.equals("r")
            ? Set.of(StandardOpenOption.READ)
            : mode.equals("rw")
                ? Set.of(
                    StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)
                : Set.of(
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.SYNC);
    try {
      channel = files.open(file.toPath(), options);
    } catch (NoSuchFileException e) {
      throw new java.io.FileNotFoundException(file + " (No such file or directory)");
    }
  }

  public SimRandomAccessFile(String file, String mode) throws IOException {
    this(new File(file), mode);
  }

  /// The simulated channel; null when the file is real.
  @Nullable FileChannel simulated() {
    return channel;
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    if (channel == null) {
      super.write(bytes);
      return;
    }
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      channel.write(left);
    }
  }

  @Override
  public long length() throws IOException {
    return channel == null ? super.length() : channel.size();
  }

  @Override
  public void setLength(long length) throws IOException {
    if (channel == null) {
      super.setLength(length);
    } else if (length <= channel.size()) {
      channel.truncate(length);
    } else {
      channel.write(ByteBuffer.allocate(1), length - 1);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
    super.close();
  }

  /// Looks a file up before the constructor of the superclass runs.
  private static final class Lookup {
    private Lookup() {}

    static @Nullable SimFiles owner(File file) {
      return Hooks.files(file.toPath());
    }
  }
}
