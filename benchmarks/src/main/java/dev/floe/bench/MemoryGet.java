package dev.floe.bench;

import dev.floe.store.client.GetOptions;
import dev.floe.store.client.PutOptions;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.client.value.ValueSource;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Gets of values in the memory tier over loopback, each complete: resolve, transfer, checksums.
/// One caller, one value after another, into memory off the heap. iperf3 with one stream runs in
/// turn with each size.
final class MemoryGet {
  private static final int[] MEBIBYTES = {1, 4, 16};
  private static final int VALUES = 8;

  private final PrintStream out;
  private final int rounds;
  private final int seconds;

  MemoryGet(PrintStream out, int rounds, int seconds) {
    this.out = out;
    this.rounds = rounds;
    this.seconds = seconds;
  }

  void run(Path root) throws Exception {
    if (!Iperf3.isInstalled()) {
      out.println("iperf3 is not installed: no ratio can be measured (apt-get install iperf3)");
      return;
    }
    try (BenchCluster bench = new BenchCluster(root, 1, 1L << 30);
        Arena arena = Arena.ofShared()) {
      MemorySegment target = arena.allocate(16L << 20, 4096);
      for (int mebibytes : MEBIBYTES) {
        MemorySegment value = target.asSlice(0, (long) mebibytes << 20);
        for (int i = 0; i < VALUES; i++) {
          value.fill((byte) (i + 1));
          bench
              .client()
              .objects()
              .put(key(mebibytes, i), ValueSource.of(value), PutOptions.replicas(1));
        }
      }
      measure(bench, target, 1);
      measure(bench, target, 4);
      out.println("value      get GB/s   iperf3 GB/s   share   (medians, each pair in turn)");
      for (int mebibytes : MEBIBYTES) {
        List<Double> get = new ArrayList<>();
        List<Double> iperf = new ArrayList<>();
        List<Double> share = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
          iperf.add(Iperf3.medianBytesPerSecond(seconds, 1) / 1e9);
          get.add(measure(bench, target, mebibytes));
          share.add(get.getLast() / iperf.getLast());
        }
        out.printf(
            "%2d MiB %12.2f %13.2f %6.0f %%%n",
            mebibytes, median(get), median(iperf), 100 * median(share));
      }
    }
  }

  private double measure(BenchCluster bench, MemorySegment target, int mebibytes) {
    long bytes = 0;
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    for (int i = 0; System.nanoTime() < end; i++) {
      bytes +=
          bench
              .client()
              .objects()
              .get(key(mebibytes, i % VALUES), ValueSink.of(target), GetOptions.DEFAULT)
              .sizeBytes();
      if (target.get(ValueLayout.JAVA_BYTE, ((long) mebibytes << 20) - 1) != i % VALUES + 1) {
        throw new IllegalStateException("wrong bytes of " + key(mebibytes, i % VALUES));
      }
    }
    return bytes / ((System.nanoTime() - begin) / 1e9) / 1e9;
  }

  private static String key(int mebibytes, int value) {
    return "bench/" + mebibytes + "MiB/" + value;
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    sorted.sort(Comparator.naturalOrder());
    return sorted.get(sorted.size() / 2);
  }
}
