package dev.floe.nof.block;

import com.sun.nio.file.ExtendedOpenOption;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A block device kept in a sparse file or on a Linux block special file. Durable state.
///
/// Uses direct I/O, which bypasses the page cache, where the file system allows it; else it warns
/// and uses the page cache. Either way `flush` is `fdatasync`. The file is locked for this process
/// while the device is open. A `FileChannel` is closed by the interrupt of any thread inside it:
/// the device then opens the file again, checks that its geometry is unchanged, and repeats the
/// transfer.
public final class FileBlockDevice implements BlockDevice {
  private static final Logger LOG = LoggerFactory.getLogger(FileBlockDevice.class);

  /// Interrupts that one transfer survives: each costs an open of the file.
  private static final int REOPENS_MAX = 1000;

  private final Path path;
  private final BlockGeometry geometry;
  private final boolean isDirect;
  private final Object lifecycle = new Object();
  private volatile FileChannel channel;
  private volatile boolean isClosed;
  private volatile boolean isFlushBroken;

  FileBlockDevice(Path path, BlockGeometry geometry, boolean isDirect, FileChannel channel) {
    this.path = path;
    this.geometry = geometry;
    this.isDirect = isDirect;
    this.channel = channel;
  }

  /// How to open a device.
  ///
  /// @param blockBytes the block size; with direct I/O at least the file system's, which is 4096
  ///     nearly everywhere
  /// @param wantsDirect whether to try direct I/O
  public record Options(int blockBytes, boolean wantsDirect) {
    /// Blocks of 4096 bytes, direct I/O where possible.
    public static final Options DEFAULT = new Options(4096, true);
  }

