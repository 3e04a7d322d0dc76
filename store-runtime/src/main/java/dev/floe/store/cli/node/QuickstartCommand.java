package dev.floe.store.cli.node;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.FloeSubcommand;
import dev.floe.store.cli.shell.Lifetime;
import dev.floe.store.cli.shell.Logging;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Printable;
import dev.floe.store.cli.text.Table;
import dev.floe.store.config.ByteSize;
import dev.floe.store.connect.ClusterAccess;
import dev.floe.store.local.ClusterShape;
import dev.floe.store.local.EmbeddedCluster;
import dev.floe.store.local.PortPlan;
import dev.floe.store.local.Quickstart;
import dev.floe.store.local.QuickstartReport;
import dev.floe.store.local.QuickstartReport.Phase;
import dev.floe.store.local.SampleFiles;
import dev.floe.store.local.TemporaryDirectory;
import dev.floe.store.segment.MemoryBudget;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `floe quickstart`: see it work.
@Command(
    name = "quickstart",
    header = "See it work: a cluster, a failover, and every byte back.",
    description = {
      "Start a cluster in this process, store files in it, read them back, kill the leading",
      "master, read them again from the new leader, and compare every byte. Then stay up."
    },
    footer = {
      "",
      "Exits with 4 when any byte differed.",
      "",
      "Examples:",
      "  floe quickstart --once",
      "  floe quickstart --files /usr/share/doc"
    })
public final class QuickstartCommand extends FloeSubcommand {
  private static final int MASTERS = 3;
  private static final int STORES = 2;

  private final Clients clients;
  private final Ticker ticker;

  @Mixin private final LocalOptions local = new LocalOptions();
  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--once",
      description = "Stop at the end; free ports and, without --dir, a temporary folder are used.")
  private boolean isOnce;

  @Option(
      names = "--files",
      paramLabel = "PATH",
      description = "File or folder to store (this project's documentation and libraries).")
  private @Nullable Path files;

  public QuickstartCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal);
    this.clients = clients;
    this.ticker = ticker;
  }

  @Override
  protected int run() throws InterruptedException {
    if (!isVerbose()) {
      Logging.ofDemonstration();
    }
    SampleFiles sample = sample();
    MemoryBudget memory = MemoryBudget.ofThisProcess();
    long segmentBytes =
        Quickstart.segmentBytes(sample, (memory.physicalBytes() - memory.heapMaxBytes()) / 2);
    try (Lifetime lifetime = new Lifetime(terminal())) {
      ClusterShape shape = shape(lifetime, segmentBytes);
      EmbeddedCluster cluster = lifetime.own(new EmbeddedCluster(shape, ticker));
      step("starting " + MASTERS + " masters and " + STORES + " stores in " + shape.directory());
      cluster.start();
      QuickstartReport report;
      try (ClusterAccess session = clients.cluster(cluster.masters())) {
        report =
            new Quickstart(cluster, session.metadata(), session.objects(), this::step, ticker)
                .run(sample);
      }
      print(report);
      if (isOnce || !report.isGood()) {
        return report.isGood() ? ExitCodes.OK : ExitCodes.CORRUPT;
      }
      cluster.startMaster(report.failover().killed());
      step("started " + report.failover().killed() + " again, it follows the new leader");
      printUsage(sample, local.mastersOption(shape.ports()));
      lifetime.announceEnd("the cluster");
      lifetime.awaitSignal();
    }
    return ExitCodes.OK;
  }

  private SampleFiles sample() {
    if (files != null && files.toString().isEmpty()) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, "--files is empty; name a file or a folder, . for this one");
    }
    if (files != null) {
      return SampleFiles.below(files);
    }
    Path home = clients.home();
    return SampleFiles.ofExisting(
        List.of(
            home.resolve("README.md"),
            home.resolve("docs"),
            home.resolve("store-runtime").resolve("target").resolve("lib")),
        home);
  }

  private ClusterShape shape(Lifetime lifetime, long segmentBytes) {
    Path directory =
        isOnce && local.directoryOrNull() == null
            ? lifetime.own(new TemporaryDirectory("floe-quickstart-")).path()
            : local.directory(terminal().environment());
    PortPlan ports =
        isOnce ? PortPlan.free(MASTERS, STORES) : PortPlan.from(local.basePort(), MASTERS, STORES);
    return new ClusterShape("local", directory, ports, segmentBytes);
  }

  private void step(String line) {
    terminal().err().println("floe: " + Printable.of(line));
  }

  private void print(QuickstartReport report) {
    terminal()
        .out()
        .print(
            switch (output.format()) {
              case TABLE -> asText(report);
              case JSON -> Json.write(asJson(report));
            });
    terminal().out().checkWritten();
  }

  static String asText(QuickstartReport report) {
    Table table = new Table("step", ">objects", ">bytes", ">GB/s", ">ms");
    row(table, "put, " + Quickstart.REPLICAS + " copies", report, report.phases().put());
    row(table, "get", report, report.phases().getBefore());
    table.row("failover, first read", 1, "-", "-", report.failover().readMillis());
    table.row("failover, first write", 1, "-", "-", report.failover().writeMillis());
    row(table, "get from the new leader", report, report.phases().getAfter());
    StringBuilder text = new StringBuilder("\n").append(table.render()).append('\n');
    if (report.isGood()) {
      return text.append("All bytes came back, before and after the failover.\n").toString();
    }
    text.append("THESE DIFFERED FROM THEIR FILES:\n");
    report.mismatches().forEach(line -> text.append("  ").append(Printable.of(line)).append('\n'));
    return text.toString();
  }

  private static void row(Table table, String step, QuickstartReport report, Phase phase) {
    table.row(
        step,
        report.objects(),
        ByteSize.rounded(phase.bytes()),
        String.format(Locale.ROOT, "%.2f", phase.gigabytesPerSecond()),
        phase.nanos() / 1_000_000);
  }

  static Map<String, Object> asJson(QuickstartReport report) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("objects", report.objects());
    fields.put("bytes", report.bytes());
    fields.put("putGigabytesPerSecond", report.phases().put().gigabytesPerSecond());
    fields.put("getGigabytesPerSecond", report.phases().getBefore().gigabytesPerSecond());
    fields.put(
        "getAfterFailoverGigabytesPerSecond", report.phases().getAfter().gigabytesPerSecond());
    fields.put("killedMaster", report.failover().killed());
    fields.put("newLeader", report.failover().leader());
    fields.put("failoverReadMillis", report.failover().readMillis());
    fields.put("failoverWriteMillis", report.failover().writeMillis());
    fields.put("mismatches", report.mismatches());
    return fields;
  }

  private void printUsage(SampleFiles sample, String option) {
    String launcher = terminal().launcher();
    String key = sample.files().getFirst().key().value();
    terminal()
        .out()
        .printf(
            "%nThe cluster stays up. From another terminal:%n  %s ls%s%n  %s get%s '%s' copy%n"
                + "  %s status%s%nStop it with Ctrl-C.%n",
            launcher, option, launcher, option, Printable.of(key), launcher, option);
    terminal().out().flush();
  }
}
