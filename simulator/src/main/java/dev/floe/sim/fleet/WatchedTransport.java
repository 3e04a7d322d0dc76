package dev.floe.sim.fleet;

import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.RequestHandler;
import dev.floe.core.wire.Transport;
import dev.floe.sim.check.StoreOracle;
import dev.floe.store.segment.TokenRange;
import dev.floe.store.wire.DataCodec;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store's transport that shows the store's oracle every chunk that the store takes or gives.
final class WatchedTransport implements Transport {
  private final Transport real;
  private final String store;
  private final FleetWorld world;

  WatchedTransport(Transport real, String store, FleetWorld world) {
    this.real = real;
    this.store = store;
    this.world = world;
  }

  @Override
  public Listener listen(Endpoint address, Identity self, HandlerTable handlers) {
    HandlerTable served = world.options().mutation().store(handlers);
    return real.listen(
        address,
        self,
        HandlerTable.builder()
            .add(FrameType.DATA_WRITE, new WatchedWrite(handler(served, FrameType.DATA_WRITE)))
            .add(FrameType.DATA_READ, new WatchedRead(handler(served, FrameType.DATA_READ)))
            .add(FrameType.DATA_STATUS, handler(served, FrameType.DATA_STATUS))
            .build());
  }

  private static RequestHandler handler(HandlerTable table, int type) {
    RequestHandler handler = table.handlerOf(type);
    if (handler == null) {
      throw new IllegalStateException("the store does not serve type " + type);
    }
    return handler;
  }

  @Override
  public Connection connect(Endpoint to, Identity self, Deadline deadline) {
    return real.connect(to, self, deadline);
  }

  private static StoreOracle.Place place(
      dev.floe.meta.model.SegmentId segment, TokenRange range, long from) {
    return new StoreOracle.Place(
        segment, range.offset(), range.length(), range.token(), range.objectBytes(), from);
  }

  private static byte[] copy(ByteBuffer buffer, int length) {
    byte[] bytes = new byte[length];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private final class WatchedWrite implements RequestHandler {
    private final RequestHandler inner;

    WatchedWrite(RequestHandler inner) {
      this.inner = inner;
    }

    @Override
    public boolean isInline() {
      return inner.isInline();
    }

    @Override
    public BodyTarget bodyTarget(RequestHead head) {
      return inner.bodyTarget(head);
    }

    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      Response response = inner.handle(head, body);
      DataCodec.ChunkWrite write = DataCodec.decodeWrite(head.header());
      byte[] bytes = body == null ? new byte[0] : copy(body.buffer(), head.bodyBytes());
      world.judge(
          () ->
              world
                  .stores()
                  .written(store, place(write.segment(), write.range(), write.from()), bytes));
      return response;
    }
  }

  private final class WatchedRead implements RequestHandler {
    private final RequestHandler inner;

    WatchedRead(RequestHandler inner) {
      this.inner = inner;
    }

    @Override
    public boolean isInline() {
      return inner.isInline();
    }

    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      Response response = inner.handle(head, body);
      DataCodec.BytesRead read = DataCodec.decodeRead(head.header());
      List<ByteBuffer> parts = response.body();
      byte[] bytes =
          parts.isEmpty() ? new byte[0] : copy(parts.getFirst(), parts.getFirst().remaining());
      world.judge(
          () ->
              world
                  .stores()
                  .served(store, place(read.segment(), read.range(), read.from()), bytes));
      return response;
    }
  }
}
