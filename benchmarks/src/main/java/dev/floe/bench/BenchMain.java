package dev.floe.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/// The command of the benchmarks: `benchmarks/run commit|snapshot|get|failover`.
public final class BenchMain {
  private static final String USAGE =
      """
      usage: benchmarks/run BENCHMARK [quick]

        commit     commands committed per second and p50, beside plain Ratis
        snapshot   longest pause of apply while a million objects are snapshotted
        get        memory-tier get over loopback, beside iperf3
        failover   time from the leader's death to the first answered write

      quick: short rounds, for a look. Example: benchmarks/run commit""";

  private BenchMain() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 0 || args[0].contains("help")) {
      System.out.println(USAGE);
      System.exit(args.length == 0 ? 2 : 0);
    }
    boolean isQuick = args.length > 1 && args[1].equals("quick");
    Path root = Files.createTempDirectory("floe-bench");
    try {
      switch (args[0]) {
        case "commit" ->
            new CommitRate(System.out, isQuick ? 1 : 5, Duration.ofSeconds(isQuick ? 2 : 4))
                .run(root);
        case "snapshot" -> new SnapshotPause(System.out).run(root, isQuick ? 100_000 : 1_000_000);
        case "get" -> new MemoryGet(System.out, isQuick ? 1 : 3, isQuick ? 2 : 4).run(root);
        case "failover" -> new Failover(System.out, isQuick ? 3 : 10).run(root);
        default -> {
          System.err.println("there is no benchmark '" + args[0] + "'\n" + USAGE);
          System.exit(2);
        }
      }
    } finally {
      delete(root);
    }
    System.exit(0);
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
