package dev.floe.sim.mutant;

import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.RequestHandler;
import dev.floe.proto.data.WriteResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A store that answers one chunk in eight as written and lets it go.
final class ForgetfulStore implements RequestHandler {
  private static final int TAKEN = 8;

  private final RequestHandler real;
  private int writes;

  private ForgetfulStore(RequestHandler real) {
    this.real = real;
  }

  static HandlerTable over(HandlerTable real) {
    return HandlerTable.builder()
        .add(FrameType.DATA_WRITE, new ForgetfulStore(handler(real, FrameType.DATA_WRITE)))
        .add(FrameType.DATA_READ, handler(real, FrameType.DATA_READ))
        .add(FrameType.DATA_STATUS, handler(real, FrameType.DATA_STATUS))
        .build();
  }

  private static RequestHandler handler(HandlerTable table, int type) {
    return Objects.requireNonNull(table.handlerOf(type));
  }

  @Override
  public BodyTarget bodyTarget(RequestHead head) {
    return real.bodyTarget(head);
  }

  @Override
  public Response handle(RequestHead head, @Nullable BodyTarget body) {
    return ++writes % TAKEN == 0
        ? Response.of(WriteResponse.getDefaultInstance().toByteString())
        : real.handle(head, body);
  }
}
