package dev.floe.meta.state;

import static dev.floe.meta.state.StateDriver.KIB;
import static dev.floe.meta.state.StateDriver.MIB;
import static dev.floe.meta.state.StateDriver.assertDone;
import static dev.floe.meta.state.StateDriver.assertFailed;
import static dev.floe.meta.state.StateDriver.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.Limits;
import dev.floe.meta.command.MetadataCommand.CloseSession;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.PutEnd;
import dev.floe.meta.command.MetadataCommand.PutRevoke;
import dev.floe.meta.command.MetadataCommand.PutStart;
import dev.floe.meta.command.MetadataCommand.Remove;
import dev.floe.meta.command.MetadataCommand.Strategy;
import dev.floe.meta.command.MetadataCommand.UnmountSegment;
import dev.floe.meta.command.MetadataCommand.WriteOptions;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.command.MetadataReply.PutStarted;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Writes that take the place of a complete object.
class ReplaceTest {
  private static final ObjectId K = ObjectId.of("k");
  private static final WriteOptions REPLACING = WriteOptions.DEFAULT.replacing();

  private final StateDriver driver = new StateDriver();
  private final SessionId session = driver.openSession(1);

  private PutStarted replace(long sizeBytes, WriteOptions options) {
    MetadataReply reply =
        driver.in(session, new PutStart(K, sizeBytes, Placement.replicas(1), options));
    assertThat(reply).isInstanceOf(PutStarted.class);
    return (PutStarted) reply;
  }

  private static WriteOptions options(String group, boolean isHardPinned, SoftPin softPin) {
    return new WriteOptions(true, DataType.KVCACHE, group, isHardPinned, softPin);
  }

  private void assertIsFirst(PutStarted first) {
    assertThat(driver.route("k").state()).isEqualTo(RouteState.ACTIVE);
    assertThat(driver.route("k").version()).isEqualTo(first.version());
    assertThat(driver.route("k").content().sizeBytes()).isEqualTo(1000);
    assertThat(driver.route("k").replicas().getFirst().status()).isEqualTo(ReplicaStatus.COMPLETE);
  }

  @Test
  void theOldVersionIsReadUntilTheNewOneIsComplete() {
    driver.store("a", MIB);
    PutStarted first = driver.put(session, "k", 1000, 1);

    PutStarted second = replace(2000, REPLACING);
    assertIsFirst(first);
    assertThat(driver.state().totals().writing()).isEqualTo(1);

    assertDone(driver.in(session, new PutEnd(K, tokens(second), 7)));
    assertThat(driver.route("k").version()).isEqualTo(second.version());
    assertThat(driver.route("k").content().sizeBytes()).isEqualTo(2000);
    assertThat(driver.route("k").content().checksum()).isEqualTo(7);
    assertThat(driver.route("k").next()).isNull();
    assertThat(driver.state().totals().objects()).isEqualTo(1);
    assertThat(driver.state().totals().usedBytes()).isEqualTo(2048);
  }

  @Test
  void aWriteThatReplacesNothingIsANewObject() {
    driver.store("a", MIB);
    PutStarted started = replace(1000, REPLACING);
    assertThat(driver.route("k").state()).isEqualTo(RouteState.WRITING);
    assertDone(driver.in(session, new PutEnd(K, tokens(started), 7)));
    assertThat(driver.route("k").state()).isEqualTo(RouteState.ACTIVE);
  }

  @Test
  void theOldVersionStaysWhenTheNewOneFindsNoSpace() {
    driver.store("a", 4 * KIB);
    PutStarted first = driver.put(session, "k", 1000, 1);
    assertFailed(
        driver.in(session, new PutStart(K, 8000, Placement.replicas(1), REPLACING)),
        ErrorCode.NO_SPACE);
    assertIsFirst(first);
  }

  @Test
  void theOldVersionStaysWhenTheNewOneIsRevokedOrItsSessionEnds() {
    driver.store("a", MIB);
    PutStarted first = driver.put(session, "k", 1000, 1);
    PutStarted second = replace(2000, REPLACING);
    assertDone(driver.in(session, new PutRevoke(K, tokens(second))));
    assertIsFirst(first);

    SessionId other = driver.openSession(2);
    driver.in(other, new PutStart(K, 3000, Placement.replicas(1), REPLACING));
    assertDone(driver.leader(new CloseSession(other)));
    assertIsFirst(first);
    assertThat(driver.state().totals().usedBytes()).isEqualTo(1024);
  }

  @Test
  void theOldVersionStaysWhenTheNewOneTimesOut() {
    driver.store("a", MIB);
    PutStarted first = driver.put(session, "k", 1000, 1);
    PutStarted second = replace(2000, REPLACING);
    driver.passMillis(600_001);
    driver.tick();
    assertIsFirst(first);
    assertThat(driver.state().totals().usedBytes()).isEqualTo(1024);
    assertFailed(driver.in(session, new PutEnd(K, tokens(second), 7)), ErrorCode.STALE_TOKEN);
  }

  @Test
  void theEndOfTheOldWriteCompletesNothingOfTheNewOne() {
    driver.store("a", MIB);
    PutStarted first = driver.put(session, "k", 1000, 1);
    PutStarted second = replace(2000, REPLACING);
    assertDone(driver.in(session, new PutEnd(K, tokens(first), 0xCAFE)));
    assertThat(driver.route("k").next()).isNotNull();
    assertDone(driver.in(session, new PutEnd(K, tokens(second), 7)));
    assertFailed(driver.in(session, new PutEnd(K, tokens(first), 0xCAFE)), ErrorCode.STALE_TOKEN);
    assertFailed(driver.in(session, new PutRevoke(K, tokens(second))), ErrorCode.ALREADY_EXISTS);
  }

