package dev.floe.meta.ratis;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogFormat;
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
final class SegmentScan {
  private static final int CRC_BYTES = 4;

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

  /// A record that cannot be read: torn when it is the last thing in the file, else damage.
  private Verdict judge(int position, int end, long lastIndex) {
    if (bytes[position] == 0) {
      return new Verdict.Damaged(position, "data follows the zeros that end the log");
    }
    long claimedEnd = (long) position + claimedRecordLength(position);
    if (claimedEnd < end) {
      return new Verdict.Damaged(position, "a record is invalid and others follow it");
    }
    for (int later = position + 1; later < end; later++) {
      LogEntryProto entry = looksLikeRecord(later) ? recordAt(later) : null;
      if (entry != null && entry.getIndex() > lastIndex) {
        return new Verdict.Damaged(
            position, "a record is invalid and a valid one follows it at offset " + later);
      }
    }
    return new Verdict.Torn(position, end - position);
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
    CRC32C crc = new CRC32C();
    crc.update(bytes, position, prefix + (int) length);
    if ((int) crc.getValue() != ByteBuffer.wrap(bytes).getInt((int) crcAt)) {
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
    for (int i = 0; i < 10 && position + i < bytes.length; i++) {
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

    /// The last record was written in part.
    ///
    /// @param offset where it begins
    /// @param length bytes up to the zeros
    record Torn(int offset, int length) implements Verdict {}

    /// Something that a crash while writing cannot explain.
    record Damaged(int offset, String why) implements Verdict {}
  }
}
