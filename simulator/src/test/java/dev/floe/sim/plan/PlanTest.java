package dev.floe.sim.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.sim.plan.Operations.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
  private static final List<Fault> FAULTS =
      IntStream.range(0, 20)
          .mapToObj(i -> new Fault(i, i % 2, 100L * i, i % 3 == 0 ? "LOSS" : "HALVES", 800))
          .toList();
  private static final List<Operation> BEGUN =
      IntStream.range(0, 200).mapToObj(i -> new Operation("c" + i % 3 + ".0-w0", i / 3)).toList();
  private static final Plan PLAN =
      new Plan(
          "fleet",
          7,
          7,
          new TreeMap<>(Map.of("stores", "3", "mutant", "none")),
          FAULTS,
          Operations.ALL);

  private static PlanText.Checks any(String profile) {
    return new PlanText.Checks() {
      @Override
      public void setting(String name, String value) {}

      @Override
      public void fault(Fault fault) {}

      @Override
      public void whole(Plan plan) {
        assertThat(plan.profile()).isEqualTo(profile);
      }
    };
  }

  @Test
  void isReadAsItWasWritten() {
    assertThat(PlanText.read(PlanText.write(PLAN, List.of("a remark")), PlanTest::any))
        .isEqualTo(PLAN);
    Plan some = PLAN.withOperations(Operations.of(BEGUN.subList(3, 40))).withSchedule(99);
    assertThat(PlanText.read(PlanText.write(some, List.of()), PlanTest::any)).isEqualTo(some);
    Plan none = PLAN.withOperations(Operations.of(List.of())).withFaults(List.of());
    assertThat(PlanText.read(PlanText.write(none, List.of()), PlanTest::any)).isEqualTo(none);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fault 1 hand 0 at 5 for 0 LOSS",
        "fault 1 hand",
        "operations c0 x",
        "sed 5",
        "set stores"
      })
  void namesTheLineThatIsWrong(String line) {
    assertThatThrownBy(
            () ->
                PlanText.read("floe-plan 1\nprofile fleet\nseed 1\n" + line + "\n", PlanTest::any))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("line 4, '" + line + "': ");
  }

  @Test
  void wantsItsHeader() {
    assertThatThrownBy(() -> PlanText.read("floe-plan 2\n", PlanTest::any))
        .hasMessageContaining("floe-plan 1");
    assertThatThrownBy(() -> PlanText.read("floe-plan 1\nseed 1\n", PlanTest::any))
        .hasMessageContaining("no line 'profile ...'");
  }

  private static boolean has(Plan plan, int... faults) {
    return IntStream.of(faults)
        .allMatch(n -> plan.faults().stream().anyMatch(f -> f.number() == n));
  }

  @Test
  void shrinksToWhatTheFailureNeeds() {
    Predicate<Plan> fails =
        plan ->
            has(plan, 3, 17)
                && plan.faults().stream().anyMatch(f -> f.number() == 17 && f.millis() >= 200)
                && plan.operations().includes("c1.0-w0", 4)
                && plan.operations().includes("c2.0-w0", 50);
    Plan small = new Shrinker(PLAN, fails).shrink(BEGUN, BEGUN.subList(0, 10));
    assertThat(small.faults().stream().map(Fault::number)).containsExactly(3, 17);
    assertThat(small.faults().getLast().millis()).isEqualTo(200);
    assertThat(small.operations().chosen())
        .containsExactly(new Operation("c1.0-w0", 4), new Operation("c2.0-w0", 50));
  }

  @Test
  void triesFirstWhatTheFailureIsAbout() {
    List<Plan> tried = new ArrayList<>();
    Plan small =
        new Shrinker(
                PLAN.withFaults(List.of()),
                plan -> tried.add(plan) && plan.operations().includes("c0.0-w0", 1))
            .shrink(BEGUN, BEGUN.subList(3, 5));
    assertThat(small.operations().chosen()).containsExactly(new Operation("c0.0-w0", 1));
    assertThat(tried).hasSizeLessThan(8);
  }

  @Test
  void keepsAPlanOfWhichNothingCanGo() {
    assertThat(new Shrinker(PLAN, plan -> false).shrink(BEGUN, List.of())).isEqualTo(PLAN);
  }
}
