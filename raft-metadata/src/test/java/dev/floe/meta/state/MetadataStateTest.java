package dev.floe.meta.state;

import static dev.floe.meta.state.StateDriver.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.FloeException;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand.Barrier;
import dev.floe.meta.command.MetadataCommand.Remove;
import dev.floe.meta.command.MetadataCommand.Tick;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MetadataStateTest {
  private static CommandBatch barrier(long millis) {
    return new CommandBatch(millis, List.of(SessionCommand.unguarded(new Barrier())));
  }

  @Test
  void timeNeverGoesBack() {
    MetadataState state = new MetadataState(StateConfig.DEFAULT);

    state.apply(1, 1, barrier(1000));
    state.apply(1, 2, barrier(-5));
    assertThat(state.appliedTimeMillis()).isEqualTo(1000);
    state.apply(1, 7, barrier(1001));
    assertThat(state.appliedTimeMillis()).isEqualTo(1001);
    assertThat(state.appliedIndex()).isEqualTo(7);
  }

  @Test
  void anIndexThatDoesNotGrowIsADefectOfTheCaller() {
    MetadataState state = new MetadataState(StateConfig.DEFAULT);
    state.apply(1, 5, barrier(1));

    for (long index : new long[] {5, 4, 0, -1}) {
      assertThatThrownBy(() -> state.apply(1, index, barrier(1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(state.appliedIndex()).isEqualTo(5);
  }

  @Test
  void anEmptyEntryIsFine() {
    MetadataState state = new MetadataState(StateConfig.DEFAULT);

    assertThat(state.apply(1, 1, new CommandBatch(1, List.of()))).isEmpty();
    assertThat(state.appliedIndex()).isEqualTo(1);
  }

  @Test
  void theDigestDependsOnTheStateAndNotOnItsHistory() {
    StateDriver driver = new StateDriver();
    SessionId session = driver.openSession(1);
    driver.store("a", MIB);
    long before = driver.state().digest();

    driver.put(session, "k", 1000, 1);
    assertThat(driver.state().digest()).isNotEqualTo(before);
    long withObject = driver.state().digest();
    driver.leader(new Barrier());
    assertThat(driver.state().digest()).isEqualTo(withObject);
    driver.passMillis(1);
    driver.leader(new Barrier());
    assertThat(driver.state().digest()).as("time is state").isNotEqualTo(withObject);
  }

  @Test
  void aDigestThatDiffersFromTheLeadersIsReported() {
    List<String> reports = new ArrayList<>();
    MetadataState state =
        new MetadataState(
            StateConfig.DEFAULT,
            (index, ours, leaders) -> reports.add(index + " " + ours + " " + leaders));
    state.apply(1, 3, barrier(1));
    long digest = state.digest();
    state.apply(1, 5, barrier(2));

    tick(state, 6, 3, digest);
    tick(state, 7, 0, 99);
    tick(state, 8, 4, 99);
    tick(state, 9, 1000, 99);
    assertThat(reports).as("equal, none, never an entry, not yet applied").isEmpty();
    tick(state, 10, 3, 99);
    assertThat(reports).containsExactly("3 " + digest + " 99");
  }

  private static void tick(MetadataState state, long index, long digestIndex, long digest) {
    state.apply(
        1,
        index,
        new CommandBatch(2, List.of(SessionCommand.unguarded(new Tick(digestIndex, digest)))));
  }

  @Test
  void listingMergesTheShardsInKeyOrder() {
    StateDriver driver = new StateDriver();
    SessionId session = driver.openSession(1);
    driver.store("a", MIB);
    TreeSet<ObjectKey> keys = new TreeSet<>();
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      keys.add(new ObjectKey("p/" + random.nextInt(100_000) + (i % 5 == 0 ? "😀" : "")));
    }
    keys.forEach(key -> driver.put(session, key.value(), 1, 1));
    driver.put(session, "o", 1, 1);
    driver.put(session, "q", 1, 1);

    List<ObjectKey> listed = new ArrayList<>();
    ObjectKey after = null;
    while (true) {
      List<ObjectRoute> page = driver.state().list(TenantId.DEFAULT, "p/", after, 17);
      page.forEach(route -> listed.add(route.id().key()));
      if (page.size() < 17) {
        break;
      }
      after = listed.getLast();
    }

    assertThat(listed).containsExactlyElementsOf(keys);
    assertThat(driver.state().list(TenantId.DEFAULT, "", null, 1))
        .extracting(route -> route.id().key().value())
        .containsExactly("o");
    assertThat(driver.state().list(TenantId.DEFAULT, "p/", new ObjectKey("a"), 1))
        .extracting(route -> route.id().key())
        .containsExactly(keys.first());
    assertThat(driver.state().list(TenantId.DEFAULT, "p/", new ObjectKey("q"), 1)).isEmpty();
    assertThat(driver.state().list(TenantId.DEFAULT, "p/", null, 0)).isEmpty();
    assertThat(driver.state().list(new TenantId("other"), "", null, 10)).isEmpty();
    assertThatThrownBy(() -> driver.state().list(TenantId.DEFAULT, "p".repeat(1025), null, 1))
        .isInstanceOf(FloeException.class);
  }

  @Test
  void keysOfTwoTenantsDoNotMeet() {
    StateDriver driver = new StateDriver();
    SessionId session = driver.openSession(1);
    driver.store("a", MIB);
    driver.put(session, "k", 1, 1);

    assertThat(driver.state().route(new ObjectId(new TenantId("t"), new ObjectKey("k")))).isNull();
  }

  @Test
  void readersSeeWholeRecordsWhileEntriesAreApplied() throws Exception {
    StateDriver driver = new StateDriver();
    SessionId session = driver.openSession(1);
    driver.store("a", MIB);
    MetadataState state = driver.state();
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                while (!isOver.get()) {
                  for (ObjectRoute route : state.list(TenantId.DEFAULT, "k", null, 100)) {
                    assertThat(route.replicas()).isNotEmpty();
                    ObjectRoute again = state.route(route.id());
                    assertThat(again == null || again.version().compareTo(route.version()) >= 0)
                        .isTrue();
                  }
                  assertThat(state.segments()).hasSize(1);
                  assertThat(state.sessions()).containsExactly(session);
                }
              } catch (Throwable e) {
                failure.set(e);
              }
            },
            "reader");
    reader.start();
    for (int i = 0; i < 300; i++) {
      driver.put(session, "k" + i % 30, 10, 1);
      try (StateCapture capture = state.capture()) {
        driver.in(session, new Remove(ObjectId.of("k" + i % 30), false));
        assertThat(capture.totals().objects()).isEqualTo(1);
      }
    }
    isOver.set(true);
    reader.join();
    assertThat(failure.get()).isNull();
  }
}
