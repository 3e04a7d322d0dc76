package dev.floe.sim.disk;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.nof.block.BlockDevice;
import dev.floe.nof.block.BlockGeometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// A block device on a simulated disk: a sparse file there, with all the disk's faults. Durable
/// state.
public final class SimBlockDevice implements BlockDevice {
  private final SimDisk disk;
  private final Path path;
  private final Node.FileNode file;
  private final BlockGeometry geometry;
  private final int life;
  private volatile boolean isClosed;
  private volatile boolean isFlushBroken;

  private SimBlockDevice(SimDisk disk, Path path, Node.FileNode file, BlockGeometry geometry) {
    this.disk = disk;
    this.path = path;
    this.file = file;
    this.geometry = geometry;
    this.life = disk.lives();
  }

  /// Opens a device, making it when there is none; its name is durable then.
  ///
  /// @throws FloeException `IO_ERROR` or `NO_SPACE`
  public static SimBlockDevice open(SimDisk disk, Path path, BlockGeometry geometry) {
    try {
      disk.open(path, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE)).close();
      if (!(disk.find(path) instanceof Node.FileNode file)) {
        throw new IOException(path + " is no file");
      }
      disk.force(file, path, true);
      return new SimBlockDevice(disk, path, file, geometry);
    } catch (IOException e) {
      throw failed("open", path, e);
    }
  }

  private static FloeException failed(String what, Path path, IOException e) {
    String why = String.valueOf(e.getMessage());
    return new FloeException(
        why.contains("No space left") ? ErrorCode.NO_SPACE : ErrorCode.IO_ERROR,
        "cannot " + what + " simulated device " + path + ": " + why,
        e);
  }

  private void checkOpen() {
    if (isClosed || life != disk.lives()) {
      throw new FloeException(ErrorCode.UNAVAILABLE, path + " is closed; open it again");
    }
  }

  private void checkFlushes() {
    checkOpen();
    if (isFlushBroken) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "a flush of " + path + " failed, writes before it may be lost; open the device anew");
    }
  }

  @Override
  public BlockGeometry geometry() {
    return geometry;
  }

  @Override
  public void read(long offsetBytes, ByteBuffer target) {
    geometry.check(offsetBytes, target);
    checkOpen();
    try {
      disk.beforeRead(file, path);
    } catch (IOException e) {
      throw failed("read", path, e);
    }
    synchronized (disk) {
      var _ = file.data.read(offsetBytes, target);
    }
    while (target.hasRemaining()) {
      target.put((byte) 0);
    }
  }

  @Override
  public void write(long offsetBytes, ByteBuffer source) {
    geometry.check(offsetBytes, source);
    checkFlushes();
    int start = source.position();
    try {
      while (source.hasRemaining()) {
        byte[] rest = new byte[source.remaining()];
        source.get(source.position(), rest);
        long at = offsetBytes + source.position() - start;
        source.position(source.position() + disk.write(file, path, at, rest));
      }
    } catch (IOException e) {
      throw failed("write", path, e);
    }
  }

  @Override
  public void flush() {
    checkFlushes();
    try {
      disk.force(file, path, false);
    } catch (IOException e) {
      isFlushBroken = true;
      throw failed("flush", path, e);
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
