package dev.floe.sim.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ApplyOracleTest {
  private final ApplyOracle oracle = new ApplyOracle();

  @Test
  void acceptsReplicasAndLivesThatAgree() {
    for (String life : new String[] {"m1.0", "m2.0", "m1.1"}) {
      oracle.applied(life, 1, 4, 77, 100);
      oracle.applied(life, 2, 6, 78, 101);
    }
    assertThat(oracle.entries()).isEqualTo(6);
    assertThat(oracle.maxTerm()).isEqualTo(2);
  }

  @Test
  void seesAnotherEntryAtOneIndex() {
    oracle.applied("m1.0", 1, 4, 77, 100);
    assertThatThrownBy(() -> oracle.applied("m2.0", 1, 4, 78, 100))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("STATE_MACHINE_SAFETY: index 4")
        .hasMessageContaining("m1.0")
        .hasMessageContaining("m2.0");
  }

  @Test
  void seesAnotherTermAtOneIndex() {
    oracle.applied("m1.0", 1, 4, 77, 100);
    assertThatThrownBy(() -> oracle.applied("m2.0", 2, 4, 77, 100))
        .hasMessageStartingWith("STATE_MACHINE_SAFETY");
  }

  @Test
  void seesAnotherStateAfterTheSameEntry() {
    oracle.applied("m1.0", 1, 4, 77, 100);
    assertThatThrownBy(() -> oracle.applied("m1.1", 1, 4, 77, 101))
        .hasMessageStartingWith("STATE_MACHINE_SAFETY");
  }

  @Test
  void seesAnEntryAppliedTwiceInOneLife() {
    oracle.applied("m1.0", 1, 4, 77, 100);
    assertThatThrownBy(() -> oracle.applied("m1.0", 1, 4, 77, 100))
        .hasMessageStartingWith("APPLY_ORDER: m1.0 applied 4 after 4");
  }
}
