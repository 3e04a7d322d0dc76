package dev.floe.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The same whole clusters in two JVMs with different heaps, collectors and compilers.
class FleetDeterminismIT {
  private static String run(int expectedExit, String... args) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int exit = FleetMain.run(List.of(args), new PrintStream(bytes, true, StandardCharsets.UTF_8));
    String said = bytes.toString(StandardCharsets.UTF_8);
    assertThat(exit).as(said).isEqualTo(expectedExit);
    return said;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ratis", "model"})
  void seedsAreTheSameInFreshAndDifferentJvms(String log) throws Exception {
    assertThat(run(0, "check-determinism", "--seeds", "4..5", "--log", log))
        .startsWith("deterministic:")
        .contains("2 passed, 0 failed");
  }

  @Test
  void aWrongCommandLineIsExplained() throws Exception {
    assertThat(run(2, "run", "--mutant", "nonesuch")).contains("no mutant 'nonesuch'", "usage:");
    assertThat(run(2, "run", "--stores", "many")).contains("'many' is not a number");
  }
}
