package dev.floe.sim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/// Starts JVMs of its own: the same seeds with another heap, collector and compiler.
class DeterminismIT {
  @ParameterizedTest
  @CsvSource({
    "masters, 3..5, 3, 0",
    "fleet, 4..5, 2, 0",
    "fleet-model, 4..5, 2, 0",
    "fleet, 4..4, 1, 0.02",
    "fleet-model, 4..5, 2, 0.05"
  })
  void seedsAreTheSameInFreshAndDifferentJvms(
      String profile, String seeds, int count, String preemption) {
    StringWriter said = new StringWriter();
    CommandLine line = SimMain.commandLine().setOut(new PrintWriter(said, true));
    int exit =
        line.execute(
            "check-determinism", "--profile", profile, "--seeds", seeds, "--preempt", preemption);
    assertThat(exit).as(said.toString()).isZero();
    assertThat(said.toString())
        .startsWith("deterministic:")
        .contains(count + " passed, 0 failed, hash of hashes ");
  }
}
