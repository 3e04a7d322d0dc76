package dev.floe.meta.snapshot;

import com.google.protobuf.Message;
import dev.floe.meta.codec.ModelCodec;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.Segment;
import dev.floe.meta.place.RangeAllocator;
import dev.floe.meta.snapshot.SnapshotFormat.Kind;
import dev.floe.meta.state.StateCapture;
import dev.floe.meta.state.table.SessionRecord;
import dev.floe.proto.log.AllocatorMessage;
import dev.floe.proto.log.SessionMessage;
import dev.floe.proto.log.SessionReplyMessage;
import dev.floe.proto.log.SnapshotFooterMessage;
import dev.floe.proto.log.SnapshotHeaderMessage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/// Writes a captured state as a snapshot (`SnapshotFormat`).
public final class SnapshotWriter {
  /// Ranges in one message, at most 11 bytes each.
  private static final int RANGES_PER_MESSAGE = 16_384;

  /// Replies in one message, of some hundred bytes each, at most some thousand.
  private static final int REPLIES_PER_MESSAGE = 64;

  private final ChunkWriter chunks;
  private long segments;
  private long routes;
  private long abandoned;
  private long sessions;

  private SnapshotWriter(ChunkWriter chunks) {
    this.chunks = chunks;
  }

  /// Writes the whole snapshot; neither closes the stream nor forces anything to a medium. Any
  /// thread, beside apply; equal states give equal bytes. The capture must be open and stays so.
  public static void write(StateCapture capture, OutputStream out) throws IOException {
    try {
      new SnapshotWriter(new ChunkWriter(out)).write(capture);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void write(StateCapture capture) throws IOException {
    add(
        Kind.HEADER,
        SnapshotHeaderMessage.newBuilder()
            .setAppliedIndex(capture.appliedIndex())
            .setTimeMillis(capture.appliedTimeMillis())
            .setNextReplicaId(capture.counters().nextReplicaId())
            .setNextSegmentId(capture.counters().nextSegmentId())
            .setNextEpoch(capture.counters().nextEpoch())
            .build());
    for (RuntimeRecord runtime : capture.runtimes()) {
      add(Kind.RUNTIMES, ModelCodec.encode(runtime));
    }
    capture.forEachSegment(this::segment);
    capture.forEachRoute(
        route -> {
          routes++;
          add(Kind.ROUTES, SnapshotCodec.encode(route));
        });
    capture.forEachAbandoned(
        one -> {
          abandoned++;
          add(Kind.ABANDONED, SnapshotCodec.encode(one));
        });
    capture.forEachSession(this::session);
    add(
        Kind.FOOTER,
        SnapshotFooterMessage.newBuilder()
            .setRuntimes(capture.runtimes().size())
            .setSegments(segments)
            .setRoutes(routes)
            .setAbandoned(abandoned)
            .setSessions(sessions)
            .setDigest(capture.digest())
            .build());
    chunks.flush();
  }

  private void segment(Segment segment, RangeAllocator allocator) {
    segments++;
    add(Kind.SEGMENTS, ModelCodec.encode(segment));
    AllocatorMessage.Builder part = AllocatorMessage.newBuilder();
    allocator.forEachRange(
        (_, length, isUsed) -> {
          long granules = length / RangeAllocator.GRANULE_BYTES;
          part.addRanges(isUsed ? granules : -granules);
          if (part.getRangesCount() == RANGES_PER_MESSAGE) {
            addAndClear(part);
          }
        });
    allocator.forEachFree(
        offset -> {
          part.addFree(offset / RangeAllocator.GRANULE_BYTES);
          if (part.getFreeCount() == RANGES_PER_MESSAGE) {
            addAndClear(part);
          }
        });
    addAndClear(part);
  }

  private void addAndClear(AllocatorMessage.Builder part) {
    add(Kind.ALLOCATOR, part.build());
    part.clear();
  }

  private void session(SessionRecord session) {
    sessions++;
    SessionMessage.Builder part =
        SessionMessage.newBuilder()
            .setId(ModelCodec.encode(session.id()))
            .setLastSeenIndex(session.lastSeenIndex())
            .setAnsweredBelow(session.answeredBelow());
    for (Map.Entry<Long, MetadataReply> reply : session.replies().entrySet()) {
      part.addReplies(
          SessionReplyMessage.newBuilder()
              .setSequence(reply.getKey())
              .setReply(ModelCodec.encode(reply.getValue())));
      if (part.getRepliesCount() == REPLIES_PER_MESSAGE) {
        add(Kind.SESSIONS, part.build());
        part.clear();
      }
    }
    if (part.hasId() || part.getRepliesCount() > 0) {
      add(Kind.SESSIONS, part.build());
    }
  }

  private void add(Kind kind, Message message) {
    try {
      chunks.add(kind, message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
