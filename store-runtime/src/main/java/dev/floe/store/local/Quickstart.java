package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.store.client.GetOptions;
import dev.floe.store.client.PutOptions;
import dev.floe.store.client.StoreClient;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.config.ByteSize;
import dev.floe.store.local.QuickstartReport.Failover;
import dev.floe.store.local.QuickstartReport.Phase;
import dev.floe.store.local.SampleFiles.SampleFile;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The demonstration: stores files, reads them back, kills the leading master, and reads them again
/// from the new leader, comparing every byte with the files both times.
public final class Quickstart {
  /// Copies of each file: one on each of the two stores.
  public static final int REPLICAS = 2;

  private static final String PROBE_KEY = "floe/quickstart/written-during-failover";
  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration FAILOVER = Duration.ofSeconds(60);

  private final EmbeddedCluster cluster;
  private final MetadataApi metadata;
  private final StoreClient client;
  private final StepLog log;
  private final Ticker ticker;

  public Quickstart(
      EmbeddedCluster cluster,
      MetadataApi metadata,
      StoreClient client,
      StepLog log,
      Ticker ticker) {
    this.cluster = cluster;
    this.metadata = metadata;
    this.client = client;
    this.log = log;
    this.ticker = ticker;
  }

  /// Memory that each store needs for `files`: twice their size, in steps of 64 MiB.
  ///
  /// @throws FloeException `TOO_LARGE` when two such stores do not fit into `memoryBytes`
  public static long segmentBytes(SampleFiles files, long memoryBytes) {
    long step = 64L << 20;
    long wanted = Math.ceilDiv(2 * files.totalBytes() + 4096L * files.files().size(), step) * step;
    if (wanted > memoryBytes / REPLICAS) {
      throw new FloeException(
          ErrorCode.TOO_LARGE,
          "the files have "
              + ByteSize.rounded(files.totalBytes())
              + ", but at most "
              + ByteSize.rounded(memoryBytes / REPLICAS / 2)
              + " fit into "
              + REPLICAS
              + " stores in this machine's memory; name a smaller folder with --files");
    }
    return Math.max(wanted, 512L << 20);
  }

  /// Runs it on a cluster that was started.
  public QuickstartReport run(SampleFiles files) throws InterruptedException {
    ClusterView view =
        ClusterReadiness.await(
            metadata, cluster, cluster.shape().stores(), Deadline.after(ticker, READY));
    log.step(
        "cluster of "
            + cluster.shape().masters()
            + " masters and "
            + cluster.shape().stores()
            + " stores is up, "
            + view.answeredBy()
            + " leads");
    SampleTransfer transfer = new SampleTransfer(client, files, ticker);
    List<String> mismatches = new ArrayList<>();

    Phase put = transfer.put(PutOptions.replicas(REPLICAS));
    log.step(
        "stored "
            + files.files().size()
            + " files, "
            + ByteSize.rounded(files.totalBytes())
            + ", "
            + REPLICAS
            + " copies each");
    Phase before = transfer.getAndCompare(GetOptions.DEFAULT, mismatches);
    log.step("read all of them back: " + verdict(mismatches));

    Failover failover = killLeader(view.answeredBy(), smallest(files));
    log.step(
        String.format(
            Locale.ROOT,
            "killed the leading master %s; %s leads now, first read after %d ms, first write after"
                + " %d ms",
            failover.killed(),
            failover.leader(),
            failover.readMillis(),
            failover.writeMillis()));
    Phase after = transfer.getAndCompare(GetOptions.DEFAULT, mismatches);
    log.step("read all of them from the new leader: " + verdict(mismatches));
    return new QuickstartReport(
        files.files().size(),
        files.totalBytes(),
        new QuickstartReport.Phases(put, before, after),
        failover,
        mismatches);
  }

  private static String verdict(List<String> mismatches) {
    return mismatches.isEmpty()
        ? "every byte as in its file"
        : mismatches.size() + " DIFFER, first " + mismatches.getFirst();
  }

  private static SampleFile smallest(SampleFiles files) {
    SampleFile smallest = files.files().getFirst();
    for (SampleFile file : files.files()) {
      smallest = file.sizeBytes() < smallest.sizeBytes() ? file : smallest;
    }
    return smallest;
  }

  private Failover killLeader(String leader, SampleFile sample) throws InterruptedException {
    long start = ticker.nanos();
    cluster.killMaster(leader);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Long> read = threads.submit(() -> read(sample, start));
      Future<Long> write = threads.submit(() -> write(start));
      long readMillis = result(read);
      long writeMillis = result(write);
      client.remove(PROBE_KEY, true);
      ClusterView view =
          ClusterReadiness.await(metadata, cluster, 0, Deadline.after(ticker, FAILOVER));
      if (view.answeredBy().equals(leader)) {
        throw new FloeException(ErrorCode.INTERNAL, "master " + leader + " was killed but leads");
      }
      return new Failover(leader, view.answeredBy(), readMillis, writeMillis);
    }
  }

  private long read(SampleFile sample, long start) {
    try (Arena arena = Arena.ofShared()) {
      client.get(
          sample.key().value(),
          ValueSink.of(arena.allocate(Math.max(1, sample.sizeBytes()))),
          GetOptions.DEFAULT.withTimeout(FAILOVER));
      return millisSince(start);
    }
  }

  private long write(long start) {
    client.put(
        PROBE_KEY,
        dev.floe.store.client.value.ValueSource.of(new byte[] {1}),
        PutOptions.replicas(REPLICAS).withTimeout(FAILOVER));
    return millisSince(start);
  }

  private long millisSince(long start) {
    return (ticker.nanos() - start) / 1_000_000;
  }

  private static long result(Future<Long> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof FloeException known) {
        throw known;
      }
      throw new FloeException(ErrorCode.INTERNAL, "during failover: " + e.getCause(), e);
    }
  }
}
