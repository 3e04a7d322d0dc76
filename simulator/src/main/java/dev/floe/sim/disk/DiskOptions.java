package dev.floe.sim.disk;

import java.time.Duration;

/// What kind of disk and file system it is.
///
/// @param sectorBytes what the medium writes as a whole: 512 or 4096
/// @param names which names a force makes durable
/// @param forceMax usual longest time of a force; one in 64 takes up to 8 times, one in 1024 up to 40
///     times as long
/// @param readMax usual longest time of a read that is not in the page cache
public record DiskOptions(int sectorBytes, Names names, Duration forceMax, Duration readMax) {
  /// Sectors of 512 bytes, the guarantees of ext4 and xfs, a fast SSD.
  public static final DiskOptions LINUX =
      new DiskOptions(512, Names.JOURNALED, Duration.ofMillis(2), Duration.ofMillis(1));

  public DiskOptions {
    if (sectorBytes != 512 && sectorBytes != 4096) {
      throw new IllegalArgumentException("a sector has 512 or 4096 bytes, not " + sectorBytes);
    }
  }

  /// With other sectors.
  public DiskOptions withSectorBytes(int bytes) {
    return new DiskOptions(bytes, names, forceMax, readMax);
  }

  /// With other guarantees.
  public DiskOptions withNames(Names other) {
    return new DiskOptions(sectorBytes, other, forceMax, readMax);
  }

  /// Which creations, renames and removals a force makes durable.
  public enum Names {
    /// As ext4 and xfs do: changes of names go to a journal in order. Forcing a directory makes its
    /// changes durable, forcing a file with its metadata those that concern the file, forcing only
    /// its data its creation; and all that came before in the journal. After a power loss a
    /// beginning of the journal survives.
    JOURNALED,
    /// As POSIX says: only forcing the directory makes its names durable, and after a power loss
    /// any subset of the others survives.
    POSIX
  }
}
