package dev.floe.meta.ratis.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.ratis.storage.SegmentScan.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogOutputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Segments are written by Ratis's own writer, so that its format is what is tested.
class LogTailRepairTest {
  private static final int ENTRY_MAX = 4 << 20;
  private static final int RECORDS = 5;

  @TempDir Path group;
  private Path current;
  private Path segment;
  private final List<Integer> offsets = new ArrayList<>();
  private byte[] intact = {};

  @BeforeEach
  void writeSegment() throws IOException {
    current = Files.createDirectories(group.resolve("current"));
    segment = current.resolve("log_inprogress_7");
    Files.writeString(current.resolve("raft-meta"), "term=3\nvotedFor=m1\n");
    Random random = new Random(42);
    long end = 8;
    try (SegmentedRaftLogOutputStream out =
        new SegmentedRaftLogOutputStream(
            segment.toFile(), false, 1 << 20, 4096, ByteBuffer.allocateDirect(1 << 16))) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] data = new byte[150 + i];
        random.nextBytes(data);
        LogEntryProto entry =
            LogEntryProto.newBuilder()
                .setTerm(3)
                .setIndex(7 + i)
                .setStateMachineLogEntry(
                    StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(data)))
                .build();
        out.write(entry);
        offsets.add((int) end);
        int size = entry.getSerializedSize();
        end += size + 4 + (size < 128 ? 1 : 2);
      }
    }
    offsets.add((int) end);
    // Closing takes the space away that was allocated ahead; a machine that stops leaves it.
    byte[] closed = Files.readAllBytes(segment);
    assertThat(closed).hasSize((int) end);
    intact = Arrays.copyOf(closed, 4096);
    Files.write(segment, intact);
    assertThat(intact[(int) end - 1] | intact[(int) end - 2]).isNotZero();
  }

  private List<LogTailRepair.Cut> run() {
    return new LogTailRepair(group, ENTRY_MAX).run();
  }

  private void write(byte[] bytes) {
    try {
      Files.write(segment, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void intactSegmentIsLeftAlone() throws IOException {
    assertThat(run()).isEmpty();
    assertThat(Files.readAllBytes(segment)).isEqualTo(intact);
  }

  @Test
  void directoryWithoutLogIsFine() throws IOException {
    Files.delete(segment);
    assertThat(run()).isEmpty();
    assertThat(new LogTailRepair(group.resolve("nothing"), ENTRY_MAX).run()).isEmpty();
  }

  private static Verdict scan(byte[] bytes) {
    return SegmentScan.scan(bytes, ENTRY_MAX);
  }

  @Test
  void tornRecordIsCutAndItsBytesAreKept() throws IOException {
    int start = offsets.get(RECORDS - 1);
    byte[] torn = intact.clone();
    Arrays.fill(torn, start + 100, torn.length, (byte) 0);
    write(torn);
    List<LogTailRepair.Cut> cuts = run();
    assertThat(cuts).hasSize(1);
    assertThat(cuts.getFirst().offset()).isEqualTo(start);
    assertThat(Files.readAllBytes(segment)).isEqualTo(Arrays.copyOf(intact, start));
    int kept = (int) cuts.getFirst().length();
    assertThat(kept).isBetween(95, 100);
    assertThat(Files.readAllBytes(cuts.getFirst().kept()))
        .isEqualTo(Arrays.copyOfRange(torn, start, start + kept));
    assertThat(run()).as("a second run finds nothing").isEmpty();
  }

  @Test
  void lastRecordTornAtAnyByteIsSeenAsTorn() {
    int start = offsets.get(RECORDS - 1);
    int end = offsets.get(RECORDS);
    for (int written = 1; written < end - start; written++) {
      byte[] torn = intact.clone();
      Arrays.fill(torn, start + written, torn.length, (byte) 0);
      byte[] cutOff = Arrays.copyOf(intact, start + written);
      if (!Arrays.equals(torn, intact)) {
        assertThat(scan(torn))
            .as("%d bytes written, then zeros", written)
            .isInstanceOfSatisfying(
                Verdict.Torn.class, t -> assertThat(t.offset()).isEqualTo(start));
      }
      assertThat(scan(cutOff))
          .as("%d bytes written, then the end", written)
          .isInstanceOfSatisfying(Verdict.Torn.class, t -> assertThat(t.offset()).isEqualTo(start));
    }
  }

  /// Everything of the record is there, so no crash while writing explains it.
  @Test
  void flippedBitInACompleteLastRecordIsDamageWhateverItBreaks() {
    int start = offsets.get(RECORDS - 1);
    int end = offsets.get(RECORDS);
    for (int at = start; at < end; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = intact.clone();
        flipped[at] ^= (byte) (1 << bit);
        byte[] withoutPadding = Arrays.copyOf(flipped, end);
        for (byte[] file : List.of(flipped, withoutPadding)) {
          assertThat(scan(file))
              .as("bit %d of byte %d", bit, at)
              .isInstanceOfSatisfying(
                  Verdict.Damaged.class, d -> assertThat(d.offset()).isEqualTo(start));
        }
      }
    }
  }

  @Test
  void bitRotInTheLastRecordIsRefusedAndSaidToBeNone() throws IOException {
    byte[] flipped = intact.clone();
    flipped[offsets.get(RECORDS - 1) + 50] ^= 4;
    write(flipped);
    assertThatThrownBy(this::run)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
        .hasMessageContaining("offset " + offsets.get(RECORDS - 1))
        .hasMessageContaining("complete")
        .hasMessageContaining("stored bytes have changed");
    assertThat(Files.readAllBytes(segment)).isEqualTo(flipped);
  }

  /// The checksum of one record in 256 ends in zero; damage is still told from a missing byte.
  @Test
  void recordWhoseChecksumEndsInZeroIsTornOnlyWhenTheRestOfItIsRight() throws IOException {
    byte[] file = segmentWith(data -> crcOf(data) % 256 == 0 && crcOf(data) % 65_536 != 0);
    int end = lastNonZero(file) + 2;
    for (int at = 8; at < end - 5; at += 7) {
      byte[] flipped = file.clone();
      flipped[at] ^= 8;
      assertThat(scan(flipped)).as("byte %d", at).isInstanceOf(Verdict.Damaged.class);
    }
    assertThat(scan(file)).isInstanceOf(Verdict.Intact.class);
    byte[] torn = file.clone();
    torn[end - 2] = 0;
    assertThat(scan(torn)).isInstanceOf(Verdict.Torn.class);
  }

  /// Blocks of one write reach the disk in any order.
  @Test
  void recordWithABlockThatNeverReachedTheDiskIsTorn() throws IOException {
    byte[] file = segmentWith(data -> data[0] != 0);
    byte[] holed = file.clone();
    Arrays.fill(holed, 1024, 1536, (byte) 0);
    assertThat(scan(holed))
        .isInstanceOfSatisfying(Verdict.Torn.class, t -> assertThat(t.offset()).isEqualTo(8));

    byte[] lessThanABlock = file.clone();
    Arrays.fill(lessThanABlock, 1024, 1535, (byte) 0);
    assertThat(scan(lessThanABlock)).isInstanceOf(Verdict.Damaged.class);
  }

  /// What the block held before stays: zeros from the record's first byte to the block's end.
  @Test
  void lastRecordWithoutItsFirstBlockIsTorn() {
    int end = offsets.get(RECORDS);
    int nextBlock = (end / 512 + 1) * 512;
    byte[] holed = intact.clone();
    Arrays.fill(holed, nextBlock, nextBlock + 700, (byte) 9);
    assertThat(scan(holed))
        .isInstanceOfSatisfying(
            Verdict.Torn.class,
            t -> {
              assertThat(t.offset()).isEqualTo(end);
              assertThat(t.length()).isEqualTo(nextBlock + 700 - end);
            });
  }

  /// Nothing behind a block that was not forced was forced.
  @Test
  void recordsBehindAMissingBlockGoWithIt() {
    byte[] file = segmentOf(40);
    byte[] holed = file.clone();
    Arrays.fill(holed, 1024, 1536, (byte) 0);
    assertThat(scan(holed))
        .isInstanceOfSatisfying(
            Verdict.Torn.class,
            t -> {
              assertThat(t.offset()).isBetween(700, 1024);
              assertThat(t.offset() + t.length()).isEqualTo(lastNonZero(file) + 1);
            });

    byte[] lessThanABlock = file.clone();
    Arrays.fill(lessThanABlock, 1024, 1535, (byte) 0);
    assertThat(scan(lessThanABlock))
        .isInstanceOfSatisfying(
            Verdict.Damaged.class, d -> assertThat(d.why()).contains("others follow"));
  }

  /// With so many behind it, it was forced once.
  @Test
  void missingBlockThatWasForcedIsDamage() {
    byte[] file = segmentOf(200);
    Arrays.fill(file, 1024, 1536, (byte) 0);
    assertThat(scan(file))
        .isInstanceOfSatisfying(
            Verdict.Damaged.class, d -> assertThat(d.why()).contains("the log is forced"));
  }

  /// A segment of so many records with 160 random bytes each.
  private static byte[] segmentOf(int records) {
    Random random = new Random(3);
    java.io.ByteArrayOutputStream file = new java.io.ByteArrayOutputStream();
    try {
      file.writeBytes("RaftLog1".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      for (int i = 0; i < records; i++) {
        byte[] data = new byte[160];
        random.nextBytes(data);
        java.io.ByteArrayOutputStream record = new java.io.ByteArrayOutputStream();
        entry(7 + i, data).writeDelimitedTo(record);
        CRC32C crc = new CRC32C();
        crc.update(record.toByteArray());
        file.writeBytes(record.toByteArray());
        file.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] padded = Arrays.copyOf(file.toByteArray(), file.size() + 1024);
    assertThat(scan(padded)).isInstanceOf(Verdict.Intact.class);
    return padded;
  }

  private static LogEntryProto entry(int index, byte[] data) {
    return LogEntryProto.newBuilder()
        .setTerm(3)
        .setIndex(index)
        .setStateMachineLogEntry(
            StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(data)))
        .build();
  }

  /// As it stands in the file: of length and entry.
  private static long crcOf(byte[] data) {
    java.io.ByteArrayOutputStream record = new java.io.ByteArrayOutputStream();
    try {
      entry(7, data).writeDelimitedTo(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    CRC32C crc = new CRC32C();
    crc.update(record.toByteArray());
    return crc.getValue();
  }

  /// A segment with one record of some 2000 random bytes of which the condition holds.
  private byte[] segmentWith(Predicate<byte[]> condition) throws IOException {
    Random random = new Random(7);
    byte[] data = new byte[2000];
    do {
      random.nextBytes(data);
    } while (!condition.test(data));
    Path file = group.resolve("one");
    Files.deleteIfExists(file);
    try (SegmentedRaftLogOutputStream out =
        new SegmentedRaftLogOutputStream(
            file.toFile(), false, 1 << 20, 4096, ByteBuffer.allocateDirect(1 << 16))) {
      out.write(entry(7, data));
    }
    return Arrays.copyOf(Files.readAllBytes(file), 4096);
  }

  private static int lastNonZero(byte[] file) {
    int last = file.length - 1;
    while (file[last] == 0) {
      last--;
    }
    return last;
  }

  @Test
  void flippedBitInAnyEarlierRecordIsDamageWhateverItBreaks() {
    for (int at = 0; at < offsets.get(RECORDS - 1); at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = intact.clone();
        flipped[at] ^= (byte) (1 << bit);
        int position = at;
        assertThat(scan(flipped))
            .as("bit %d of byte %d", bit, at)
            .isInstanceOfSatisfying(
                Verdict.Damaged.class,
                d -> assertThat(d.offset()).isEqualTo(recordStart(position)));
      }
    }
  }

  @Test
  void damageIsRefusedAndNothingIsTouched() throws IOException {
    byte[] flipped = intact.clone();
    flipped[offsets.get(2) + 20] ^= 1;
    write(flipped);
    assertThatThrownBy(this::run)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
        .hasMessageContaining("log_inprogress_7")
        .hasMessageContaining("offset " + offsets.get(2))
        .hasMessageContaining("new master id");
    assertThat(Files.readAllBytes(segment)).isEqualTo(flipped);
  }

  private int recordStart(int position) {
    return position < 8
        ? 0
        : offsets.stream().filter(o -> o <= position).mapToInt(o -> o).max().orElse(0);
  }

  @Test
  void dataAfterTheZerosIsRefused() {
    byte[] more = intact.clone();
    int end = offsets.get(RECORDS);
    assertThat(end % 512).isLessThan(500);
    more[end + 10] = 1;
    write(more);
    assertThatThrownBy(this::run)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT));
  }

  @Test
  void missingRecordIsRefused() {
    byte[] gap = new byte[intact.length];
    int from = offsets.get(1);
    int to = offsets.get(2);
    System.arraycopy(intact, 0, gap, 0, from);
    System.arraycopy(intact, to, gap, from, intact.length - to);
    write(gap);
    assertThatThrownBy(this::run)
        .isInstanceOf(FloeException.class)
        .hasMessageContaining("entry 9 follows entry 7");
  }

  @Test
  void headerWrittenInPartIsLeftToRatis() {
    for (int length = 0; length <= 8; length++) {
      byte[] partial = new byte[64];
      System.arraycopy(intact, 0, partial, 0, length);
      write(partial);
      assertThat(run()).isEmpty();
      write(Arrays.copyOf(intact, length));
      assertThat(run()).isEmpty();
    }
  }

  @Test
  void lostVoteIsRefused() throws IOException {
    Path meta = current.resolve("raft-meta");
    for (String content : List.of("", "term=\nvotedFor=m1\n", "votedFor=m1\n", "term=x\n")) {
      Files.writeString(meta, content);
      assertThatThrownBy(this::run)
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
          .hasMessageContaining("raft-meta")
          .hasMessageContaining("new master id");
    }
    Files.delete(meta);
    assertThatThrownBy(this::run).hasMessageContaining("raft-meta");
  }
}
