package dev.floe.sim.ratis;

import dev.floe.sim.disk.SimDisk;
import java.nio.ByteBuffer;

/// Planted bugs in what masters do with their files: each must be found by some oracle.
///
/// A force that is left out is one that the disk does not get; the masters run as they are.
public enum DiskMutant {
  /// No bug.
  NONE,
  /// The Raft log is written and never forced.
  LOG_NOT_FORCED,
  /// What a log holds when a master starts is not forced before it counts.
  LOG_NOT_FORCED_AT_START,
  /// A snapshot gets its name before its bytes were forced.
  SNAPSHOT_NOT_FORCED,
  /// Term and vote are written and never forced.
  VOTE_NOT_FORCED,
  /// The repair of a log's tail cuts a whole record too.
  REPAIR_CUTS_TOO_MUCH;

  private static final int HEADER_BYTES = 8;
  private static final int CHECKSUM_BYTES = 4;

  /// Called before each life of a master.
  void beforeStart(SimDisk disk) {
    switch (this) {
      case NONE -> {}
      case LOG_NOT_FORCED -> disk.leaveOutForces(file -> file.contains("/current/log_"));
      case LOG_NOT_FORCED_AT_START -> disk.leaveOutForces(file -> file.contains("/current/log_"));
      case SNAPSHOT_NOT_FORCED -> disk.leaveOutForces(file -> file.contains("/sm/writing."));
      case VOTE_NOT_FORCED -> disk.leaveOutForces(file -> file.contains("/current/raft-meta"));
      case REPAIR_CUTS_TOO_MUCH -> disk.edit(f -> f.contains("/log_inprogress_"), DiskMutant::cut);
    }
  }

  /// Called when a master has started.
  void afterStart(SimDisk disk) {
    if (this == LOG_NOT_FORCED_AT_START) {
      disk.leaveOutForces(file -> false);
    }
  }

  /// Where the last record of a segment begins: a record is a length, that many bytes, a checksum;
  /// after the last one come zeros.
  private static int cut(ByteBuffer segment) {
    int last = segment.limit();
    segment.position(Math.min(HEADER_BYTES, segment.limit()));
    while (segment.hasRemaining()) {
      int start = segment.position();
      int length = varint(segment);
      if (length == 0 || segment.remaining() < length + CHECKSUM_BYTES) {
        break;
      }
      segment.position(segment.position() + length + CHECKSUM_BYTES);
      last = start;
    }
    return last;
  }

  private static int varint(ByteBuffer from) {
    int value = 0;
    for (int shift = 0; shift < 28 && from.hasRemaining(); shift += 7) {
      byte b = from.get();
      value |= (b & 0x7F) << shift;
      if (b >= 0) {
        break;
      }
    }
    return value;
  }
}
