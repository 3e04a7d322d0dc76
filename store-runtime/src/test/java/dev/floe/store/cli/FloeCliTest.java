package dev.floe.store.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.Logging;
import dev.floe.store.cli.shell.NextStep;
import dev.floe.store.cli.shell.TestTerminal;
import dev.floe.store.config.ClientConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FloeCliTest {
  private final TestTerminal test = new TestTerminal(false);
  private final List<ClientConfig> opened = new ArrayList<>();
  private FakeMetadata metadata = new FakeMetadata(2);

  private FloeCli cli() {
    Clients clients =
        new FakeClients(
            config -> {
              opened.add(config);
              return metadata;
            });
    return new FloeCli(test.terminal(), clients, Ticker.system());
  }

  private int run(String... args) {
    return cli().run(args);
  }

  @Test
  void everyCommandHasHelpWithAnExampleThatParses() {
    CommandLine root = cli().commandLine();
    assertThat(root.getSubcommands()).isNotEmpty();
    for (Map.Entry<String, CommandLine> command : root.getSubcommands().entrySet()) {
      String help = command.getValue().getUsageMessage();
      assertThat(help).as(command.getKey()).contains("Example", "  floe " + command.getKey());
      assertThat(run(command.getKey(), "--help")).as(command.getKey()).isZero();
      String example =
          help.lines()
              .filter(line -> line.startsWith("  floe " + command.getKey()))
              .findFirst()
              .orElseThrow();
      String[] words = example.strip().substring("floe ".length()).split("\\s+", -1);
      root.parseArgs(words);
    }
    assertThat(test.err()).isEmpty();
  }

  @Test
  void helpOfTheProgramNamesEveryCommand() {
    assertThat(run("--help")).isZero();
    for (String name : cli().commandLine().getSubcommands().keySet()) {
      assertThat(test.out()).contains("\n  " + name);
    }
  }

  @Test
  void theListOfCommandsSaysWholeSentencesAndNamesTheSimulator() {
    assertThat(run("--help")).isZero();
    assertThat(test.out().lines())
        .contains(
            "  rm          Remove objects.",
            "  quickstart  See it work: a cluster, a failover, and every byte back.")
        .anyMatch(line -> line.startsWith("  sim  "));
    List<String> commands =
        test.out().lines().filter(line -> line.matches("  [a-z]+ {2,}.*")).toList();
    assertThat(commands).hasSizeGreaterThan(10).allMatch(line -> line.endsWith("."));
    assertThat(run("sim", "run", "--seeds", "7")).isEqualTo(2);
    assertThat(test.err()).contains("bin/floe sim run --seeds 7");
  }

  @Test
  void whatNoCommandForesawIsOneLineUnlessTheTraceIsAskedFor() {
    for (Throwable planted : List.of(new IllegalStateException("one"), new StackOverflowError())) {
      TestTerminal quiet = new TestTerminal(false);
      assertThat(failing(quiet, planted).run("ls")).isEqualTo(5);
      assertThat(quiet.err().lines()).hasSize(2);
      assertThat(quiet.err())
          .startsWith("floe: unexpected " + planted)
          .contains("next: ")
          .contains("--debug");
      TestTerminal loud = new TestTerminal(false);
      assertThat(failing(loud, planted).run("ls", "--debug")).isEqualTo(5);
      assertThat(loud.err()).contains("\tat ");
    }
  }

  private static FloeCli failing(TestTerminal terminal, Throwable planted) {
    Clients clients =
        new FakeClients(
            config -> {
              if (planted instanceof Error error) {
                throw error;
              }
              throw (RuntimeException) planted;
            });
    return new FloeCli(terminal.terminal(), clients, Ticker.system());
  }

  @Test
  void aLongKeyThatIsNoKeyIsShortened() {
    assertThat(run("rm", "k".repeat(5_000) + '\ufffd')).isEqualTo(2);
    assertThat(test.err().length()).isLessThan(400);
    assertThat(test.err()).contains("kkk...").contains("not UTF-8");
  }

  @Test
  void withoutACommandItIsAUsageError() {
    assertThat(run()).isEqualTo(2);
    assertThat(test.err())
        .isEqualTo("floe: there is no command\nnext: 'floe --help' shows how it is used\n");
  }

  @Test
  void namesAnUnknownCommandAndTheNearestOne() {
    assertThat(run("stats")).isEqualTo(2);
    assertThat(test.err()).contains("'stats'").contains("did you mean 'stat").contains("next: ");
  }

  @Test
  void namesAnUnknownOptionOfACommand() {
    assertThat(run("ls", "--outptu", "json")).isEqualTo(2);
    assertThat(test.err()).contains("--outptu").contains("'floe ls --help'");
  }

  @Test
  void namesAMissingParameterAndAWrongFormat() {
    assertThat(run("stat")).isEqualTo(2);
    assertThat(test.err()).contains("missing required parameter: 'KEY'");
    assertThat(run("stat", "k", "--output", "xml")).isEqualTo(2);
    assertThat(test.err()).contains("xml");
  }

  @Test
  void listsPageByPageInTheOrderOfKeys() {
    metadata.with("b", 10).with("a/1", 2048).with("a/2", 0).with("a/\u001b3", 1L << 32);
    assertThat(run("ls")).isZero();
    assertThat(test.out())
        .isEqualTo(
            """
                  size  replicas  key
              4.00 GiB         2  a/\\u001b3
              2.00 KiB         2  a/1
                   0 B         2  a/2
                  10 B         2  b
            """);
  }

  @Test
  void listsAPrefixAsJson() {
    metadata.with("b", 10).with("a/1", 2048).with("a/2", 0);
    assertThat(run("ls", "a/", "--output", "json")).isZero();
    assertThat(test.out())
        .isEqualTo(
            """
            {"objects": [
              {"key":"a/1","sizeBytes":2048,"state":"ACTIVE","version":"17.1","replicas":2},
              {"key":"a/2","sizeBytes":0,"state":"ACTIVE","version":"17.1","replicas":2}
            ]}
            """);
  }

  @Test
  void refusesALimitBelowOneAndAPrefixThatIsNoKey() {
    metadata.with("a", 1);
    assertThat(run("ls", "--limit", "0")).isEqualTo(2);
    assertThat(run("ls", "--limit", "-5")).isEqualTo(2);
    assertThat(test.err()).contains("--limit is -5");
    assertThat(run("ls", "a\ufffd")).isEqualTo(2);
    assertThat(run("ls", "k".repeat(1025))).isEqualTo(2);
    assertThat(test.err()).contains("U+FFFD").contains("1025 bytes");
    assertThat(opened).isEmpty();
  }

  @Test
  void leavesTheOutputEmptyWhenTheListCannotBeRead() {
    metadata.withoutLeader();
    assertThat(run("ls")).isEqualTo(3);
    assertThat(run("ls", "--output", "json")).isEqualTo(3);
    assertThat(test.out()).isEmpty();
  }

  @Test
  void librariesThatLogByTheJdkAreQuiet() {
    Logging.quietLibraries();
    java.util.logging.Logger logger =
        java.util.logging.Logger.getLogger(
            "org.apache.ratis.thirdparty.io.grpc.netty.NettyServerTransport");
    assertThat(logger.isLoggable(java.util.logging.Level.INFO)).isFalse();
    assertThat(logger.isLoggable(java.util.logging.Level.WARNING)).isTrue();
  }

  @Test
  void listsNoMoreThanTheLimit() {
    metadata.with("a", 1).with("b", 1).with("c", 1).with("d", 1);
    assertThat(run("ls", "--limit", "3")).isZero();
    assertThat(test.out()).contains("  c\n").doesNotContain("  d\n");
  }

  @Test
  void showsAnObject() {
    metadata.with("k", 1536);
    assertThat(run("stat", "k")).isZero();
    assertThat(test.out())
        .isEqualTo(
            """
            key       k
            tenant    default
            size      1536 (1.50 KiB)
            checksum  crc32c:deadbeef
            version   17.1

            replica  runtime  endpoint        segment  offset
            41       s1       127.0.0.1:7501  seg-3      4096
            """);
  }

  @Test
  void showsAnObjectAsJson() {
    metadata.with("k", 1536);
    assertThat(run("stat", "k", "-o", "json")).isZero();
    assertThat(test.out())
        .contains("\"key\" : \"k\"", "\"sizeBytes\" : 1536", "\"crc32c\" : \"deadbeef\"")
        .contains("\"runtime\" : \"s1\"", "\"offsetBytes\" : 4096");
  }

  @Test
  void anObjectThatIsNotThereExitsWithOneAndSaysWhatToDo() {
    assertThat(run("stat", "nope")).isEqualTo(1);
    assertThat(test.out()).isEmpty();
    assertThat(test.err())
        .isEqualTo("floe: there is no 'nope'\nnext: " + NextStep.of(ErrorCode.NOT_FOUND) + "\n");
  }

  @Test
  void existTellsOfEachKeyAndFailsWhenOneIsMissing() {
    metadata.with("a", 1).with("b", 1);
    assertThat(run("exist", "a", "b")).isZero();
    assertThat(run("exist", "a", "c", "-o", "json")).isEqualTo(1);
    assertThat(test.out())
        .contains("exists  key\nyes     a\nyes     b\n")
        .contains("\"key\" : \"c\",\n    \"exists\" : false");
  }

  @Test
  void removesWhatItCanAndReportsTheFirstFailure() {
    metadata.with("a", 1).with("leased-b", 1).with("c", 1);
    assertThat(run("rm", "a", "leased-b", "nope", "c", "--timeout", "100ms")).isEqualTo(3);
    assertThat(metadata.keys()).containsExactly("leased-b");
    assertThat(test.out()).isEqualTo("removed a\nremoved c\n");
    assertThat(test.err()).contains("floe: 'leased-b' is being read", "floe: there is no 'nope'");
    assertThat(run("rm", "--force", "leased-b")).isZero();
    assertThat(metadata.keys()).isEmpty();
  }

  @Test
  void existCountsTheLeadingOnes() {
    metadata.with("a", 1).with("b", 1).with("d", 1);
    assertThat(run("exist", "--leading", "a", "b", "c", "d")).isEqualTo(1);
    assertThat(run("exist", "--leading", "a", "b", "-o", "json")).isZero();
    assertThat(test.out()).startsWith("2\n").contains("\"leading\" : 2");
  }

  @Test
  void removesAllWithAPrefixOrAllThereIs() {
    metadata.with("a/1", 1).with("a/2", 1).with("b", 1).with("leased-c", 1);
    assertThat(run("rm", "--prefix", "a/")).isZero();
    assertThat(metadata.keys()).containsExactlyInAnyOrder("b", "leased-c");
    assertThat(run("rm", "--prefix", "nope")).isZero();
    assertThat(run("rm", "--all", "--timeout", "100ms")).isEqualTo(3);
    assertThat(metadata.keys()).containsExactly("leased-c");
    assertThat(test.out()).isEqualTo("removed a/1\nremoved a/2\nremoved b\n");
  }

  @Test
  void removalNeedsExactlyOneWayToNameTheObjects() {
    for (List<String> wrong :
        List.of(
            List.of("rm"),
            List.of("rm", "k", "--all"),
            List.of("rm", "k", "--prefix", "p"),
            List.of("rm", "--all", "--prefix", "p"))) {
      assertThat(run(wrong.toArray(String[]::new))).as("%s", wrong).isEqualTo(2);
    }
    assertThat(opened).isEmpty();
    assertThat(test.err()).contains("--prefix P").contains("--all");
  }

  @Test
  void softPinsAndGroupsBeyondTheirLimitsAreRefused() {
    for (String time : List.of("25h", "soon", "-1s", "")) {
      assertThat(run("put", "k", "-", "--soft-pin", time)).as(time).isEqualTo(2);
    }
    assertThat(run("put", "k", "-", "--group", "g".repeat(257))).isEqualTo(2);
    assertThat(run("put", "k", "-", "--type", "SOUP")).isEqualTo(2);
    assertThat(test.err()).contains("'25h'", "24h", "257 bytes", "KVCACHE");
    assertThat(opened).isEmpty();
  }

  @Test
  void refusesKeysThatAreNotUtf8BeforeAnyRequest() {
    for (String key : List.of("a\ufffdb", "\ud800", "", "k".repeat(1025))) {
      assertThat(run("stat", key)).as(key).isEqualTo(2);
      assertThat(run("rm", key)).as(key).isEqualTo(2);
      assertThat(run("exist", key)).as(key).isEqualTo(2);
    }
    assertThat(opened).isEmpty();
    assertThat(test.err()).contains("U+FFFD").contains("surrogate").contains("1024");
  }

  @Test
  void pathLikeKeysAreKeys() {
    metadata.with("a/../b", 1).with("/etc/passwd", 1).with("..", 1);
    assertThat(run("exist", "a/../b", "/etc/passwd", "..")).isZero();
  }

  @Test
  void tenantMastersAndTimeoutReachTheClient() {
    run("ls", "--tenant", "t1", "--masters", "h:1,h:2", "--timeout", "2s");
    assertThat(opened.getFirst().tenant().value()).isEqualTo("t1");
    assertThat(opened.getFirst().masters()).hasToString("[h:1, h:2]");
    assertThat(opened.getFirst().timeout()).hasSeconds(2);
    test.withVariable("FLOE_MASTERS", "env:9");
    run("ls");
    assertThat(opened.getLast().masters()).hasToString("[env:9]");
  }

  @Test
  void aWrongClientSettingIsAUsageErrorThatNamesIt() {
    assertThat(run("ls", "--timeout", "2")).isEqualTo(2);
    assertThat(test.err())
        .contains("--timeout: 'timeout' is '2', which has no unit")
        .contains("next: correct the setting: a flag, FLOE_MASTERS")
        .doesNotContain("--print-config");
    assertThat(run("store", "--node", "s1")).isEqualTo(2);
    assertThat(test.err()).contains("next: correct the setting; --print-config shows");
    assertThat(run("ls", "--masters", "localhost")).isEqualTo(2);
    assertThat(test.err()).contains("'localhost' is not host:port");
  }

  @Test
  void showsTheCluster() {
    assertThat(run("status")).isZero();
    assertThat(test.out())
        .isEqualTo(
            """
            cluster floe: leader m2, term 4, applied 1234

            master  endpoint        role            applied
            m1      127.0.0.1:7401  SILENT for 4 s        -
            m2      127.0.0.1:7402  leader             1234

            store  endpoint        state  epoch  labels
            s1     127.0.0.1:7501  ALIVE      7  host=h,zone=a

            segment  store  name         used  capacity    full
            seg-3    s1     memory-0  128 MiB   512 MiB  25.0 %

            2 objects of 64.0 MiB; 1 being written; 128 MiB of 512 MiB used (25.0 %), 4.00 KiB of it abandoned; 3 sessions
            """);
  }

  @Test
  void withoutALeaderTheStatusIsShownButTheCodeIsThree() {
    metadata = new FakeMetadata(2).withoutLeader();
    assertThat(run("status")).isEqualTo(3);
    assertThat(test.out()).contains("cluster floe: NO LEADER, term 4").contains("follower m2");
    assertThat(run("status", "-o", "json")).isEqualTo(3);
    assertThat(test.out()).contains("\"leader\" : null");
  }

  @Test
  void statusAsJsonKeepsItsFieldNames() {
    assertThat(run("status", "-o", "json")).isZero();
    assertThat(
            test.out()
                .lines()
                .map(String::strip)
                .filter(l -> l.startsWith("\""))
                .map(l -> l.substring(1, l.indexOf('"', 1)))
                .distinct())
        .containsExactly(
            "cluster",
            "leader",
            "answeredBy",
            "isLeader",
            "term",
            "appliedIndex",
            "digest",
            "masters",
            "node",
            "endpoint",
            "silentMillis",
            "runtimes",
            "id",
            "state",
            "epoch",
            "labels",
            "host",
            "zone",
            "segments",
            "runtime",
            "name",
            "usedBytes",
            "capacityBytes",
            "largestFreeBytes",
            "totals",
            "objects",
            "objectBytes",
            "writing",
            "sessions",
            "abandonedBytes");
  }

  @Test
  void aFailureIsTwoLinesAndAStackTraceOnlyOnRequest() {
    Clients failing =
        new FakeClients(
            config -> {
              throw new FloeException(ErrorCode.UNAVAILABLE, "no master answers at\n h:1");
            });
    FloeCli cli = new FloeCli(test.terminal(), failing, Ticker.system());
    assertThat(cli.run("ls")).isEqualTo(3);
    assertThat(test.err().lines()).hasSize(2);
    assertThat(test.err()).startsWith("floe: no master answers at; h:1\nnext: ");
    assertThat(cli.run("ls", "--debug")).isEqualTo(3);
    assertThat(test.err()).contains("\tat dev.floe.store.cli.");
  }

  @Test
  void aDefectIsReportedAsSuch() {
    Clients failing =
        new FakeClients(
            config -> {
              throw new IllegalStateException("boom");
            });
    assertThat(new FloeCli(test.terminal(), failing, Ticker.system()).run("ls")).isEqualTo(5);
    assertThat(test.err()).contains("boom").contains("--debug");
  }

  @Test
  void anOutputThatCannotBeWrittenIsToldAndIsNoSuccess() {
    for (List<String> words : commandsThatPrint()) {
      TestTerminal full = new TestTerminal(false).withBrokenOutput("No space left on device");
      assertThat(onTerminal(full, words)).as(words.toString()).isEqualTo(5);
      assertThat(full.err().lines()).hasSize(2);
      assertThat(full.err())
          .startsWith("floe: the output could not be written: No space left on device\nnext: ");
    }
  }

  @Test
  void aReaderThatWentAwayIsNoErrorToTell() {
    for (List<String> words : commandsThatPrint()) {
      TestTerminal gone = new TestTerminal(false).withBrokenOutput("Broken pipe");
      assertThat(onTerminal(gone, words)).as(words.toString()).isEqualTo(141);
      assertThat(gone.err()).isEmpty();
    }
  }

  private static List<List<String>> commandsThatPrint() {
    return List.of(
        List.of("--help"),
        List.of("ls"),
        List.of("ls", "--output", "json"),
        List.of("stat", "a"),
        List.of("exist", "a"),
        List.of("rm", "a"),
        List.of("status"),
        List.of("status", "--watch"),
        List.of("status", "--output", "json"),
        List.of("store", "--node", "s1", "--print-config"),
        List.of("version"),
        List.of("completion"));
  }

  private static int onTerminal(TestTerminal terminal, List<String> words) {
    FakeClients clients = new FakeClients(config -> new FakeMetadata(2).with("a", 1));
    return new FloeCli(terminal.terminal(), clients, Ticker.system())
        .run(words.toArray(new String[0]));
  }

  @Test
  void versionTellsReleaseAndJava() {
    assertThat(run("version")).isZero();
    assertThat(test.out()).matches("floe \\d+\\.\\d+\\.\\d+\\S* \\(\\S+\\) on Java \\S+, .+\\n");
    assertThat(run("version", "--output", "json")).isZero();
    assertThat(test.out()).contains("\"version\" : ", "\"java\" : ");
    // The commit when the sources are in git, else the word; never what the build should have
    // filled.
    assertThat(test.out())
        .containsPattern("\"revision\" : \"([0-9a-f]{7,40}(-dirty)?|unknown)\"")
        .doesNotContain("$");
  }

  @Test
  void completionCoversEveryCommand() {
    assertThat(run("completion", "bash")).isZero();
    for (String name : cli().commandLine().getSubcommands().keySet()) {
      assertThat(test.out()).contains("_picocli_floe_" + name);
    }
    assertThat(run("completion", "zsh")).isZero();
    assertThat(test.out()).contains("compinit");
    assertThat(run("completion", "fish")).isEqualTo(2);
  }
}
