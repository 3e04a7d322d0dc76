package dev.floe.sim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.store.cli.shell.ResultStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
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
  void failsWhenSomethingIsMissingThatSoManySeedsHaveToSee() {
    assertThat(line("run --profile commands --no-faults --seeds 1 --coverage")).isZero();
    assertThat(line("run --profile commands --no-faults --seeds 1..30 --coverage")).isOne();
    assertThat(out.toString())
        .contains("STRICT_READ_ANSWERED", "MISSING")
        .contains("missing: LEADER_CHANGE_WITH_ENTRIES_IN_FLIGHT")
        .contains("30 seeds of this profile have to see that");
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
    assertThat(out.toString())
        .contains("seed 2 halted after step 50 at t=")
        .containsPattern("  m1 (leads|follows) in term \\d+\n")
        .containsPattern("  c1 \\d+ operations open, ");
    assertThat(Files.readAllLines(all)).startsWith(Files.readAllLines(some).toArray(new String[0]));
    assertThat(Files.readAllLines(some).size()).isLessThan(Files.readAllLines(all).size());
  }

  @Test
  void huntsAMutant() {
    String words = "mutants --profile commands --seeds 1..300 --mutant apply-reads-local-clock";
    assertThat(line(words)).isZero();
    assertThat(out.toString())
        .containsPattern("commands +apply-reads-local-clock +STATE_MACHINE_SAFETY +\\d");
  }

  @Test
  void namesTheMutantsOfAllProfiles() {
    assertThat(line("mutants --list")).isZero();
    assertThat(out.toString())
        .contains("fleet-model:", "ack-before-commit")
        .contains("masters:", "log-not-forced")
        .contains("commands:", "apply-reads-local-clock");
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
          run --seeds 1 --set stores=many                      | --set stores=many: 'many' is not a whole number; stores is 1 to 9
          run --seeds 1 --set stores=10                        | --set stores=10: stores is 10, but must be 1 to 9
          run --seeds 1 --set log=model                        | --set log=model: there is no 'log'; there are masters (1 to 7), stores (1 to 9)
          run --seeds 1 --profile masters --set stores=3       | --set stores=3: there is no 'stores'; there are masters (1 to 7)
          run --seeds 1 --profile commands --set stores=3      | --set stores=3: profile commands draws its sizes
          replay --plan x --set stores=3                       | --set changes what a seed draws
          replay --plan x --mutant skip-token-check            | --mutant changes what a seed draws
          run --seeds 1 --profile masters --set clients=0      | --set clients=0: clients is 0, but must be 1 to 64
          replay                                               | give --seed S or --plan FILE
          replay --seed 1..2                                   | must be one
          replay --plan /nowhere/at/all                        | there is no file
          replay --profile commands --seed 1 --trace /no/where | cannot be written
          shrink --profile masters --seed 1                    | masters has no plans; fleet and fleet-model have. A smaller run: replay --profile masters --seed 1
          explain --profile commands --seed 7                  | can be read whole: replay --profile commands --seed 7 --trace FILE
          explain --seed 1 --arrows -1                         | must be 0 or more
          explain --seed 1 --rows 0                            | must be at least 1
          explain --seed 1 --out /                             | --out / cannot be written: it is a folder
          shrink --seed 1 --out /no/where                      | there is no folder /no
          replay --seed 1 --write-plan /no/where               | there is no folder /no
          replay --profile commands --seed 1 --until -1        | must be 0 or more
          """)
  void saysWhatIsWrongWithACommandLine(String words, String reason) {
    assertThat(line(words)).as(err.toString()).isEqualTo(2);
    assertThat(err.toString()).contains(reason).contains("next: ").contains("--help");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "mutants --list",
        "run --profile commands --seeds 1..3",
        "replay --profile commands --seed 1"
      })
  void aLostOutputIsToldUnlessItsReaderWentAway(String words) {
    assertThat(withBrokenOutput("No space left on device", words)).isEqualTo(5);
    assertThat(err.toString())
        .startsWith("floe sim: the output could not be written: No space left on device\nnext: ");
    err.getBuffer().setLength(0);
    assertThat(withBrokenOutput("Broken pipe", words)).isEqualTo(141);
    assertThat(err.toString()).isEmpty();
  }

  private int withBrokenOutput(String message, String words) {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(message);
          }
        };
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    int code =
        SimMain.run(
            ResultStream.of(broken, Channels.newChannel(broken)),
            new PrintStream(told, true, StandardCharsets.UTF_8),
            words.split(" ", -1));
    err.write(told.toString(StandardCharsets.UTF_8));
    return code;
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aTraceThatCannotBeWrittenIsToldAfterTheRun() {
    assertThat(line("replay --profile commands --seed 1 --trace /dev/full")).isEqualTo(5);
    assertThat(out.toString()).contains("seed=1 ok");
    assertThat(err.toString())
        .startsWith("floe sim: --trace /dev/full could not be written: No space left on device\n")
        .contains("next: ")
        .hasLineCount(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          set stores many                | 'many' is not a whole number; stores is 1 to 9
          set readers 65                 | readers is 65, but must be 0 to 64
          set trouble maybe              | 'maybe' is neither true nor false
          set colour red                 | there is no 'colour'; there are masters (1 to 7), stores (1 to 9)
          set mutant no                  | no mutant 'no'; there are none, [skip-token-check
          set stores                     | it must be 'set NAME VALUE'
          fault 1 hand 0 at 5 for 9 RAIN | there is no fault 'RAIN'; there are [KILL_MASTER
          fault 1 hand 0 at 5            | it must be 'fault N hand H at MILLIS for MILLIS KIND'
          fault x hand 0 at 5 for 9 LOSS | 'x' is not a whole number
          fault 1 hand 0 at 5 for 0 LOSS | fault 1 lasts 0 ms, but must last 1 or more
          operations c1.0-w1             | it must be 'operations all' or 'operations WORKER N,N,...'
          operations c1.0-w1 1,b         | 'b' is not a whole number
          sed 7                          | 'sed' is unknown; there are profile, seed
          profile masters                | profile masters has no plans; fleet and fleet-model have
          """)
  void namesTheLineOfAPlanThatIsWrong(String wrong, String reason, @TempDir Path folder)
      throws IOException {
    Path plan = folder.resolve("plan");
    Files.writeString(plan, "floe-plan 1\nprofile fleet-model\nseed 1\n" + wrong + "\n");
    for (String command : List.of("replay", "explain", "shrink")) {
      err.getBuffer().setLength(0);
      assertThat(run(command, "--plan", plan.toString())).as(err.toString()).isEqualTo(2);
      assertThat(err.toString())
          .startsWith("floe sim: " + plan + ": line 4, '" + wrong + "': ")
          .contains(reason);
    }
  }

  @Test
  void namesWhatAPlanLacks(@TempDir Path folder) throws IOException {
    Path plan = folder.resolve("plan");
    Files.writeString(plan, "floe-plan 1\nprofile fleet-model\nseed 1\nset workers 1\n");
    assertThat(run("replay", "--plan", plan.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("the plan has no line 'set snapshot-entries N'");
  }

  @Test
  void tellsAFailureOnceAndItsStackTraceOnRequest(@TempDir Path folder) {
    String seed = "replay --profile commands --seed 1 --mutant apply-reads-local-clock";
    assertThat(line(seed)).isOne();
    String once = out.toString();
    assertThat(once).containsOnlyOnce("FAIL invariant=").contains("  replay: ", "  drawn: ");
    assertThat(once).hasLineCount(4);
    assertThat(line(seed + " --verbose")).isOne();
    assertThat(out.toString().substring(once.length()).lines()).hasSizeGreaterThan(4);
    assertThat(line(seed + " --trace " + folder.resolve("trace"))).isOne();
  }

  @Test
  void theProgressHasAUnitInWhichItIsNoZero() {
    assertThat(RunCommand.pace(0, 3)).isEqualTo("no seed yet");
    assertThat(RunCommand.pace(3, 60)).isEqualTo("20.0 s a seed");
    assertThat(RunCommand.pace(60, 3)).isEqualTo("20.0 seeds/s");
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
