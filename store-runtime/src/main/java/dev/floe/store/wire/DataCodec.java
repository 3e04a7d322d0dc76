package dev.floe.store.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.model.SegmentId;
import dev.floe.proto.data.Range;
import dev.floe.proto.data.ReadRequest;
import dev.floe.proto.data.ReadResponse;
import dev.floe.proto.data.StatusResponse;
import dev.floe.proto.data.WriteRequest;
import dev.floe.proto.data.WriteResponse;
import dev.floe.store.segment.TokenRange;
import java.util.List;

/// Translates the headers of the data plane; `data.proto` has the formats.
///
/// Decoders accept any bytes: what is no such message gives `PROTOCOL_VIOLATION`. They check no
/// values; `store.segment` does.
public final class DataCodec {
  private DataCodec() {}

  /// Encodes a request for `DATA_WRITE`.
  public static ByteString encode(ChunkWrite write) {
    return WriteRequest.newBuilder()
        .setRange(range(write.segment(), write.range()))
        .setChunkBytes(write.chunkBytes())
        .setFrom(write.from())
        .setCrc32C(write.checksum())
        .build()
        .toByteString();
  }

  /// Decodes a request for `DATA_WRITE`.
  public static ChunkWrite decodeWrite(ByteString header) {
    WriteRequest message = parse(WriteRequest.parser(), header, "write request");
    return new ChunkWrite(
        new SegmentId(message.getRange().getSegment()),
        range(message.getRange()),
        message.getChunkBytes(),
        message.getFrom(),
        message.getCrc32C());
  }

  /// Encodes a request for `DATA_READ`.
  public static ByteString encode(BytesRead read) {
    return ReadRequest.newBuilder()
        .setRange(range(read.segment(), read.range()))
        .setFrom(read.from())
        .setLength(read.length())
        .build()
        .toByteString();
  }

  /// Decodes a request for `DATA_READ`.
  public static BytesRead decodeRead(ByteString header) {
    ReadRequest message = parse(ReadRequest.parser(), header, "read request");
    return new BytesRead(
        new SegmentId(message.getRange().getSegment()),
        range(message.getRange()),
        message.getFrom(),
        message.getLength());
  }

  static ByteString written(boolean isComplete) {
    return WriteResponse.newBuilder().setIsComplete(isComplete).build().toByteString();
  }

  /// Whether the answer to a write says that the value is complete.
  public static boolean decodeWritten(ByteString header) {
    return parse(WriteResponse.parser(), header, "write response").getIsComplete();
  }

  static ByteString readable(int checksum) {
    return ReadResponse.newBuilder().setCrc32C(checksum).build().toByteString();
  }

  /// CRC32C of the bytes that come with the answer to a read.
  public static int decodeReadable(ByteString header) {
    return parse(ReadResponse.parser(), header, "read response").getCrc32C();
  }

  static ByteString encode(List<SegmentStatus> segments) {
    StatusResponse.Builder message = StatusResponse.newBuilder();
    for (SegmentStatus segment : segments) {
      message
          .addSegmentsBuilder()
          .setSegment(segment.segment().value())
          .setCapacityBytes(segment.capacityBytes())
          .setRanges(segment.ranges())
          .setGuards(segment.guards())
          .setStaleTokens(segment.staleTokens())
          .setRefusedBusy(segment.refusedBusy());
    }
    return message.build().toByteString();
  }

  /// What a runtime says it holds.
  public static List<SegmentStatus> decodeStatus(ByteString header) {
    return parse(StatusResponse.parser(), header, "status response").getSegmentsList().stream()
        .map(
            m ->
                new SegmentStatus(
                    new SegmentId(m.getSegment()),
                    m.getCapacityBytes(),
                    m.getRanges(),
                    m.getGuards(),
                    m.getStaleTokens(),
                    m.getRefusedBusy()))
        .toList();
  }

  private static Range range(SegmentId segment, TokenRange range) {
    return Range.newBuilder()
        .setSegment(segment.value())
        .setOffset(range.offset())
        .setLength(range.length())
        .setToken(range.token())
        .setObjectBytes(range.objectBytes())
        .build();
  }

  private static TokenRange range(Range message) {
    return new TokenRange(
        message.getOffset(), message.getLength(), message.getToken(), message.getObjectBytes());
  }

  private static <T> T parse(Parser<T> parser, ByteString header, String what) {
    try {
      return parser.parseFrom(header);
    } catch (InvalidProtocolBufferException e) {
      throw new FloeException(
          ErrorCode.PROTOCOL_VIOLATION,
          "the header of " + header.size() + " bytes is no " + what + ": " + e.getMessage(),
          e);
    }
  }

  /// A request to write one chunk of a value, which is the payload.
  ///
  /// @param chunkBytes size of every chunk of the value but the last
  /// @param from where the chunk starts within the value
  /// @param checksum CRC32C of the payload
  public record ChunkWrite(
      SegmentId segment, TokenRange range, int chunkBytes, long from, int checksum) {}

  /// A request for bytes of a value.
  ///
  /// @param from within the value
  public record BytesRead(SegmentId segment, TokenRange range, long from, long length) {}

  /// What a runtime says of one segment.
  ///
  /// @param ranges ranges that a write has touched
  /// @param guards reads and writes under way
  /// @param staleTokens requests refused because of their token
  /// @param refusedBusy writes refused because older requests were on their bytes
  public record SegmentStatus(
      SegmentId segment,
      long capacityBytes,
      long ranges,
      long guards,
      long staleTokens,
      long refusedBusy) {}
}
