package dev.floe.meta.state;

import static dev.floe.meta.state.StateDriver.MIB;
import static dev.floe.meta.state.StateDriver.assertDone;
import static dev.floe.meta.state.StateDriver.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.meta.command.MetadataCommand.Evict;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.PutEnd;
import dev.floe.meta.command.MetadataCommand.PutStart;
import dev.floe.meta.command.MetadataCommand.Victim;
import dev.floe.meta.command.MetadataCommand.WriteOptions;
import dev.floe.meta.command.MetadataReply.Evicted;
import dev.floe.meta.command.MetadataReply.PutStarted;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EvictCommandTest {
  private final StateDriver driver = new StateDriver();
  private final SessionId session = driver.openSession(1);

  @BeforeEach
  void mount() {
    driver.store("a", MIB);
  }

  private void put(String key, String group, boolean isHardPinned, SoftPin softPin) {
    ObjectId id = ObjectId.of(key);
    PutStarted started =
        (PutStarted)
            driver.in(
                session,
                new PutStart(
                    id,
                    1000,
                    Placement.replicas(1),
                    new WriteOptions(true, DataType.KVCACHE, group, isHardPinned, softPin)));
    assertDone(driver.in(session, new PutEnd(id, tokens(started), 7)));
  }

  private void put(String key) {
    put(key, "", false, SoftPin.Preserve.INSTANCE);
  }

  private Victim seen(String key) {
    return new Victim(ObjectId.of(key), driver.route(key).version());
  }

  private Evicted evict(boolean takesSoftPinned, Victim... victims) {
    return (Evicted) driver.leader(new Evict(Arrays.asList(victims), takesSoftPinned));
  }

  private boolean isThere(String key) {
    return driver.state().route(ObjectId.of(key)) != null;
  }

  @Test
  void victimsGoWithTheirSpace() {
    put("a");
    put("b");
    assertThat(evict(false, seen("a"))).isEqualTo(new Evicted(1, 1024));
    assertThat(isThere("a")).isFalse();
    assertThat(isThere("b")).isTrue();
    assertThat(driver.state().totals().usedBytes()).isEqualTo(1024);
  }

  @Test
  void anObjectThatWasWrittenAnewSinceStays() {
    put("a");
    Victim old = seen("a");
    put("a");
    assertThat(evict(true, old)).isEqualTo(new Evicted(0, 0));
    assertThat(isThere("a")).isTrue();
  }

  @Test
  void anObjectThatIsBeingReplacedStays() {
    put("a");
    driver.in(
        session,
        new PutStart(
            ObjectId.of("a"), 10, Placement.replicas(1), WriteOptions.DEFAULT.replacing()));
    assertThat(evict(true, seen("a")).objects()).isZero();
    assertThat(isThere("a")).isTrue();
  }

  @Test
  void hardPinnedStaysAndSoftPinnedGoesOnlyWhenItMay() {
    put("hard", "", true, SoftPin.Preserve.INSTANCE);
    put("soft", "", false, new SoftPin.Enable(10_000));
    assertThat(evict(false, seen("hard"), seen("soft")).objects()).isZero();
    assertThat(evict(true, seen("hard"), seen("soft")).objects()).isEqualTo(1);
    assertThat(isThere("hard")).isTrue();
    assertThat(isThere("soft")).isFalse();
  }

  @Test
  void aSoftPinEnds() {
    put("soft", "", false, new SoftPin.Enable(10_000));
    driver.passMillis(10_001);
    assertThat(evict(false, seen("soft")).objects()).isEqualTo(1);
  }

  @Test
  void aGroupGoesAsAWholeOrNotAtAll() {
    put("x", "g", false, SoftPin.Preserve.INSTANCE);
    put("y", "g", false, SoftPin.Preserve.INSTANCE);
    put("z", "h", false, SoftPin.Preserve.INSTANCE);
    assertThat(evict(false, seen("x"))).isEqualTo(new Evicted(0, 0));

    Victim x = seen("x");
    Victim y = seen("y");
    put("y", "g", false, SoftPin.Preserve.INSTANCE);
    assertThat(evict(false, x, y)).isEqualTo(new Evicted(0, 0));

    assertThat(evict(false, seen("x"), seen("y"))).isEqualTo(new Evicted(2, 2048));
    assertThat(isThere("z")).isTrue();
  }

  @Test
  void pinnedMembersStayWhenTheirGroupGoes() {
    put("x", "g", false, SoftPin.Preserve.INSTANCE);
    put("hard", "g", true, SoftPin.Preserve.INSTANCE);
    assertThat(evict(false, seen("x"))).isEqualTo(new Evicted(1, 1024));
    assertThat(isThere("hard")).isTrue();
  }
}
