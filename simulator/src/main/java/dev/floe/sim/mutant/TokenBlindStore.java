package dev.floe.sim.mutant;

import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.RequestHandler;
import dev.floe.store.segment.TokenRange;
import dev.floe.store.wire.DataCodec;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A store that reads for any token: it asks the real one under the token that filled the range
/// last, as a store without the check would.
final class TokenBlindStore {
  private final Map<String, TokenRange> filled = new HashMap<>();

  private TokenBlindStore() {}

  static HandlerTable over(HandlerTable real) {
    TokenBlindStore blind = new TokenBlindStore();
    RequestHandler write = Objects.requireNonNull(real.handlerOf(FrameType.DATA_WRITE));
    RequestHandler read = Objects.requireNonNull(real.handlerOf(FrameType.DATA_READ));
    RequestHandler status = Objects.requireNonNull(real.handlerOf(FrameType.DATA_STATUS));
    return HandlerTable.builder()
        .add(FrameType.DATA_WRITE, blind.new Write(write))
        .add(FrameType.DATA_READ, blind.new Read(read))
        .add(FrameType.DATA_STATUS, status)
        .build();
  }

  private static String place(dev.floe.meta.model.SegmentId segment, TokenRange range) {
    return segment + " " + range.offset();
  }

  private final class Write implements RequestHandler {
    private final RequestHandler real;

    Write(RequestHandler real) {
      this.real = real;
    }

    @Override
    public BodyTarget bodyTarget(RequestHead head) {
      return real.bodyTarget(head);
    }

    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      Response response = real.handle(head, body);
      DataCodec.ChunkWrite write = DataCodec.decodeWrite(head.header());
      filled.put(place(write.segment(), write.range()), write.range());
      return response;
    }
  }

  private final class Read implements RequestHandler {
    private final RequestHandler real;

    Read(RequestHandler real) {
      this.real = real;
    }

    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      DataCodec.BytesRead read = DataCodec.decodeRead(head.header());
      TokenRange there = filled.get(place(read.segment(), read.range()));
      if (there == null || there.objectBytes() < read.from() + read.length()) {
        return real.handle(head, body);
      }
      DataCodec.BytesRead blind =
          new DataCodec.BytesRead(read.segment(), there, read.from(), read.length());
      return real.handle(
          new RequestHead(
              head.type(), DataCodec.encode(blind), head.bodyBytes(), head.peer(), head.deadline()),
          body);
    }
  }
}
