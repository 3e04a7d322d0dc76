package dev.floe.sim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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

  private int line(String arguments) {
    return run(arguments.split(" ", -1));
  }

  @Test
  void runsSeedsAndEndsWithWhatPassedAndAHash() {
    assertThat(line("run --profile commands --seeds 1..3")).isZero();
    String last = out.toString().lines().toList().getLast();
    assertThat(last).matches("3 passed, 0 failed, hash of hashes [0-9a-f]{16}");
  }

  @Test
  void runsTheSameSideBySideInOtherJvms() {
    assertThat(line("run --profile commands --seeds 1..100")).isZero();
    assertThat(line("run --profile commands --seeds 1..100 --jobs 2")).isZero();
    assertThat(out.toString().lines().filter(l -> l.startsWith("100 passed, 0 failed")))
        .hasSize(2)
        .containsOnly(out.toString().lines().toList().getLast());
  }

  @Test
  void failsWhenSomethingWasNeverSeen() {
    assertThat(line("run --profile commands --seeds 1 --coverage")).isOne();
    assertThat(out.toString()).contains("STRICT_READ_ANSWERED").contains("never seen: ");
  }

  @Test
  void endsWithTheBudget() {
    assertThat(line("run --profile commands --seeds 1..1000000 --budget 0ms")).isZero();
    assertThat(out.toString()).contains("passed, 0 failed");
  }

  @Test
  void stopsAtTheFirstFailureWithOneLineThatReplaysIt() {
    String planted = "--profile commands --mutant apply-reads-local-clock";
    assertThat(line("run --seeds 1..300 " + planted)).isOne();
    String replay =
        out.toString().lines().filter(l -> l.contains("replay: ")).findFirst().orElseThrow();
    assertThat(out.toString()).containsOnlyOnce("FAIL invariant=").contains(" 1 failed");
    assertThat(line(replay.substring(replay.indexOf("replay --seed")))).isOne();
  }

  @Test
  void replaysOneSeedWithItsEvents(@TempDir Path folder) throws IOException {
    Path trace = folder.resolve("trace");
    assertThat(line("replay --profile commands --seed 0x2 --trace " + trace)).isZero();
    assertThat(out.toString()).contains("seed=2 ok").contains("drawn: ");
    assertThat(Files.readString(trace)).contains("leads");
  }

  @Test
  void endsAReplayAtAStep(@TempDir Path folder) throws IOException {
    Path all = folder.resolve("all");
    Path some = folder.resolve("some");
    line("replay --profile commands --seed 2 --trace " + all);
    assertThat(line("replay --profile commands --seed 2 --until 50 --trace " + some)).isZero();
    assertThat(Files.readAllLines(some)).isNotEmpty();
    assertThat(Files.readAllLines(all)).startsWith(Files.readAllLines(some).toArray(new String[0]));
    assertThat(Files.readAllLines(some).size()).isLessThan(Files.readAllLines(all).size());
  }

  @Test
  void huntsAMutant() {
    String words = "mutants --profile commands --seeds 1..300 --mutant apply-reads-local-clock";
    assertThat(line(words)).isZero();
    assertThat(out.toString()).contains("found  apply-reads-local-clock").contains(" at seed ");
  }

  @Test
  void namesTheMutantsOfAllProfiles() {
    assertThat(line("mutants --list")).isZero();
    assertThat(out.toString())
        .contains("fleet-model: ", "ack-before-commit")
        .contains("masters: ", "log-not-forced")
        .contains("commands: ", "apply-reads-local-clock");
  }

  @Test
  void checksDeterminism() {
    assertThat(line("check-determinism --profile commands --seeds 1..2")).isZero();
    assertThat(out.toString()).contains("2 seeds run twice, 0 differ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          run --seeds 9..1                                     | 9..1 end before they begin
          run --seeds a..b                                     | for example 1..500
          run --seeds 1 --budget soon                          | such as 60s or 10m
          run --seeds 1 --profile wild                         | fleet, fleet-model, masters
          run --seeds 1 --jobs 0                               | must be 1 to 64
          run --seeds 1 --profile commands --mutant no         | no mutant 'no'
          run --seeds 1 --mutant no                            | no mutant 'no'
          run --seeds 1 --set stores=many                      | 'many' is not a number
          run --seeds 1 --profile masters --set clients=0      | must be at least 1
          replay                                               | give --seed S or --plan FILE
          replay --seed 1..2                                   | must be one
          replay --plan /nowhere/at/all                        | there is no file
          replay --profile commands --seed 1 --trace /no/where | cannot be written
          shrink --profile masters --seed 1                    | masters has no plans
          explain --seed 1 --rows 0                            | must be at least 1
          replay --profile commands --seed 1 --until -1        | must be 0 or more
          """)
  void saysWhatIsWrongWithACommandLine(String words, String reason) {
    assertThat(line(words)).as(err.toString()).isEqualTo(2);
    assertThat(err.toString()).contains(reason).contains("next: ").contains("--help");
  }

  @Test
  void wantsACommand() {
    assertThat(run()).isEqualTo(2);
  }

  @Test
  void explainsItself() {
    assertThat(line("--help")).isZero();
    assertThat(out.toString()).contains("Examples:").contains("check-determinism");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "replay", "shrink", "explain", "mutants", "check-determinism"})
  void everyCommandHasAnExample(String command) {
    assertThat(line(command + " --help")).isZero();
    assertThat(out.toString()).contains("Example").contains("  floe sim " + command);
  }
}