  @Test
  void aThirdWriteTakesTheKeyFromTheSecondAtOnce() {
    driver.store("a", MIB);
    PutStarted first = driver.put(session, "k", 1000, 1);
    PutStarted second = replace(2000, REPLACING);
    PutStarted third = replace(3000, REPLACING);
    assertIsFirst(first);
    assertFailed(driver.in(session, new PutEnd(K, tokens(second), 7)), ErrorCode.STALE_TOKEN);
    assertDone(driver.in(session, new PutEnd(K, tokens(third), 7)));
    assertThat(driver.route("k").content().sizeBytes()).isEqualTo(3000);
    // The space of the second waits: its writer may be at work.
    assertThat(driver.state().totals().abandonedBytes()).isEqualTo(2048);
  }

  @Test
  void anUnfinishedFirstWriteIsTakenOverAtOnce() {
    driver.store("a", MIB);
    PutStarted first = driver.start(session, "k", 1000, 1);
    PutStarted second = replace(2000, REPLACING);
    assertThat(driver.route("k").state()).isEqualTo(RouteState.WRITING);
    assertFailed(driver.in(session, new PutEnd(K, tokens(first), 7)), ErrorCode.STALE_TOKEN);
    assertDone(driver.in(session, new PutEnd(K, tokens(second), 7)));
  }

  @Test
  void whenTheOldVersionIsLostTheNewOneGoesOnAsAFirstWrite() {
    driver.store("a", MIB);
    driver.put(session, "k", 1000, 1);
    var holder = StateDriver.range(driver.route("k").replicas().getFirst());
    driver.store("b", 64 * MIB);
    PutStarted second =
        (PutStarted)
            driver.in(
                session,
                new PutStart(
                    K,
                    2000,
                    new Placement(1, Strategy.RANDOM, List.of(new RuntimeId("b"))),
                    REPLACING));
    assertDone(
        driver.leader(
            new UnmountSegment(
                holder.runtime(), driver.runtime(holder.runtime()).epoch(), holder.segment())));
    assertThat(driver.route("k").state()).isEqualTo(RouteState.WRITING);
    assertDone(driver.in(session, new PutEnd(K, tokens(second), 7)));
    assertThat(driver.route("k").content().sizeBytes()).isEqualTo(2000);
  }

  @Test
  void removingWaitsForTheNewVersionUnlessForced() {
    driver.store("a", MIB);
    driver.put(session, "k", 1000, 1);
    replace(2000, REPLACING);
    assertFailed(driver.in(session, new Remove(K, false)), ErrorCode.NOT_READY);
    assertDone(driver.in(session, new Remove(K, true)));
    assertThat(driver.state().route(K)).isNull();
    assertThat(driver.state().totals().usedBytes()).isZero();
  }

  @Test
  void aGroupIsForAsLongAsTheObjectExists() {
    driver.store("a", MIB);
    PutStarted first = replace(1000, options("g", false, SoftPin.Preserve.INSTANCE));
    assertDone(driver.in(session, new PutEnd(K, tokens(first), 7)));

    MetadataReply refused =
        driver.in(
            session,
            new PutStart(
                K, 1000, Placement.replicas(1), options("h", false, SoftPin.Preserve.INSTANCE)));
    assertFailed(refused, ErrorCode.INVALID_ARGUMENT);
    assertThat(((Failed) refused).message()).contains("'g'", "'h'");

    PutStarted second = replace(1000, REPLACING);
    assertDone(driver.in(session, new PutEnd(K, tokens(second), 7)));
    assertThat(driver.route("k").retention().group()).isEqualTo("g");
  }

  @Test
  void aHardPinStaysAndASoftPinIsSetKeptAndTakenAway() {
    driver.store("a", MIB);
    PutStarted first = replace(1000, options("", true, new SoftPin.Enable(5000)));
    assertThat(driver.route("k").retention().softPinnedUntilMillis()).isZero();
    driver.passMillis(1000);
    assertDone(driver.in(session, new PutEnd(K, tokens(first), 7)));
    long pinnedUntil = driver.route("k").retention().softPinnedUntilMillis();
    assertThat(pinnedUntil).isEqualTo(driver.state().appliedTimeMillis() + 5000);

    PutStarted second = replace(1000, options("", false, SoftPin.Preserve.INSTANCE));
    assertDone(driver.in(session, new PutEnd(K, tokens(second), 7)));
    assertThat(driver.route("k").retention().softPinnedUntilMillis()).isEqualTo(pinnedUntil);
    assertThat(driver.route("k").retention().isHardPinned()).isTrue();

    PutStarted third = replace(1000, options("", false, SoftPin.Disable.INSTANCE));
    assertDone(driver.in(session, new PutEnd(K, tokens(third), 7)));
    assertThat(driver.route("k").retention().softPinnedUntilMillis()).isZero();
  }

  @Test
  void aGroupNameAndAPinBeyondTheirLimitsAreRefused() {
    driver.store("a", MIB);
    for (WriteOptions wrong :
        List.of(
            options("ä".repeat(129), false, SoftPin.Preserve.INSTANCE),
            options("", false, new SoftPin.Enable(0)),
            options("", false, new SoftPin.Enable(Limits.SOFT_PIN_MILLIS_MAX + 1)))) {
      assertFailed(
          driver.in(session, new PutStart(K, 1000, Placement.replicas(1), wrong)),
          ErrorCode.INVALID_ARGUMENT);
    }
  }
}
