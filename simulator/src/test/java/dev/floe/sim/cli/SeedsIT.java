package dev.floe.sim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/// The seeds that every build runs of each kind of run, two at a time in JVMs of their own; they also
/// see what so many have to see.
class SeedsIT {
  @ParameterizedTest
  @CsvSource({
    "fleet, 1..16, 16, 0",
    "fleet-model, 1..24, 24, 0",
    "masters, 1..30, 30, 0",
    "commands, 1..150, 150, 0",
    "fleet, 1..4, 4, 0.02",
  })
  void theFirstSeedsHold(String profile, String seeds, int count, String preemption) {
    StringWriter said = new StringWriter();
    CommandLine line = SimMain.commandLine().setOut(new PrintWriter(said, true));
    int exit =
        line.execute(
            "run",
            "--profile",
            profile,
            "--seeds",
            seeds,
            "--jobs",
            "2",
            "--preempt",
            preemption,
            "--keep-going",
            "--coverage");
    assertThat(exit).as(said.toString()).isZero();
    assertThat(said.toString()).contains(count + " passed, 0 failed, hash of hashes ");
  }
}
