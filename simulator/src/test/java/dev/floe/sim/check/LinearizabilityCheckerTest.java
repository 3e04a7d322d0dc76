package dev.floe.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.sim.check.LinearizabilityChecker.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class LinearizabilityCheckerTest {
  private final LinearizabilityChecker checker = new LinearizabilityChecker(100_000);
  private final List<RegisterOperation> history = new ArrayList<>();

  @Test
  void acceptsAHistoryInSequence() {
    put(0, 1, 7);
    read(2, 3, 7);
    remove(4, 5);
    read(6, 7, 0);
    assertThat(checker.check(history)).isEqualTo(Verdict.LINEARIZABLE);
  }

  @Test
  void acceptsAReadThatSeesAConcurrentPutOrDoesNot() {
    put(0, 10, 7);
    read(1, 2, 0);
    read(3, 4, 7);
    assertThat(checker.check(history)).isEqualTo(Verdict.LINEARIZABLE);
  }

  @Test
  void rejectsAReadThatForgetsWhatAnEarlierReadSaw() {
    put(0, 10, 7);
    read(1, 2, 7);
    read(3, 4, 0);
    assertThat(checker.check(history)).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void rejectsAStaleRead() {
    put(0, 1, 7);
    remove(2, 3);
    read(4, 5, 7);
    assertThat(checker.check(history)).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void rejectsALostWrite() {
    put(0, 1, 7);
    read(2, 3, 0);
    assertThat(checker.check(history)).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void rejectsASecondPutOverALiveValue() {
    put(0, 1, 7);
    put(2, 3, 8);
    assertThat(checker.check(history)).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void rejectsARemovalOfNothing() {
    remove(0, 1);
    assertThat(checker.check(history)).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void letsAnOperationOfUnknownOutcomeTakeEffectLateOrNever() {
    history.add(RegisterOperation.put(0, 1, 7, false, "unknown"));
    read(2, 3, 0);
    assertThat(checker.check(history)).isEqualTo(Verdict.LINEARIZABLE);
    read(4, 5, 7);
    assertThat(checker.check(history)).isEqualTo(Verdict.LINEARIZABLE);
    read(6, 7, 0);
    assertThat(checker.check(history)).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void doesNotLetAnOperationTakeEffectBeforeItBegan() {
    read(0, 1, 7);
    history.add(RegisterOperation.put(2, 3, 7, false, "unknown"));
    assertThat(checker.check(history)).isEqualTo(Verdict.NOT_LINEARIZABLE);
  }

  @Test
  void takesSomeValueForAnyButNothing() {
    history.add(RegisterOperation.read(0, 1, RegisterOperation.SOME, "exists"));
    assertThat(checker.check(history)).isEqualTo(Verdict.NOT_LINEARIZABLE);
    history.add(RegisterOperation.put(0, 1, 3, true, "put"));
    assertThat(checker.check(history)).isEqualTo(Verdict.LINEARIZABLE);
  }

  @Test
  void acceptsEveryHistoryThatARealRegisterGivesAndRejectsItWithAReadTurned() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(5);
    for (int round = 0; round < 200; round++) {
      List<RegisterOperation> good = randomHistory(random);
      assertThat(checker.check(good)).isEqualTo(Verdict.LINEARIZABLE);
      List<RegisterOperation> bad = new ArrayList<>(good);
      bad.add(RegisterOperation.read(10_000, 10_001, 999, "never written"));
      assertThat(checker.check(bad)).isEqualTo(Verdict.NOT_LINEARIZABLE);
    }
  }

  @Test
  void givesUpOverItsBudget() {
    for (int i = 0; i < 30; i++) {
      history.add(RegisterOperation.put(0, 1, i + 1, false, "unknown"));
      history.add(RegisterOperation.remove(0, 1, 0, false, "unknown"));
    }
    read(2, 3, 999);
    assertThat(new LinearizabilityChecker(1000).check(history)).isEqualTo(Verdict.UNDECIDED);
  }

  /// Each operation takes effect at a moment of its own, somewhere between its call and its return.
  private static List<RegisterOperation> randomHistory(RandomGenerator random) {
    List<RegisterOperation> made = new ArrayList<>();
    long value = 0;
    for (int i = 0; i < 30; i++) {
      long effect = i * 10L;
      long invoke = effect - random.nextLong(40);
      long end = effect + random.nextLong(40);
      if (value == 0 && random.nextBoolean()) {
        value = i + 1L;
        made.add(RegisterOperation.put(invoke, end, value, true, "put"));
      } else if (value != 0 && random.nextInt(3) == 0) {
        value = 0;
        made.add(RegisterOperation.remove(invoke, end, RegisterOperation.SOME, true, "remove"));
      } else {
        made.add(RegisterOperation.read(invoke, end, value, "read"));
      }
    }
    return made;
  }

  private void put(long invoke, long end, long value) {
    history.add(RegisterOperation.put(invoke, end, value, true, "put"));
  }

  private void remove(long invoke, long end) {
    history.add(RegisterOperation.remove(invoke, end, RegisterOperation.SOME, true, "remove"));
  }

  private void read(long invoke, long end, long value) {
    history.add(RegisterOperation.read(invoke, end, value, "read"));
  }
}
