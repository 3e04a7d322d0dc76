package dev.floe.sim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimMainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = SimMain.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  @Test
  void runsSeedsAndCountsSituations() {
    assertThat(run("run", "--seeds", "1..3")).isZero();
    assertThat(out.toString()).contains("3 runs, 0 failed").contains("STRICT_READ_ANSWERED");
  }

  @Test
  void endsWithTheBudget() {
    assertThat(run("run", "--seeds", "1..1000000", "--budget", "0ms")).isZero();
    assertThat(out.toString()).contains("runs, 0 failed");
  }

  @Test
  void replaysOneSeedWithItsEvents() {
    assertThat(run("replay", "--seed", "0x2", "--trace")).isZero();
    assertThat(out.toString()).contains("leads").contains("seed 2 passed").contains("options: ");
  }

  @Test
  void replaysAPlantedBugAndFails() {
    assertThat(run("replay", "--seed", "1", "--mutant", "apply_reads_local_clock")).isOne();
    assertThat(out.toString()).contains("FAIL invariant=");
  }

  @Test
  void checksDeterminism() {
    assertThat(run("check-determinism", "--seeds", "1..2")).isZero();
    assertThat(out.toString()).contains("2 seeds run twice, 0 differ");
  }

  @Test
  void refusesNonsenseWithAHint() {
    assertThat(run("run", "--seeds", "9..1")).isEqualTo(2);
    assertThat(run("run", "--seeds", "a..b")).isEqualTo(2);
    assertThat(err.toString()).contains("for example 1..500");
    assertThat(run("run", "--seeds", "1", "--budget", "soon")).isEqualTo(2);
    assertThat(run("run", "--seeds", "1", "--profile", "wild")).isEqualTo(2);
    assertThat(err.toString()).contains("swarm, calm, storm");
    assertThat(run()).isEqualTo(2);
  }

  @Test
  void explainsItself() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("Examples:").contains("check-determinism");
  }
}
