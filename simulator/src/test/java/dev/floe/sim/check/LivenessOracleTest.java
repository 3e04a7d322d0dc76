package dev.floe.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import org.junit.jupiter.api.Test;

class LivenessOracleTest {
  private final LivenessOracle liveness = new LivenessOracle(100);

  private static void finds(Runnable wrong) {
    assertThatThrownBy(wrong::run)
        .isInstanceOfSatisfying(
            Violation.class, v -> assertThat(v.invariant()).isEqualTo(Invariant.LIVENESS));
  }

  @Test
  void promisesNothingUntilACoreIsWell() {
    liveness.began("a", false, 10);
    liveness.failed("a", ErrorCode.UNKNOWN_OUTCOME, 20);
    liveness.look(1000);
    liveness.wellSince(1000);
    liveness.ended("a", 2000);
    assertThat(liveness.judged()).isZero();
  }

  @Test
  void takesSuccessAndAnswersThatSayWhatIsSo() {
    liveness.wellSince(1000);
    liveness.began("a", false, 1000);
    liveness.failed("a", ErrorCode.NOT_FOUND, 1040);
    liveness.failed("a", ErrorCode.WRITE_IN_PROGRESS, 1050);
    liveness.look(1090);
    liveness.ended("a", 1100);
    assertThat(liveness.judged()).isEqualTo(1);
  }

  @Test
  void findsAnAnswerThatTellsNothing() {
    liveness.wellSince(1000);
    for (ErrorCode code :
        new ErrorCode[] {
          ErrorCode.UNKNOWN_OUTCOME,
          ErrorCode.UNAVAILABLE,
          ErrorCode.DEADLINE_EXCEEDED,
          ErrorCode.CONNECTION_LOST
        }) {
      liveness.began("a", false, 1000);
      finds(() -> liveness.failed("a", code, 1010));
    }
  }

  @Test
  void findsAnOperationThatTakesTooLongWhetherItEndsOrNot() {
    liveness.wellSince(1000);
    liveness.began("a", false, 1000);
    finds(() -> liveness.look(1101));
    finds(() -> liveness.ended("a", 1101));
  }

  @Test
  void letsACallerGiveUpButNotHang() {
    liveness.wellSince(1000);
    liveness.began("a", true, 1000);
    liveness.failed("a", ErrorCode.CANCELLED, 1010);
    finds(() -> liveness.look(1101));
  }

  @Test
  void forgetsTheWorkersOfAProcessThatWasKilled() {
    liveness.wellSince(1000);
    liveness.began("a", false, 1000);
    liveness.died("a");
    liveness.look(5000);
  }
}
