package dev.floe.sim.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelTest {
  private final Trace trace = new Trace(3, null);
  private final Scheduler scheduler = new Scheduler(trace);
  private final List<String> ran = new ArrayList<>();

  @Test
  void runsEventsInTheOrderOfTimeThenOfMaking() {
    scheduler.after(20, "x", () -> ran.add("late"));
    scheduler.after(10, "x", () -> ran.add("first"));
    scheduler.after(10, "x", () -> ran.add("second"));
    scheduler.after(-5, "x", () -> ran.add("now"));
    runAll();
    assertThat(ran).containsExactly("now", "first", "second", "late");
    assertThat(scheduler.nanos()).isEqualTo(1000);
  }

  @Test
  void keepsWhatComesDueDuringAPauseForTheResume() {
    Lane lane = new Lane(scheduler);
    lane.after(10, "x", () -> ran.add("timer"));
    lane.pause();
    runAll();
    lane.deliver(() -> ran.add("message"));
    assertThat(ran).isEmpty();
    lane.resume();
    assertThat(ran).containsExactly("timer", "message");
  }

  @Test
  void dropsWhatADeadProcessHadPlannedAndRunsWhatTheNextLifePlans() {
    Lane lane = new Lane(scheduler);
    lane.after(10, "x", () -> ran.add("old"));
    lane.pause();
    lane.deliver(() -> ran.add("held"));
    lane.kill();
    lane.after(10, "x", () -> ran.add("new"));
    runAll();
    assertThat(ran).containsExactly("new");
  }

  @Test
  void drawsTheSameForTheSameSeedNameAndPlaceOnly() {
    SimRandom one = new SimRandom(7);
    SimRandom two = new SimRandom(7);
    two.bits("other", 3);
    assertThat(one.bits("a", 5)).isEqualTo(two.bits("a", 5));
    assertThat(one.bits("a", 5)).isNotEqualTo(one.bits("a", 6));
    assertThat(one.bits("a", 5)).isNotEqualTo(one.bits("b", 5));
    assertThat(one.bits("a", 5)).isNotEqualTo(new SimRandom(8).bits("a", 5));
  }

  @Test
  void keepsDrawsWithinTheirBoundsAndNearTheirProbability() {
    SimRandom.Stream stream = new SimRandom(1).stream("s");
    int hits = 0;
    for (int i = 0; i < 10_000; i++) {
      assertThat(stream.between(-3, 4)).isBetween(-3L, 4L);
      assertThat(stream.logBetween(2, 90)).isBetween(2L, 90L);
      hits += stream.chance(0.3) ? 1 : 0;
    }
    assertThat(hits).isBetween(2700, 3300);
  }

  @Test
  void tellsTheLastEventsAndHashesEverything() {
    for (int i = 0; i < 5; i++) {
      trace.note("n", "event", i);
    }
    assertThat(trace.lastEvents()).hasSize(3);
    assertThat(trace.lastEvents().getLast()).contains("event").contains("4 0");
    long before = trace.hash();
    trace.add(1);
    assertThat(trace.hash()).isNotEqualTo(before);
  }

  @Test
  void makesACheckpointEveryThousandSteps() {
    for (int i = 0; i < 2500; i++) {
      scheduler.after(i, "x", () -> {});
    }
    runAll();
    boolean isMore = true;
    while (isMore) {
      isMore = scheduler.step(10_000);
    }
    assertThat(trace.steps()).isEqualTo(2500);
    assertThat(trace.checkpoints()).hasSize(2);
  }

  private void runAll() {
    boolean isMore = true;
    while (isMore) {
      isMore = scheduler.step(1000);
    }
  }
}
