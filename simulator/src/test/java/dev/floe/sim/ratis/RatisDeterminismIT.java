package dev.floe.sim.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Starts JVMs of its own: the same seeds with another heap, collector and compiler.
class RatisDeterminismIT {
  @Test
  void seedsAreTheSameInFreshAndDifferentJvms() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int exit =
        RatisSimMain.run(
            List.of("check-determinism", "--seeds", "3..5"),
            new PrintStream(bytes, true, StandardCharsets.UTF_8));
    String said = bytes.toString(StandardCharsets.UTF_8);
    assertThat(exit).as(said).isZero();
    assertThat(said).startsWith("deterministic:").contains("3 passed, 0 failed");
  }

  @Test
  void aWrongCommandLineIsExplained() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int exit =
        RatisSimMain.run(
            List.of("run", "--seeds", "many"),
            new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(exit).isEqualTo(2);
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("--seeds: 'many' is not a number")
        .contains("usage:");
  }
}
