package dev.floe.meta.snapshot;

import static dev.floe.meta.codec.ModelCodec.known;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.codec.ModelCodec;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.place.RangeAllocator;
import dev.floe.meta.place.RangeAllocatorBuilder;
import dev.floe.meta.snapshot.SnapshotFormat.Kind;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateRestorer;
import dev.floe.meta.state.table.Counters;
import dev.floe.meta.state.table.SessionRecord;
import dev.floe.proto.log.AbandonedMessage;
import dev.floe.proto.log.AllocatorMessage;
import dev.floe.proto.log.RouteMessage;
import dev.floe.proto.log.RuntimeRecordMessage;
import dev.floe.proto.log.SegmentMessage;
import dev.floe.proto.log.SessionMessage;
import dev.floe.proto.log.SessionReplyMessage;
import dev.floe.proto.log.SnapshotFooterMessage;
import dev.floe.proto.log.SnapshotHeaderMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Puts the messages of chunks together into records and hands them on.
///
/// Throws `FloeException`, `IllegalArgumentException` or `IllegalStateException` for messages that
/// make no state.
final class SnapshotRecords {
  private final StateRestorer restorer;
  private boolean hasHeader;
  private @Nullable SnapshotFooterMessage footer;
  private @Nullable Segment segment;
  private @Nullable RangeAllocatorBuilder allocator;
  private @Nullable SessionMessage session;
  private TreeMap<Long, MetadataReply> replies = new TreeMap<>();
  private long runtimes;
  private long segments;
  private long routes;
  private long abandoned;
  private long sessions;

  SnapshotRecords(StateRestorer restorer) {
    this.restorer = restorer;
  }

  /// Takes in a chunk and returns how many messages it held.
  int accept(ChunkReader.Chunk chunk) throws IOException {
    if (footer != null) {
      throw corrupt("something follows the footer");
    }
    if (hasHeader == (chunk.kind() == Kind.HEADER)) {
      throw corrupt(hasHeader ? "a second header" : "the header is missing");
    }
    if (chunk.kind() != Kind.ALLOCATOR && chunk.kind() != Kind.SEGMENTS) {
      finishSegment();
    }
    if (chunk.kind() != Kind.SESSIONS) {
      finishSession();
    }
    return switch (chunk.kind()) {
      case HEADER -> each(chunk, SnapshotHeaderMessage.parser(), this::header);
      case RUNTIMES -> each(chunk, RuntimeRecordMessage.parser(), this::runtime);
      case SEGMENTS -> each(chunk, SegmentMessage.parser(), this::segment);
      case ALLOCATOR -> each(chunk, AllocatorMessage.parser(), this::allocator);
      case ROUTES -> each(chunk, RouteMessage.parser(), this::route);
      case ABANDONED -> each(chunk, AbandonedMessage.parser(), this::abandoned);
      case SESSIONS -> each(chunk, SessionMessage.parser(), this::session);
      case FOOTER -> each(chunk, SnapshotFooterMessage.parser(), this::footer);
    };
  }

  /// The state, when everything was there.
  MetadataState finish() {
    SnapshotFooterMessage last = footer;
    if (last == null) {
      throw corrupt("it is cut off: the footer is missing");
    }
    if (runtimes != last.getRuntimes()
        || segments != last.getSegments()
        || routes != last.getRoutes()
        || abandoned != last.getAbandoned()
        || sessions != last.getSessions()) {
      throw corrupt("the footer counts other records than there are");
    }
    return restorer.finish(last.getDigest());
  }

  private static <M extends Message> int each(
      ChunkReader.Chunk chunk, Parser<M> parser, Consumer<M> consumer) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(chunk.payload());
    int messages = 0;
    for (M message = parser.parseDelimitedFrom(in);
        message != null;
        message = parser.parseDelimitedFrom(in)) {
      messages++;
      consumer.accept(message);
    }
    return messages;
  }

  private void header(SnapshotHeaderMessage message) {
    known(message);
    if (hasHeader) {
      throw corrupt("a second header");
    }
    hasHeader = true;
    restorer.header(
        message.getAppliedIndex(),
        message.getTimeMillis(),
        new Counters(
            message.getNextReplicaId(), message.getNextSegmentId(), message.getNextEpoch()));
  }

  private void runtime(RuntimeRecordMessage message) {
    runtimes++;
    restorer.runtime(SnapshotCodec.decode(message));
  }

  private void segment(SegmentMessage message) {
    finishSegment();
    segments++;
    Segment next = SnapshotCodec.decode(message);
    segment = next;
    allocator = new RangeAllocatorBuilder(next.capacityBytes(), next.id().value());
  }

  private void allocator(AllocatorMessage message) {
    known(message);
    RangeAllocatorBuilder current = allocator;
    if (current == null) {
      throw corrupt("an allocator without segment");
    }
    for (long range : message.getRangesList()) {
      current.range(
          Math.multiplyExact(Math.absExact(range), RangeAllocator.GRANULE_BYTES), range > 0);
    }
    for (long offset : message.getFreeList()) {
      current.free(Math.multiplyExact(offset, RangeAllocator.GRANULE_BYTES));
    }
  }

  private void finishSegment() {
    Segment complete = segment;
    RangeAllocatorBuilder current = allocator;
    if (complete != null && current != null) {
      restorer.segment(complete, current.build());
    }
    segment = null;
    allocator = null;
  }

  private void route(RouteMessage message) {
    routes++;
    restorer.route(SnapshotCodec.decode(message));
  }

  private void abandoned(AbandonedMessage message) {
    abandoned++;
    restorer.abandoned(SnapshotCodec.decode(message));
  }

  private void session(SessionMessage message) {
    known(message);
    if (message.hasId()) {
      finishSession();
      sessions++;
      session = message;
    } else if (session == null) {
      throw corrupt("replies without session");
    }
    for (SessionReplyMessage reply : message.getRepliesList()) {
      known(reply);
      if (replies.put(reply.getSequence(), ModelCodec.decode(reply.getReply())) != null) {
        throw corrupt("two replies to one sequence");
      }
    }
  }

  private void finishSession() {
    SessionMessage head = session;
    if (head != null) {
      SessionId id = ModelCodec.decode(head.getId());
      restorer.session(
          new SessionRecord(id, head.getLastSeenIndex(), head.getAnsweredBelow(), replies));
      replies = new TreeMap<>();
      session = null;
    }
  }

  private void footer(SnapshotFooterMessage message) {
    known(message);
    if (footer != null) {
      throw corrupt("a second footer");
    }
    footer = message;
  }

  private static FloeException corrupt(String what) {
    return new FloeException(ErrorCode.CORRUPT, what);
  }
}
