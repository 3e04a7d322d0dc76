package dev.floe.meta.state;

import static dev.floe.meta.state.StateDriver.MIB;
import static dev.floe.meta.state.StateDriver.assertDone;
import static dev.floe.meta.state.StateDriver.assertFailed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.Limits;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.MetadataCommand.ExpireRuntimes;
import dev.floe.meta.command.MetadataCommand.ExpireSessions;
import dev.floe.meta.command.MetadataCommand.MountSegment;
import dev.floe.meta.command.MetadataCommand.RegisterRuntime;
import dev.floe.meta.command.MetadataCommand.ReviveRuntimes;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataCommand.SuspectRuntimes;
import dev.floe.meta.command.MetadataCommand.UnmountSegment;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.command.MetadataReply.RuntimeRegistered;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuntimeCommandsTest {
  private static final RuntimeId A = new RuntimeId("a");

  private final StateDriver driver = new StateDriver();
  private final SessionId session = driver.openSession(1);

  private RuntimeState stateOf(RuntimeId id) {
    return driver.runtime(id).state();
  }

  @Test
  void theSameProcessKeepsItsEpochAndUpdatesItsEndpoint() {
    RuntimeEpoch first = driver.register("a", 1);
    driver.mount(first, "m", MIB);

    var reply =
        driver.leader(
            new RegisterRuntime(
                A, new SessionId(1, 0), new Endpoint("moved", 1), Map.of("zone", "z")));

    assertThat(reply).isEqualTo(new RuntimeRegistered(first.epoch()));
    assertThat(driver.runtime(A).dataEndpoint()).isEqualTo(new Endpoint("moved", 1));
    assertThat(driver.runtime(A).labels()).isEqualTo(Map.of("zone", "z"));
    assertThat(driver.state().segments()).hasSize(1);
  }

  @Test
  void refusedLabelsAreNamedInAnOrderThatIsTheSameOnEveryMaster() {
    LinkedHashMap<String, String> forwards = new LinkedHashMap<>();
    forwards.put("x", "v".repeat(Limits.LABEL_BYTES_MAX + 1));
    forwards.put("y", "v".repeat(Limits.LABEL_BYTES_MAX + 1));
    Map<String, String> backwards = new LinkedHashMap<>();
    forwards.reversed().forEach(backwards::put);
    for (Map<String, String> labels : List.of(forwards, backwards)) {
      assertThatThrownBy(() -> RuntimeRecord.checkedLabels(labels))
          .hasMessageContaining("label 'x'");
    }
  }

  @Test
  void refusalOfAnEndlessNameIsShortAndSoIsWhatIsKeptOfIt() {
    RuntimeEpoch runtime = driver.register("a", 1);
    for (String name : List.of("n".repeat(500_000), "\uD83D\uDE00".repeat(250_000))) {
      var reply = driver.leader(new MountSegment(A, runtime.epoch(), name, 0));
      assertThat(reply)
          .isInstanceOfSatisfying(
              Failed.class,
              failed -> {
                assertThat(failed.message()).hasSizeLessThanOrEqualTo(2048);
                assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(failed.message()))
                    .isTrue();
              });
    }
    assertThatThrownBy(() -> new Endpoint("h".repeat(256), 1))
        .hasMessageContaining("256")
        .hasMessageContaining("255");
  }

  @Test
  void anotherProcessGetsAHigherEpochAndTheOldSegmentsGoWithTheirReplicas() {
    RuntimeEpoch first = driver.register("a", 1);
    SegmentId old = driver.mount(first, "m", MIB);
    driver.store("b", MIB);
    driver.put(session, "both", 10, 2);
    driver.put(session, "x", 10, 1);
    driver.put(session, "y", 10, 1);
    driver.start(session, "unfinished", 10, 2);

    RuntimeEpoch second = driver.register("a", 2);

    assertThat(second.epoch()).isGreaterThan(first.epoch());
    assertThat(driver.state().segment(old)).isNull();
    assertThat(driver.route("both").replicas()).hasSize(1);
    assertThat(driver.route("unfinished").replicas()).hasSize(1);
    SegmentId fresh = driver.mount(second, "m", MIB);
    assertThat(fresh.value()).isGreaterThan(old.value());
  }

  @Test
  void anObjectGoesWithItsLastReplica() {
    driver.store("a", MIB);
    driver.put(session, "done", 10, 1);
    driver.start(session, "unfinished", 10, 1);

    driver.register("a", 2);

    assertThat(driver.state().route(ObjectId.of("done"))).isNull();
    assertThat(driver.state().route(ObjectId.of("unfinished"))).isNull();
    assertThat(driver.state().totals().objects()).isZero();
    assertThat(driver.state().totals().writing()).isZero();
    assertThat(driver.state().totals().usedBytes()).isZero();
    assertThat(driver.state().totals().capacityBytes()).isZero();
  }

  @Test
  void tooManyOrTooLongLabelsAreRefused() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i <= Limits.LABELS_MAX; i++) {
      many.put("l" + i, "v");
    }
    for (Map<String, String> labels :
        List.of(many, Map.of("", "v"), Map.of("n", "v".repeat(Limits.LABEL_BYTES_MAX + 1)))) {
      assertFailed(
          driver.leader(new RegisterRuntime(A, new SessionId(1, 0), new Endpoint("h", 1), labels)),
          ErrorCode.INVALID_ARGUMENT);
    }
    assertThat(driver.state().runtime(A)).isNull();
  }

  @Test
  void expiryTakesTwoStepsAndTheNextEpochIsHigher() {
    RuntimeEpoch a = driver.register("a", 1);
    driver.mount(a, "m", MIB);
    driver.put(session, "k", 10, 1);

    assertDone(driver.leader(new ExpireRuntimes(List.of(a))));
    assertThat(stateOf(A)).as("an alive runtime does not expire").isEqualTo(RuntimeState.ALIVE);
    assertDone(driver.leader(new SuspectRuntimes(List.of(a))));
    assertThat(stateOf(A)).isEqualTo(RuntimeState.SUSPECTED);
    assertDone(driver.leader(new ReviveRuntimes(List.of(a))));
    assertThat(stateOf(A)).isEqualTo(RuntimeState.ALIVE);
    driver.leader(new SuspectRuntimes(List.of(a)));
    driver.leader(new ExpireRuntimes(List.of(a)));

    assertThat(driver.state().runtime(A)).isNull();
    assertThat(driver.state().segments()).isEmpty();
    assertThat(driver.state().route(ObjectId.of("k"))).isNull();
    assertThat(driver.register("a", 1).epoch()).isGreaterThan(a.epoch());
  }

  @Test
  void registeringAgainIsASignOfLife() {
    RuntimeEpoch a = driver.register("a", 1);
    driver.leader(new SuspectRuntimes(List.of(a)));

    driver.register("a", 1);

    assertThat(stateOf(A)).isEqualTo(RuntimeState.ALIVE);
  }

  @Test
  void commandsAboutAnotherEpochTouchNothing() {
    RuntimeEpoch old = driver.register("a", 1);
    RuntimeEpoch now = driver.register("a", 2);

    driver.leader(new SuspectRuntimes(List.of(old)));
    assertThat(stateOf(A)).isEqualTo(RuntimeState.ALIVE);
    driver.leader(new SuspectRuntimes(List.of(now)));
    driver.leader(new ReviveRuntimes(List.of(old)));
    driver.leader(new ExpireRuntimes(List.of(old, new RuntimeEpoch(new RuntimeId("x"), 1))));
    assertThat(stateOf(A)).isEqualTo(RuntimeState.SUSPECTED);
  }

  @Test
  void mountingIsRepeatableAndChecked() {
    RuntimeEpoch a = driver.register("a", 1);
    SegmentId id = driver.mount(a, "m", MIB);

    assertThat(driver.mount(a, "m", MIB)).isEqualTo(id);
    assertFailed(
        driver.leader(new MountSegment(A, a.epoch(), "m", MIB + 1)), ErrorCode.ALREADY_EXISTS);
    assertFailed(
        driver.leader(new MountSegment(A, a.epoch() + 1, "m", MIB)), ErrorCode.STALE_EPOCH);
    assertFailed(
        driver.leader(new MountSegment(new RuntimeId("x"), 1, "m", MIB)),
        ErrorCode.RUNTIME_NOT_FOUND);
    for (long capacity : new long[] {0, -1, Limits.SEGMENT_BYTES_MAX + 1, Long.MIN_VALUE}) {
      assertFailed(
          driver.leader(new MountSegment(A, a.epoch(), "n", capacity)), ErrorCode.INVALID_SIZE);
    }
    assertFailed(
        driver.leader(new MountSegment(A, a.epoch(), "", MIB)), ErrorCode.INVALID_ARGUMENT);
    assertFailed(
        driver.leader(new MountSegment(A, a.epoch(), "n".repeat(Limits.LABEL_BYTES_MAX + 1), MIB)),
        ErrorCode.INVALID_ARGUMENT);
    assertThat(driver.state().segments()).hasSize(1);
  }

  @Test
  void segmentsOfAnySizeInRangeMount() {
    RuntimeEpoch a = driver.register("a", 1);

    driver.mount(a, "tiny", 1);
    driver.mount(a, "odd", 100);
    driver.mount(a, "huge", Limits.SEGMENT_BYTES_MAX);

    driver.put(session, "k", Limits.OBJECT_BYTES_MAX, 1);
    assertThat(driver.state().totals().usedBytes()).isEqualTo(Limits.OBJECT_BYTES_MAX);
  }

  @Test
  void unmountingTakesReplicasAndQuarantineWithIt() {
    RuntimeEpoch a = driver.register("a", 1);
    SegmentId id = driver.mount(a, "m", MIB);
    driver.put(session, "k", 10, 1);
    driver.start(session, "w", 10, 1);
    driver.leader(new ExpireSessions(List.of(session), driver.index()));
    assertThat(driver.state().totals().abandonedBytes()).isEqualTo(64);

    assertDone(driver.leader(new UnmountSegment(A, a.epoch(), id)));

    assertThat(driver.state().segments()).isEmpty();
    assertThat(driver.state().route(ObjectId.of("k"))).isNull();
    assertThat(driver.state().totals().abandonedBytes()).isZero();
    driver.passMillis(700_000);
    driver.tick();
    assertDone(driver.leader(new UnmountSegment(A, a.epoch(), id)));
  }

  @Test
  void unmountingIsForTheOwnerAtItsEpoch() {
    RuntimeEpoch a = driver.register("a", 1);
    SegmentId id = driver.mount(a, "m", MIB);
    RuntimeEpoch b = driver.register("b", 1);

    assertFailed(driver.leader(new UnmountSegment(A, a.epoch() + 5, id)), ErrorCode.STALE_EPOCH);
    assertFailed(
        driver.leader(new UnmountSegment(b.runtime(), b.epoch(), id)), ErrorCode.SEGMENT_NOT_FOUND);
    assertDone(driver.leader(new UnmountSegment(A, 77, new SegmentId(99))));
    assertThat(driver.state().segments()).hasSize(1);
  }

  @Test
  void refusesAStrangerWhileTheProcessUnderItsIdLives() {
    RuntimeEpoch a = driver.register("a", 1);
    SegmentId id = driver.mount(a, "m", MIB);
    driver.put(session, "k", 10, 1);
    RegisterRuntime stranger = StateDriver.registration("a", 2, 4711);

    var refusal = driver.leader(stranger);

    assertFailed(refusal, ErrorCode.RUNTIME_IN_USE);
    assertThat(((Failed) refusal).message())
        .contains("runtime a ", "a.local:7500", "stop it", "wait 9 s");
    assertThat(((Failed) refusal).toException().context())
        .containsEntry(Failed.RETRY_AFTER_MILLIS, "8999");
    assertThat(driver.runtime(A).epoch()).isEqualTo(a.epoch());
    assertThat(driver.runtime(A).incarnation()).isEqualTo(new SessionId(1, 0));
    assertThat(driver.state().segment(id)).isNotNull();
    assertThat(driver.route("k").replicas()).hasSize(1);
    assertThat(driver.register("a", 1)).as("the process itself").isEqualTo(a);

    driver.leader(new SuspectRuntimes(List.of(a)));
    assertThat(driver.leader(stranger)).isInstanceOf(RuntimeRegistered.class);
    assertThat(driver.runtime(A).epoch()).isGreaterThan(a.epoch());
    assertThat(driver.state().segments()).isEmpty();
  }

  @Test
  void refusalWithoutKnowledgeOfTheLeaseNamesNoTime() {
    driver.mount(driver.register("a", 1), "m", MIB);
    RuntimeProcess other = RuntimeProcess.withoutDirectory(new SessionId(2, 0));

    var refusal =
        driver.leader(new RegisterRuntime(A, other, new Endpoint("h", 1), Map.of(), -5_000));

    assertFailed(refusal, ErrorCode.RUNTIME_IN_USE);
    assertThat(((Failed) refusal).message()).contains("wait until").doesNotContain(" s until");
    assertThat(((Failed) refusal).retryAfterMillis()).isZero();
  }

  @Test
  void aProcessOnTheSameDataDirectoryTakesOverAtOnce() {
    RuntimeEpoch first = driver.register("a", 1);
    driver.mount(first, "m", MIB);

    RuntimeEpoch second = driver.register("a", 2);

    assertThat(second.epoch()).isGreaterThan(first.epoch());
    assertThat(driver.state().segments()).isEmpty();
  }

  @Test
  void aRuntimeThatHasUnmountedEverythingGivesItsIdAway() {
    RuntimeEpoch a = driver.register("a", 1);
    SegmentId id = driver.mount(a, "m", MIB);
    driver.leader(new UnmountSegment(A, a.epoch(), id));

    assertThat(driver.leader(StateDriver.registration("a", 2, 4711)))
        .isInstanceOf(RuntimeRegistered.class);
  }

  @Test
  void aLateRegistrationOfADeadProcessNeverTakesTheLaterOneOver() {
    RegisterRuntime late = StateDriver.registration("a", 1, "a".hashCode());
    RuntimeEpoch second = driver.register("a", 2);
    SegmentId id = driver.mount(second, "m", MIB);
    driver.put(session, "k", 10, 1);

    var refusal = driver.leader(late);

    assertFailed(refusal, ErrorCode.STALE_EPOCH);
    assertThat(((Failed) refusal).message())
        .contains("runtime a ", "start 2", "a.local:7500", "start 1", "start it again");
    assertThat(driver.state().segment(id)).isNotNull();
    assertThat(driver.route("k").replicas()).hasSize(1);
    driver.leader(new SuspectRuntimes(List.of(second)));
    assertFailed(driver.leader(late), ErrorCode.STALE_EPOCH);
    assertThat(driver.register("a", 2)).isEqualTo(second);
  }

  @Test
  void twoProcessesOnCopiesOfADirectoryDoNotTakeEachOtherOver() {
    driver.mount(driver.register("a", 2), "m", MIB);
    RegisterRuntime copy =
        new RegisterRuntime(
            A,
            new RuntimeProcess(new SessionId(9, 9), new SessionId("a".hashCode(), 1), 2),
            new Endpoint("h", 1),
            Map.of());

    assertFailed(driver.leader(copy), ErrorCode.RUNTIME_IN_USE);
  }
}
