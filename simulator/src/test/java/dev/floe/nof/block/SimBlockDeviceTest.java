package dev.floe.nof.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.sim.disk.DiskFaults;
import dev.floe.sim.disk.DiskOptions;
import dev.floe.sim.disk.DiskTime;
import dev.floe.sim.disk.PowerLoss;
import dev.floe.sim.disk.SimBlockDevice;
import dev.floe.sim.disk.SimDisk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SimBlockDeviceTest extends BlockDeviceContractTest {
  private static final BlockGeometry GEOMETRY = new BlockGeometry(4096, 2048);
  private static final Path PLACE = Path.of("device");

  private final SimDisk disk =
      new SimDisk("d", DiskOptions.LINUX, DiskTime.NONE, new SplittableRandom(1));

  @Override
  BlockDevice newDevice() {
    return SimBlockDevice.open(disk, PLACE, GEOMETRY);
  }

  @Override
  BlockDevice reopen(BlockDevice device) {
    device.close();
    disk.powerLoss(PowerLoss.NOTHING);
    return newDevice();
  }

  @Test
  void losesUnflushedBlocksWithThePower() {
    BlockDevice device = newDevice();
    device.write(0, pattern(1, 1));
    device.flush();
    device.write(0, pattern(2, 1));
    BlockDevice after = reopen(device);
    ByteBuffer seen = aligned(4096);
    after.read(0, seen);
    assertThat(seen.flip()).isEqualTo(pattern(1, 1));
  }

  @Test
  void refusesWritesAfterAFlushFailed() {
    BlockDevice device = newDevice();
    device.write(0, pattern(1, 1));
    disk.faults().errors(DiskFaults.Operation.FORCE, 1);
    assertCode(device::flush, ErrorCode.IO_ERROR);
    disk.faults().heal();
    assertCode(() -> device.write(0, pattern(1, 1)), ErrorCode.IO_ERROR);
    assertCode(device::flush, ErrorCode.IO_ERROR);
  }

  @Test
  void movesAllBytesThoughTheDiskMovesThemInParts() {
    disk.faults().shortWrites(1);
    BlockDevice device = newDevice();
    device.write(0, pattern(1, 3));
    ByteBuffer seen = aligned(3 * 4096);
    device.read(0, seen);
    assertThat(seen.flip()).isEqualTo(pattern(1, 3));
  }

  @Test
  void saysWhenTheMediumBehindItIsFull() {
    BlockDevice device = newDevice();
    disk.leaveSpace(0);
    assertCode(() -> device.write(4096 * 10, pattern(1, 1)), ErrorCode.NO_SPACE);
    disk.makeSpace();
    device.write(4096 * 10, pattern(1, 1));
  }
}
