package dev.floe.meta.ratis.storage;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogFormat;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;

/// Reads one Ratis log segment and says where its valid records end and what follows. Pure.
///
/// | bytes | content |
/// |---|---|
/// | 8 | `RaftLog1` |
/// | per record: 1 to 5 | varint: length n of the entry, never 0 |
/// | n | `LogEntryProto` |
/// | 4 | CRC32C, big-endian, of length and entry |
/// | rest | zeros: space allocated ahead |
///
/// (Ratis 3.2.2, `SegmentedRaftLogOutputStream`.)
public final class SegmentScan {
  private static final int CRC_BYTES = 4;
  private static final int LENGTH_BYTES_MAX = 5;
  private static final int VARINT_BYTES_MAX = 10;

  /// What a disk writes at once, at least.
  private static final int DISK_BLOCK_BYTES = 512;

  /// Ratis forces the log when so many records wait for it (`raft.server.log.force.sync.num`), and
  /// before the next of them is written.
  public static final int UNFORCED_RECORDS_MAX = 128;

  private static final byte[] ZEROS = new byte[DISK_BLOCK_BYTES];

  private final byte[] bytes;
  private final int entryBytesMax;

  private SegmentScan(byte[] bytes, int entryBytesMax) {
    this.bytes = bytes;
    this.entryBytesMax = entryBytesMax;
  }

  /// Scans a whole segment.
  ///
  /// @param entryBytesMax the largest entry that Ratis is configured to accept
  static Verdict scan(byte[] bytes, int entryBytesMax) {
    return new SegmentScan(bytes, entryBytesMax).scan();
  }

  private Verdict scan() {
    int header = SegmentedRaftLogFormat.getHeaderLength();
    int present = Math.min(header, bytes.length);
    int matching = SegmentedRaftLogFormat.matchHeader(bytes, 0, present);
    int end = endOfData();
    if (matching < header) {
      return end <= matching
          ? new Verdict.Intact(0, matching)
          : new Verdict.Damaged(0, "the header is not RaftLog1");
    }
    int position = header;
    int records = 0;
    long lastIndex = -1;
    while (position < end) {
      LogEntryProto entry = recordAt(position);
      if (entry == null) {
        return judge(position, end, lastIndex);
      }
      if (lastIndex >= 0 && entry.getIndex() != lastIndex + 1) {
        return new Verdict.Damaged(
            position, "entry " + entry.getIndex() + " follows entry " + lastIndex);
      }
      lastIndex = entry.getIndex();
      records++;
      position += recordLength(position);
    }
    return new Verdict.Intact(records, position);
  }

  /// A record that cannot be read: torn when blocks of it, or its end, never reached the disk, else
  /// damage.
  private Verdict judge(int position, int end, long lastIndex) {
    boolean isFirstBlockMissing = isZeroUpToABlock(position);
    if (bytes[position] == 0 && !isFirstBlockMissing) {
      return new Verdict.Damaged(position, "data follows the zeros that end the log");
    }
    if (varintBytes(position) == 0 && bytes.length - position > VARINT_BYTES_MAX) {
      return new Verdict.Damaged(position, "the length of a record has no end");
    }
    int claimedEnd = (int) Math.min(end, position + claimedRecordLength(position));
    int behind = recordsBehind(position, end, lastIndex);
    boolean isLast = claimedEnd == end && behind == 0;
    if (isLast && !isFirstBlockMissing) {
      String rot = rotOfLast(position, end);
      return rot == null
          ? new Verdict.Torn(position, end - position)
          : new Verdict.Damaged(position, rot);
    }
    if (!isFirstBlockMissing && !hasHole(position, claimedEnd)) {
      return new Verdict.Damaged(position, "a record is invalid and others follow it");
    }
    return behind > UNFORCED_RECORDS_MAX
        ? new Verdict.Damaged(
            position,
            "blocks of a record are missing and "
                + behind
                + " valid ones follow, but after "
                + UNFORCED_RECORDS_MAX
                + " the log is forced")
        : new Verdict.Torn(position, end - position);
  }

  /// How many valid records of later entries there are behind a place.
  private int recordsBehind(int position, int end, long lastIndex) {
    int count = 0;
    for (int later = position + 1; later < end; ) {
      LogEntryProto entry = looksLikeRecord(later) ? recordAt(later) : null;
      if (entry != null && entry.getIndex() > lastIndex) {
        count++;
        later += recordLength(later);
      } else {
        later++;
      }
    }
    return count;
  }

