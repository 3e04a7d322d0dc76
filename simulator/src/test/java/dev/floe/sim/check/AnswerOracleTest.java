package dev.floe.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RouteVersion;
import org.junit.jupiter.api.Test;

class AnswerOracleTest {
  private static final ObjectId KEY = ObjectId.of("k");
  private static final RouteVersion FIRST = new RouteVersion(10, 0);
  private static final RouteVersion SECOND = new RouteVersion(20, 0);

  private long now;
  private final Timeline timeline = new Timeline(() -> now);
  private final AnswerOracle answers = new AnswerOracle(timeline);

  /// There from 100 to 200 in the first version, from 300 on in the second.
  private void history() {
    now = 100;
    timeline.readable(KEY, 12, FIRST);
    now = 200;
    timeline.unreadable(KEY, 15, false);
    now = 300;
    timeline.readable(KEY, 22, SECOND);
  }

  private static void finds(Invariant invariant, Runnable wrong) {
    assertThatThrownBy(wrong::run)
        .isInstanceOfSatisfying(
            Violation.class, v -> assertThat(v.invariant()).isEqualTo(invariant));
  }

  @Test
  void takesWhatWasTrueAtSomeMomentOfTheCall() {
    history();
    answers.missing(answers.begin(KEY, 50), 150);
    answers.found(answers.begin(KEY, 190), FIRST, 250);
    answers.missing(answers.begin(KEY, 190), 250);
    answers.exists(answers.begin(KEY, 250), 320);
    answers.found(answers.begin(KEY, 310), SECOND, 320);
  }

  @Test
  void findsAnAnswerFromThePast() {
    history();
    finds(Invariant.LINEARIZABILITY, () -> answers.found(answers.begin(KEY, 310), FIRST, 320));
    finds(Invariant.LINEARIZABILITY, () -> answers.missing(answers.begin(KEY, 310), 320));
    finds(Invariant.LINEARIZABILITY, () -> answers.exists(answers.begin(KEY, 210), 290));
  }

  @Test
  void findsAnAcknowledgementOfWhatIsNotInTheLog() {
    history();
    finds(Invariant.ACKED_DURABILITY, () -> answers.stored(answers.begin(KEY, 250), SECOND, 290));
    finds(
        Invariant.ACKED_DURABILITY, () -> answers.removed(answers.begin(KEY, 210), 400, false, 0));
    answers.stored(answers.begin(KEY, 250), SECOND, 310);
    answers.removed(answers.begin(KEY, 150), 210, false, 0);
  }

  @Test
  void findsARemovalInSpiteOfALease() {
    history();
    answers.leased(answers.begin(KEY, 110), FIRST, 260);
    finds(Invariant.READ_LEASE, () -> answers.removed(answers.begin(KEY, 150), 210, false, 10));
    answers.removed(answers.begin(KEY, 150), 210, false, 60);
    answers.removed(answers.begin(KEY, 150), 210, true, 0);
  }
}
