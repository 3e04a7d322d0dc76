package dev.floe.store.wire;

import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.HandlerTable;
import dev.floe.core.wire.RequestHandler;
import dev.floe.store.segment.MemorySegmentStore;
import dev.floe.store.segment.RangeTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a store runtime serves: writes, reads and its status.
public final class DataService {
  private final MemorySegmentStore segments;

  public DataService(MemorySegmentStore segments) {
    this.segments = segments;
  }

  /// The handlers of all request types of the data plane.
  public HandlerTable handlers() {
    return HandlerTable.builder()
        .add(FrameType.DATA_WRITE, new WriteHandler(segments))
        .add(FrameType.DATA_READ, new ReadHandler(segments))
        .add(FrameType.DATA_STATUS, new StatusHandler(segments))
        .build();
  }

  private record StatusHandler(MemorySegmentStore segments) implements RequestHandler {
    @Override
    public Response handle(RequestHead head, @Nullable BodyTarget body) {
      List<DataCodec.SegmentStatus> all =
          segments.list().stream()
              .map(
                  held -> {
                    RangeTable.Stats stats = held.getValue().stats();
                    return new DataCodec.SegmentStatus(
                        held.getKey(),
                        held.getValue().capacityBytes(),
                        stats.ranges(),
                        stats.guards(),
                        stats.staleTokens(),
                        stats.refusedBusy());
                  })
              .toList();
      return Response.of(DataCodec.encode(all));
    }
  }
}
