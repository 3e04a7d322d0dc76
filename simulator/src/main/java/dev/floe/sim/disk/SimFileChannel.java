package dev.floe.sim.disk;

import dev.floe.sim.boot.Simulated;
import dev.floe.sim.disk.Node.FileNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An open file of a simulated disk, or a directory that can be forced.
///
/// As with a real one, an interrupt closes it. When its process has died it is closed.
final class SimFileChannel extends FileChannel implements Simulated {
  private final SimDisk disk;
  private final Path path;
  private final Node node;
  private final Set<OpenOption> options;
  private final int life;
  private long position;

  SimFileChannel(SimDisk disk, Path path, Node node, Set<? extends OpenOption> options) {
    this.disk = disk;
    this.path = path;
    this.node = node;
    this.options = Set.copyOf(options);
    this.life = disk.lives();
  }

  private FileNode file() throws IOException {
    if (node instanceof FileNode file) {
      return file;
    }
    throw new IOException("Is a directory");
  }

  private void begun() throws IOException {
    if (!isOpen() || life != disk.lives()) {
      throw new ClosedChannelException();
    }
    ended();
  }

  private void ended() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      close();
      throw new ClosedByInterruptException();
    }
  }

  private void reading() throws IOException {
    begun();
    if (options.contains(StandardOpenOption.WRITE) && !options.contains(StandardOpenOption.READ)) {
      throw new NonReadableChannelException();
    }
  }

  private void writing() throws IOException {
    begun();
    if (!options.contains(StandardOpenOption.WRITE)) {
      throw new NonWritableChannelException();
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int count = read(target, position);
    position += Math.max(0, count);
    return count;
  }

  @Override
  public int read(ByteBuffer target, long from) throws IOException {
    reading();
    FileNode file = file();
    disk.beforeRead(file, path);
    int count;
    synchronized (disk) {
      count = file.data.read(from, target);
    }
    ended();
    return count;
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      int count = read(targets[i]);
      if (count < 0) {
        return sum == 0 ? -1 : sum;
      }
      sum += count;
      if (targets[i].hasRemaining()) {
        break;
      }
    }
    return sum;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    if (options.contains(StandardOpenOption.APPEND)) {
      position = size();
    }
    int count = write(source, position);
    position += count;
    return count;
  }

  @Override
  public int write(ByteBuffer source, long at) throws IOException {
    writing();
    byte[] bytes = new byte[source.remaining()];
    source.get(source.position(), bytes);
    int count = disk.write(file(), path, at, bytes);
    source.position(source.position() + count);
    if (options.contains(StandardOpenOption.SYNC) || options.contains(StandardOpenOption.DSYNC)) {
      force(options.contains(StandardOpenOption.SYNC));
    }
    ended();
    return count;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      sum += write(sources[i]);
      if (sources[i].hasRemaining()) {
        break;
      }
    }
    return sum;
  }

  @Override
  public long position() throws IOException {
    begun();
    return position;
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    begun();
    if (newPosition < 0) {
      throw new IllegalArgumentException("position " + newPosition + " is negative");
    }
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    begun();
    return file().data.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    writing();
    if (size < 0) {
      throw new IllegalArgumentException("size " + size + " is negative");
    }
    disk.truncate(file(), (int) Math.min(size, Integer.MAX_VALUE));
    position = Math.min(position, size);
    return this;
  }

  @Override
  public void force(boolean withMetadata) throws IOException {
    begun();
    disk.force(node, path, withMetadata);
    ended();
  }

  @Override
  public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
    ByteBuffer part = ByteBuffer.allocate((int) Math.min(count, 64 * 1024));
    if (read(part, from) <= 0) {
      return 0;
    }
    part.flip();
    int moved = 0;
    while (part.hasRemaining()) {
      moved += target.write(part);
    }
    return moved;
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
    ByteBuffer part = ByteBuffer.allocate((int) Math.min(count, 64 * 1024));
    if (source.read(part) <= 0) {
      return 0;
    }
    part.flip();
    long moved = 0;
    while (part.hasRemaining()) {
      moved += write(part, at + moved);
    }
    return moved;
  }

  /// A copy: a mapping that is only read, soon after it was made.
  @Override
  public MappedByteBuffer map(MapMode mode, long from, long length) throws IOException {
    if (!mode.equals(MapMode.READ_ONLY)) {
      throw new UnsupportedOperationException("simulated files cannot be mapped to be written");
    }
    MappedByteBuffer copy = (MappedByteBuffer) ByteBuffer.allocateDirect(Math.toIntExact(length));
    while (copy.hasRemaining() && read(copy, from + copy.position()) > 0) {}
    copy.flip();
    return copy;
  }

  @Override
  public FileLock lock(long from, long length, boolean isShared) throws IOException {
    FileLock lock = tryLock(from, length, isShared);
    if (lock == null) {
      throw new IOException("the lock is taken and waiting for it is not simulated");
    }
    return lock;
  }

  /// All processes of a disk count as one, as they are lives of one.
  @Override
  public @Nullable FileLock tryLock(long from, long length, boolean isShared) throws IOException {
    begun();
    FileNode file = file();
    synchronized (disk) {
      SimFileLock holder = file.lock;
      if (holder != null && holder.acquiredBy().isOpen()) {
        throw new OverlappingFileLockException();
      }
      SimFileLock lock = new SimFileLock(this, file);
      file.lock = lock;
      return lock;
    }
  }

  @Override
  protected void implCloseChannel() {
    synchronized (disk) {
      if (node instanceof FileNode file && file.lock != null && file.lock.acquiredBy() == this) {
        file.lock = null;
      }
    }
  }
}
