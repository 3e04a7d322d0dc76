package dev.floe.meta.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.Retention;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.model.WriteState;
import dev.floe.meta.place.RangeAllocator;
import dev.floe.meta.state.table.Abandoned;
import dev.floe.meta.state.table.Counters;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// States that are wrong on purpose: the checkers find each defect.
class StateCheckerTest {
  private static final RuntimeId R = new RuntimeId("r");
  private static final SegmentId S = new SegmentId(1);
  private static final Segment SEGMENT = new Segment(S, R, 1, "m", 4096);

  private static MemoryRange range(long offset, long length) {
    return new MemoryRange(S, R, offset, length);
  }

  private static List<String> placement(MemoryRange... ranges) {
    return RangeChecker.placement(
        Map.of(S, SEGMENT),
        List.of(ranges).stream().map(r -> new RangeChecker.Held(r, r.toString())).toList());
  }

  @Test
  void rangesThatAreRightPass() {
    assertThat(placement(range(64, 64), range(0, 64), range(4032, 64))).isEmpty();
  }

  @Test
  void overlapsAreFound() {
    assertThat(placement(range(0, 128), range(64, 64)))
        .singleElement()
        .asString()
        .contains("overlaps");
    assertThat(placement(range(64, 64), range(64, 64))).hasSize(1);
  }

  @Test
  void rangesOutsideOfTheirSegmentAreFound() {
    assertThat(placement(range(4096, 64))).singleElement().asString().contains("outside");
    assertThat(placement(new MemoryRange(new SegmentId(9), R, 0, 64)))
        .singleElement()
        .asString()
        .contains("not mounted");
    assertThat(placement(new MemoryRange(S, new RuntimeId("x"), 0, 64)))
        .singleElement()
        .asString()
        .contains("names runtime x");
  }

  @Test
  void differencesBetweenAllocatorAndOwnersAreFound() {
    RangeAllocator allocator = new RangeAllocator(4096, 1);
    allocator.allocate(64);
    allocator.allocate(128);

    assertThat(RangeChecker.allocator(S, allocator, List.of(range(0, 64), range(64, 128))))
        .isEmpty();
    assertThat(RangeChecker.allocator(S, allocator, List.of(range(0, 64))))
        .singleElement()
        .asString()
        .contains("nobody owns");
    assertThat(RangeChecker.allocator(S, allocator, List.of(range(0, 64), range(64, 64))))
        .singleElement()
        .asString()
        .contains("not 64");
    assertThat(
            RangeChecker.allocator(
                S, allocator, List.of(range(0, 64), range(64, 128), range(640, 64))))
        .singleElement()
        .asString()
        .contains("does not hold");
  }

  /// Builds a state from records with right digest, one of them wrong, and returns the refusal.
  private static String refusal(Consumer<StateRestorer> wrong) {
    StateRestorer restorer = new StateRestorer(StateConfig.DEFAULT, DigestMismatchListener.NONE);
    restorer.header(100, 5, new Counters(10, 2, 2));
    try {
      wrong.accept(restorer);
      restorer.finish(restorer.digest());
      return "";
    } catch (FloeException | IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static RuntimeRecord runtime(long epoch) {
    return new RuntimeRecord(
        R,
        RuntimeProcess.withoutDirectory(new SessionId(0, 0)),
        epoch,
        RuntimeState.ALIVE,
        new Endpoint("h", 1),
        Map.of());
  }

  private static RangeAllocator allocatorWith(long... sizes) {
    RangeAllocator allocator = new RangeAllocator(4096, 1);
    for (long size : sizes) {
      allocator.allocate(size);
    }
    return allocator;
  }

  private static ObjectRoute route(String key, RouteState state, Replica... replicas) {
    return new ObjectRoute(
        ObjectId.of(key),
        state,
        new ObjectVersion(
            new ObjectVersion.Content(64, 0, DataType.UNKNOWN),
            Retention.NONE,
            new WriteState(
                new RouteVersion(1, 0), new SessionId(0, 1), 0, 1, 1, SoftPin.Preserve.INSTANCE),
            List.of(replicas)));
  }

  private static Replica complete(long id, MemoryRange range) {
    return new Replica(id, ReplicaStatus.COMPLETE, range);
  }

  @Test
  void aStateThatIsRightIsRestored() {
    assertThat(
            refusal(
                r -> {
                  r.runtime(runtime(1));
                  r.segment(SEGMENT, allocatorWith(64));
                  r.route(route("k", RouteState.ACTIVE, complete(1, range(0, 64))));
                }))
        .isEmpty();
  }

  @Test
  void defectsOfRecordsAreFound() {
    Consumer<StateRestorer> base =
        r -> {
          r.runtime(runtime(1));
          r.segment(SEGMENT, allocatorWith(64));
        };
    ObjectRoute k = route("k", RouteState.ACTIVE, complete(1, range(0, 64)));

    assertThat(refusal(base)).contains("nobody owns");
    assertThat(refusal(base.andThen(r -> r.route(route("k", RouteState.ACTIVE)))))
        .contains("2 things");
    assertThat(
            refusal(
                base.andThen(
                    r -> r.route(route("k", RouteState.ACTIVE, complete(10, range(0, 64)))))))
        .contains("not yet given");
    assertThat(
            refusal(
                base.andThen(
                    r -> {
                      r.route(k);
                      r.abandoned(new Abandoned(9, range(0, 64)));
                    })))
        .contains("overlaps");
    assertThat(
            refusal(
                base.andThen(
                    r ->
                        r.route(
                            route(
                                "k",
                                RouteState.WRITING,
                                new Replica(1, ReplicaStatus.PROCESSING, range(0, 64)))))))
        .contains("writer without session");
    assertThat(
            refusal(
                base.andThen(
                    r ->
                        r.route(
                            route(
                                "k",
                                RouteState.ACTIVE,
                                new Replica(1, ReplicaStatus.PROCESSING, range(0, 64)))))))
        .contains("complete with a replica that is PROCESSING");
    assertThat(
            refusal(
                r -> {
                  r.runtime(runtime(1));
                  r.segment(SEGMENT, allocatorWith(64, 64));
                  r.route(
                      route(
                          "k",
                          RouteState.ACTIVE,
                          complete(1, range(0, 64)),
                          complete(2, range(64, 64))));
                }))
        .contains("two replicas on r");
    assertThat(
            refusal(
                r -> {
                  r.runtime(runtime(7));
                  r.segment(SEGMENT, allocatorWith());
                }))
        .contains("not yet given");
    assertThat(refusal(r -> r.segment(SEGMENT, allocatorWith()))).contains("that is over");
    assertThat(refusal(base.andThen(r -> r.runtime(runtime(1))))).contains("twice");
    assertThat(refusal(base.andThen(r -> r.segment(SEGMENT, allocatorWith())))).contains("twice");
    assertThat(
            refusal(
                base.andThen(
                    r -> {
                      r.route(k);
                      r.route(k);
                    })))
        .contains("twice");
  }

  @Test
  void aWrongDigestIsFound() {
    StateRestorer restorer = new StateRestorer(StateConfig.DEFAULT, DigestMismatchListener.NONE);

    assertThatThrownBy(() -> restorer.finish(restorer.digest() + 1))
        .isInstanceOf(FloeException.class)
        .hasMessageContaining("digest");
  }
}
