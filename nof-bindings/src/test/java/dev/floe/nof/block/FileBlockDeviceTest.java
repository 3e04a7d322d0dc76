package dev.floe.nof.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file device with direct I/O where the file system of the build allows it.
class FileBlockDeviceTest extends BlockDeviceContractTest {
  static final long MIB = 1L << 20;
  @TempDir Path folder;

  FileBlockDevice.Options options() {
    return FileBlockDevice.Options.DEFAULT;
  }

  private Path file() {
    return folder.resolve("device");
  }

  @Override
  BlockDevice newDevice() {
    return FileBlockDevice.create(file(), 64 * MIB, options());
  }

  @Override
  BlockDevice reopen(BlockDevice device) {
    device.close();
    return FileBlockDevice.open(file(), options());
  }

  @Test
  void makesSparseFilesUpToTebibytes() throws IOException {
    Path large = folder.resolve("large");
    try (FileBlockDevice device = FileBlockDevice.create(large, 1L << 40, options())) {
      assertThat(device.geometry().capacityBytes()).isEqualTo(1L << 40);
      long last = (1L << 40) - 4096;
      device.write(last, pattern(1, 1));
      var read = aligned(4096);
      device.read(last, read);
      assertThat(read.flip()).isEqualTo(pattern(1, 1));
      long used = (Long) Files.getAttribute(large, "unix:size");
      assertThat(used).isEqualTo(1L << 40);
    }
  }

  @Test
  void refusesCapacitiesOutsideTheLimitsAndExistingFiles() {
    Path other = folder.resolve("other");
    for (long bytes : new long[] {-1, 0, 64 * MIB - 4096, 64 * MIB + 1, (1L << 48) + 4096}) {
      assertThatThrownBy(() -> FileBlockDevice.create(other, bytes, options()))
          .hasMessageContainingAll("capacity " + bytes, "" + 64 * MIB);
    }
    assertThat(other).doesNotExist();
    assertCode(() -> FileBlockDevice.create(file(), 64 * MIB, options()), ErrorCode.ALREADY_EXISTS);
  }

  @Test
  void refusesASecondDeviceOnTheSameFileAndKeepsTheFirstLocked() throws Exception {
    assertCode(() -> FileBlockDevice.open(file(), options()), ErrorCode.DIRECTORY_IN_USE);
    assertThat(Files.readString(Path.of("/proc/locks")))
        .contains(":" + Files.getAttribute(file(), "unix:ino") + " ");
  }

  @Test
  void refusesMissingFilesAndFilesSmallerThanABlock() throws IOException {
    assertCode(
        () -> FileBlockDevice.open(folder.resolve("none"), options()),
        ErrorCode.DIRECTORY_UNUSABLE);
    Path tiny = Files.write(folder.resolve("tiny"), new byte[100]);
    assertCode(() -> FileBlockDevice.open(tiny, options()), ErrorCode.DIRECTORY_UNUSABLE);
    assertCode(() -> FileBlockDevice.open(tiny, options()), ErrorCode.DIRECTORY_UNUSABLE);
  }

  @Test
  void reportsAFullMediumAsNoSpace() throws IOException {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.isWritable(full));
    FileChannel channel = FileChannel.open(full, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try (BlockDevice device =
        new FileBlockDevice(full, new BlockGeometry(4096, 1024), false, channel)) {
      assertThatThrownBy(() -> device.write(0, aligned(4096)))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SPACE))
          .hasMessageContaining("/dev/full");
    }
  }

  @Test
  void reportsACutFileAsAnIoErrorNeverAsZeros() throws IOException {
    Path cut = folder.resolve("cut");
    try (FileBlockDevice device = FileBlockDevice.create(cut, 64 * MIB, options())) {
      try (FileChannel other = FileChannel.open(cut, StandardOpenOption.WRITE)) {
        other.truncate(4096);
      }
      assertCode(() -> device.read(4096, aligned(4096)), ErrorCode.IO_ERROR);
    }
  }

  @Test
  void neverClaimsAFlushAfterAFailedOne() throws IOException {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    FileChannel channel =
        FileChannel.open(file(), StandardOpenOption.READ, StandardOpenOption.WRITE);
    try (BlockDevice device =
        new FileBlockDevice(
            file(),
            new BlockGeometry(4096, 1024),
            false,
            new FaultyFileChannel(channel, isBroken::get))) {
      device.write(0, pattern(1, 1));
      assertCode(device::flush, ErrorCode.IO_ERROR);
      isBroken.set(false);
      assertCode(device::flush, ErrorCode.IO_ERROR);
      assertCode(() -> device.write(0, pattern(1, 1)), ErrorCode.IO_ERROR);
      device.read(0, aligned(4096));
    }
  }

  @Test
  void usesDirectIoOnlyWhereAskedAndPossible() throws IOException {
    Path other = folder.resolve("other");
    try (FileBlockDevice small =
        FileBlockDevice.create(other, 64 * MIB, new FileBlockDevice.Options(512, true))) {
      boolean fits = Files.getFileStore(other).getBlockSize() <= 512;
      assertThat(small.isDirect()).isEqualTo(fits);
      small.write(512, aligned(512));
    }
    try (FileBlockDevice buffered =
        FileBlockDevice.open(other, new FileBlockDevice.Options(4096, false))) {
      assertThat(buffered.isDirect()).isFalse();
    }
  }
}