  /// What shows that the last record was written completely, so that a crash while writing does not
  /// explain why it is invalid; null when bytes of it are missing.
  private @Nullable String rotOfLast(int position, int end) {
    if (isWholeButForItsLength(position, end)) {
      return "the last record is complete and only its length is wrong: stored bytes have changed";
    }
    int prefix = varintBytes(position);
    long length = varint(position, prefix);
    long crcAt = position + prefix + length;
    long zeros = crcAt + CRC_BYTES - end;
    if (length > entryBytesMax) {
      return "the last record claims a length of " + length + ", the limit is " + entryBytesMax;
    }
    boolean isMissingBytes =
        prefix == 0
            || crcAt + CRC_BYTES > bytes.length
            || zeros >= CRC_BYTES
            || hasHole(position, (int) crcAt);
    if (isMissingBytes) {
      return null;
    }
    // The last one to three bytes are zero: missing, or what the checksum ends in.
    boolean endsInTheChecksum =
        zeros > 0
            && crc(bytes, position, (int) crcAt) >>> (8 * zeros)
                == Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt((int) crcAt))
                    >>> (8 * zeros);
    return endsInTheChecksum
        ? null
        : "the last record is complete and its checksum is wrong: stored bytes have changed";
  }

  /// Whether everything up to the zeros is a record with a right checksum, had it another length.
  private boolean isWholeButForItsLength(int position, int end) {
    for (int zeros = 0; zeros < CRC_BYTES && end + zeros <= bytes.length; zeros++) {
      int crcAt = end + zeros - CRC_BYTES;
      for (int prefix = 1; prefix <= LENGTH_BYTES_MAX; prefix++) {
        int length = crcAt - position - prefix;
        if (length <= 0
            || length > entryBytesMax
            || CodedOutputStream.computeUInt32SizeNoTag(length) != prefix) {
          continue;
        }
        byte[] record = Arrays.copyOfRange(bytes, position, crcAt);
        for (int i = 0; i < prefix; i++) {
          record[i] = (byte) (((length >>> (7 * i)) & 0x7f) | (i < prefix - 1 ? 0x80 : 0));
        }
        if ((int) crc(record, 0, record.length) == ByteBuffer.wrap(bytes).getInt(crcAt)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether there are only zeros from there to where a block of the disk begins: the block that
  /// held the record's beginning is as it was before.
  private boolean isZeroUpToABlock(int position) {
    int block = (position / DISK_BLOCK_BYTES + 1) * DISK_BLOCK_BYTES;
    return block < bytes.length && isZero(position, block);
  }

  /// Whether a whole block of the disk that begins between the two offsets is zero: blocks that were
  /// not forced reach the medium in any order, so a crash can leave one out.
  private boolean hasHole(int from, int to) {
    int first = (from + DISK_BLOCK_BYTES - 1) / DISK_BLOCK_BYTES * DISK_BLOCK_BYTES;
    for (int block = first; block < to; block += DISK_BLOCK_BYTES) {
      if (isZero(block, Math.min(block + DISK_BLOCK_BYTES, bytes.length))) {
        return true;
      }
    }
    return false;
  }

  private boolean isZero(int from, int to) {
    return Arrays.mismatch(bytes, from, to, ZEROS, 0, to - from) < 0;
  }

  private static long crc(byte[] data, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(data, from, to - from);
    return crc.getValue();
  }

  /// Where the trailing zeros begin.
  ///
  /// A checksum may end in zero bytes, so a last record may reach beyond.
  private int endOfData() {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  private @Nullable LogEntryProto recordAt(int position) {
    int prefix = varintBytes(position);
    long length = varint(position, prefix);
    if (prefix == 0 || length <= 0 || length > entryBytesMax) {
      return null;
    }
    long crcAt = position + prefix + length;
    if (crcAt + CRC_BYTES > bytes.length) {
      return null;
    }
    if ((int) crc(bytes, position, (int) crcAt) != ByteBuffer.wrap(bytes).getInt((int) crcAt)) {
      return null;
    }
    try {
      return LogEntryProto.parser().parseFrom(bytes, position + prefix, (int) length);
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  /// Whether the bytes could begin a record: a length, then term and index of an entry. Keeps the
  /// search for later records linear.
  private boolean looksLikeRecord(int position) {
    int prefix = varintBytes(position);
    int term = position + prefix;
    if (prefix == 0 || term + 1 >= bytes.length || bytes[term] != 0x08) {
      return false;
    }
    int termBytes = varintBytes(term + 1);
    int index = term + 1 + termBytes;
    return termBytes > 0 && index < bytes.length && bytes[index] == 0x10;
  }

  private int recordLength(int position) {
    return (int) claimedRecordLength(position);
  }

  /// What the record at the position says of its own length; a broken length claims all that is
  /// left.
  private long claimedRecordLength(int position) {
    int prefix = varintBytes(position);
    return prefix == 0 ? bytes.length - position : prefix + varint(position, prefix) + CRC_BYTES;
  }

  /// Bytes of the varint at the position, at most 10; 0 when it does not end there.
  private int varintBytes(int position) {
    for (int i = 0; i < VARINT_BYTES_MAX && position + i < bytes.length; i++) {
      if (bytes[position + i] >= 0) {
        return i + 1;
      }
    }
    return 0;
  }

  private long varint(int position, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value |= (long) (bytes[position + i] & 0x7f) << (7 * i);
    }
    return value & Long.MAX_VALUE >> 8;
  }

  /// What a segment holds.
  sealed interface Verdict {
    /// Only valid records, then zeros or the end.
    record Intact(int records, int end) implements Verdict {}

    /// What was written last, one record or several, is there in part.
    ///
    /// @param offset where it begins
    /// @param length bytes up to the zeros
    record Torn(int offset, int length) implements Verdict {}

    /// Something that a crash while writing cannot explain.
    record Damaged(int offset, String why) implements Verdict {}
  }
}
