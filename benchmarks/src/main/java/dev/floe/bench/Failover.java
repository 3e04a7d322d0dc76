package dev.floe.bench;

import dev.floe.core.error.FloeException;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.command.MetadataCommand;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Time from the death of the leading master to the first write that its successor answers, with
/// the default timeouts. The killed master comes back before the next round.
final class Failover {
  private final PrintStream out;
  private final int rounds;

  Failover(PrintStream out, int rounds) {
    this.out = out;
    this.rounds = rounds;
  }

  void run(Path root) throws Exception {
    List<Long> millis = new ArrayList<>();
    try (BenchCluster bench = new BenchCluster(root, 1, 64L << 20)) {
      for (int round = 1; round <= rounds; round++) {
        ClusterView view = bench.client().metadata().clusterView(false, BenchCluster.deadline(30));
        write(bench);
        long begin = System.nanoTime();
        bench.cluster().killMaster(view.answeredBy());
        write(bench);
        millis.add((System.nanoTime() - begin) / 1_000_000);
        out.printf(
            "round %d: killed %s, first write after %d ms%n",
            round, view.answeredBy(), millis.getLast());
        bench.cluster().startMaster(view.answeredBy());
        Thread.sleep(3000);
      }
    }
    millis.sort(Comparator.naturalOrder());
    out.printf(
        "failover in ms: min %d, median %d, max %d%n",
        millis.getFirst(), millis.get(millis.size() / 2), millis.getLast());
  }

  private static void write(BenchCluster bench) {
    try {
      bench.client().metadata().submit(new MetadataCommand.Barrier(), BenchCluster.deadline(30));
    } catch (FloeException e) {
      throw new IllegalStateException("no write within 30 s: " + e.getMessage(), e);
    }
  }
}