  /// Makes a new sparse file of `capacityBytes` and opens it.
  ///
  /// @param capacityBytes `Limits.BLOCK_DEVICE_BYTES_MIN` to `Limits.BLOCK_DEVICE_BYTES_MAX`, whole
  ///     blocks
  /// @throws FloeException `INVALID_ARGUMENT` for a bad capacity, `ALREADY_EXISTS` when there is a
  ///     file, else as `open`
  public static FileBlockDevice create(Path path, long capacityBytes, Options options) {
    if (capacityBytes < Limits.BLOCK_DEVICE_BYTES_MIN
        || capacityBytes > Limits.BLOCK_DEVICE_BYTES_MAX
        || capacityBytes % options.blockBytes() != 0) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "capacity "
              + capacityBytes
              + " of "
              + path
              + " is not a multiple of "
              + options.blockBytes()
              + " from "
              + Limits.BLOCK_DEVICE_BYTES_MIN
              + " to "
              + Limits.BLOCK_DEVICE_BYTES_MAX);
    }
    try {
      Files.createFile(path);
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        file.setLength(capacityBytes);
        file.getFD().sync();
      } catch (IOException e) {
        Files.delete(path);
        throw e;
      }
    } catch (FileAlreadyExistsException e) {
      throw new FloeException(
          ErrorCode.ALREADY_EXISTS, path + " exists already; open it, or remove it first", e);
    } catch (IOException e) {
      throw DeviceFailures.of("create", path, e);
    }
    return open(path, options);
  }

  /// Opens a file or block special file; a last part smaller than a block is not used.
  ///
  /// @throws FloeException `DIRECTORY_IN_USE` when another device has it open, `DIRECTORY_UNUSABLE` when it is missing,
  ///     too small or may not be opened
  public static FileBlockDevice open(Path path, Options options) {
    OpenFiles.refuseIfOpenHere(path);
    boolean isDirect = options.wantsDirect() && supportsDirect(path, options.blockBytes());
    FileChannel channel;
    try {
      channel = openLocked(path, isDirect);
    } catch (IOException e) {
      throw DeviceFailures.of("open", path, e);
    }
    try {
      long blocks = channel.size() / options.blockBytes();
      if (blocks == 0) {
        throw new FloeException(
            ErrorCode.DIRECTORY_UNUSABLE,
            path
                + " has "
                + channel.size()
                + " bytes, less than one block of "
                + options.blockBytes());
      }
      BlockGeometry geometry = new BlockGeometry(options.blockBytes(), blocks);
      return new FileBlockDevice(path, geometry, isDirect, channel);
    } catch (IOException e) {
      closeAfter(channel, e);
      throw DeviceFailures.of("open", path, e);
    } catch (FloeException e) {
      closeAfter(channel, e);
      throw e;
    }
  }

  /// Whether transfers bypass the page cache.
  public boolean isDirect() {
    return isDirect;
  }

  @Override
  public BlockGeometry geometry() {
    return geometry;
  }

  @Override
  public void read(long offsetBytes, ByteBuffer target) {
    geometry.check(offsetBytes, target);
    int start = target.position();
    uninterrupted(
        "read",
        file -> {
          target.position(start);
          while (target.hasRemaining()) {
            long at = offsetBytes + (target.position() - start);
            if (file.read(target, at) < 0) {
              throw new IOException(
                  "the file ends before offset " + at + "; it was cut while open");
            }
          }
        });
  }

  @Override
  public void write(long offsetBytes, ByteBuffer source) {
    geometry.check(offsetBytes, source);
    refuseAfterBrokenFlush();
    int start = source.position();
    uninterrupted(
        "write",
        file -> {
          source.position(start);
          while (source.hasRemaining()) {
            file.write(source, offsetBytes + (source.position() - start));
          }
        });
  }

  @Override
  public void flush() {
    refuseAfterBrokenFlush();
    uninterrupted(
        "flush",
        file -> {
          try {
            file.force(false);
          } catch (ClosedChannelException e) {
            throw e;
          } catch (IOException e) {
            isFlushBroken = true;
            throw e;
          }
        });
  }

  @Override
  public void close() {
    synchronized (lifecycle) {
      isClosed = true;
      try {
        channel.close();
      } catch (IOException e) {
        LOG.warn("{} could not be closed: {}", path, e.getMessage());
      }
    }
  }

  private void refuseAfterBrokenFlush() {
    if (isFlushBroken) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "a flush of "
              + path
              + " failed, writes before it may be lost; open the device anew and recover from what it holds");
    }
  }

  /// Runs a transfer on an open channel whatever interrupts come, and keeps the interrupt status.
  private void uninterrupted(String what, Transfer transfer) {
    boolean wasInterrupted = false;
    try {
      for (int attempt = 1; ; attempt++) {
        FileChannel current = channel;
        try {
          if (isClosed) {
            throw new FloeException(ErrorCode.UNAVAILABLE, path + " is closed; open it again");
          }
          wasInterrupted |= Thread.interrupted();
          transfer.run(current);
          return;
        } catch (ClosedChannelException e) {
          if (attempt == REOPENS_MAX) {
            throw DeviceFailures.of(what, path, e);
          }
          wasInterrupted |= Thread.interrupted();
          reopen(current);
        } catch (IOException e) {
          throw DeviceFailures.of(what, path, e);
        }
      }
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Replaces a channel that an interrupt closed; leaves it closed when another interrupt comes in
  /// between.
  private void reopen(FileChannel broken) {
    synchronized (lifecycle) {
      if (isClosed || !channel.equals(broken)) {
        return;
      }
      FileChannel fresh;
      try {
        // Waits for a close that an interrupt began: the kernel drops the file's lock with it.
        broken.close();
        fresh = openLocked(path, isDirect);
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        throw DeviceFailures.of("reopen", path, e);
      }
      try {
        long blocks = fresh.size() / geometry.blockBytes();
        if (blocks != geometry.blockCount()) {
          throw new IOException(
              "it has " + blocks + " blocks now, had " + geometry.blockCount() + " when opened");
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        closeAfter(fresh, e);
        throw DeviceFailures.of("reopen", path, e);
      }
      channel = fresh;
    }
  }

  private static FileChannel openLocked(Path path, boolean isDirect) throws IOException {
    FileChannel channel;
    try {
      channel =
          isDirect
              ? FileChannel.open(
                  path,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  ExtendedOpenOption.DIRECT)
              : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.DIRECTORY_UNUSABLE, path + " cannot be opened to read and write: " + e, e);
    }
    try {
      if (channel.tryLock() == null) {
        throw OpenFiles.inUse(path, null);
      }
      return channel;
    } catch (OverlappingFileLockException e) {
      closeAfter(channel, e);
      throw OpenFiles.inUse(path, e);
    } catch (IOException | FloeException e) {
      closeAfter(channel, e);
      throw e;
    }
  }

  private static boolean supportsDirect(Path path, int blockBytes) {
    try {
      long needed = Files.getFileStore(path).getBlockSize();
      if (blockBytes % needed != 0) {
        LOG.warn(
            "{} is used through the page cache: direct I/O needs blocks of {} bytes, configured are {}",
            path,
            needed,
            blockBytes);
        return false;
      }
      FileChannel.open(path, StandardOpenOption.READ, ExtendedOpenOption.DIRECT).close();
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      if (Files.exists(path)) {
        LOG.warn(
            "{} is used through the page cache, direct I/O was refused: {}", path, e.toString());
      }
      return false;
    }
  }

  private static void closeAfter(FileChannel channel, Exception failure) {
    try {
      channel.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /// One transfer; it may be run again from its start.
  private interface Transfer {
    void run(FileChannel file) throws IOException;
  }
}
