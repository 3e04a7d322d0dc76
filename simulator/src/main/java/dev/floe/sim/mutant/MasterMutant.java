package dev.floe.sim.mutant;

import dev.floe.sim.disk.SimDisk;
import java.nio.ByteBuffer;
import java.util.Set;

/// Planted bugs in what masters do with their files and add to Ratis, each with the rules of which
/// one must fail.
///
/// A force that is left out is one that the disk does not get; the masters run as they are.
public enum MasterMutant {
  /// No bug.
  NONE(""),
  /// The Raft log is written and never forced.
  LOG_NOT_FORCED(LostWrites.RULES),
  /// What a log holds when a master starts is not forced before it counts.
  LOG_NOT_FORCED_AT_START(LostWrites.RULES),
  /// A snapshot gets its name before its bytes were forced.
  SNAPSHOT_NOT_FORCED("RESTART"),
  /// Term and vote are written and never forced.
  VOTE_NOT_FORCED("ONE_VOTE RESTART"),
  /// The repair of a log's tail cuts a whole record too.
  REPAIR_CUTS_TOO_MUCH(LostWrites.RULES),
  /// What a follower answers to a heartbeat is taken for a proof of what it holds (RATIS-2605).
  HEARTBEAT_PROVES_MATCH(Omission.HEARTBEAT_PROVES_NOTHING, "STATE_MACHINE_SAFETY CONVERGENCE");

  private static final int HEADER_BYTES = 8;
  private static final int CHECKSUM_BYTES = 4;

  private final Omission omission;
  private final String catchers;

  /// @param catchers rules with blanks between them
  MasterMutant(String catchers) {
    this(Omission.NOTHING, catchers);
  }

  MasterMutant(Omission omission, String catchers) {
    this.omission = omission;
    this.catchers = catchers;
  }

  /// The rules of which one must fail when this is planted.
  public Set<String> catchers() {
    return Set.of(catchers.split(" ", -1));
  }

  /// What masters leave out of what they add to Ratis.
  public Omission omission() {
    return omission;
  }

  /// Called before each life of a master.
  public void beforeStart(SimDisk disk) {
    switch (this) {
      case NONE, HEARTBEAT_PROVES_MATCH -> {}
      case LOG_NOT_FORCED -> disk.leaveOutForces(file -> file.contains("/current/log_"));
      case LOG_NOT_FORCED_AT_START -> disk.leaveOutForces(file -> file.contains("/current/log_"));
      case SNAPSHOT_NOT_FORCED -> disk.leaveOutForces(file -> file.contains("/sm/writing."));
      case VOTE_NOT_FORCED -> disk.leaveOutForces(file -> file.contains("/current/raft-meta"));
      case REPAIR_CUTS_TOO_MUCH ->
          disk.edit(f -> f.contains("/log_inprogress_"), MasterMutant::cut);
    }
  }

  /// Called when a master has started.
  public void afterStart(SimDisk disk) {
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

  /// What can come of acknowledged writes that are gone, for which rule comes first is chance.
  private static final class LostWrites {
    static final String RULES = "STATE_MACHINE_SAFETY DURABILITY EXACTLY_ONCE STALE_READ RESTART";
  }
}
