package dev.floe.bench;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.snapshot.SnapshotWriter;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateCapture;
import dev.floe.meta.state.StateConfig;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// How long `apply` stands still while a snapshot of many objects is taken and written: batches of
/// 256 commands are applied without a pause, first alone, then while snapshots are written beside.
final class SnapshotPause {
  private static final int BATCH = 256;

  private final PrintStream out;
  private final MetadataState state = new MetadataState(StateConfig.DEFAULT);
  private SessionId session = new SessionId(1, 1);

  private long index;
  private long sequence;

  SnapshotPause(PrintStream out) {
    this.out = out;
  }

  void run(Path root, int objects) throws IOException, InterruptedException {
    prepare();
    long begin = System.nanoTime();
    for (int i = 0; i < objects; i += BATCH) {
      put(i, Math.min(BATCH, objects - i));
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    out.printf(
        "%d objects put in %.1f s: %.0f puts (start and end) per second of apply%n",
        objects, seconds, objects / seconds);
    churn(objects, 2000);
    Histogram alone = churn(objects, 4000);
    out.println("                         p50 ms    p99 ms    max ms of one entry of 256 commands");
    print("alone", alone);
    for (int i = 0; i < 3; i++) {
      long captureBegin = System.nanoTime();
      StateCapture capture = state.capture();
      double captureMillis = (System.nanoTime() - captureBegin) / 1e6;
      Path file = root.resolve("snapshot-" + i);
      long[] writtenNanos = {0};
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    long writeBegin = System.nanoTime();
                    try (capture;
                        OutputStream stream =
                            new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
                      SnapshotWriter.write(capture, stream);
                    } catch (IOException e) {
                      throw new IllegalStateException(e);
                    }
                    writtenNanos[0] = System.nanoTime() - writeBegin;
                  });
      Histogram beside = new Histogram(3);
      while (writer.isAlive()) {
        beside.add(churn(objects, 50));
      }
      writer.join();
      print("beside snapshot " + (i + 1), beside);
      out.printf(
          "  capture %.3f ms, %.1f MB written in %.2f s%n",
          captureMillis, Files.size(file) / 1e6, writtenNanos[0] / 1e9);
      Files.delete(file);
    }
  }

  private void print(String name, Histogram histogram) {
    out.printf(
        "%-20s %10.2f %9.2f %9.2f%n",
        name,
        histogram.getValueAtPercentile(50) / 1e6,
        histogram.getValueAtPercentile(99) / 1e6,
        histogram.getMaxValue() / 1e6);
  }

  private void prepare() {
    index++;
    MetadataReply opened =
        state
            .apply(
                1,
                index,
                new CommandBatch(
                    index,
                    List.of(SessionCommand.unguarded(new MetadataCommand.OpenSession(session)))))
            .getFirst();
    session = ((MetadataReply.SessionOpened) opened).session();
    for (int i = 0; i < 2; i++) {
      RuntimeId runtime = new RuntimeId("store-" + i);
      apply(
          List.of(
              new MetadataCommand.RegisterRuntime(
                  runtime, new SessionId(i, i), new Endpoint("127.0.0.1", 7500 + i), Map.of()),
              new MetadataCommand.MountSegment(runtime, 1, "memory", 1L << 40)));
    }
  }

  private void put(int from, int count) {
    List<MetadataCommand> starts = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      starts.add(
          new MetadataCommand.PutStart(id(i), 64 * 1024, MetadataCommand.Placement.replicas(1)));
    }
    List<MetadataReply> replies = apply(starts);
    List<MetadataCommand> ends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (!(replies.get(i) instanceof MetadataReply.PutStarted started)) {
        throw new IllegalStateException(replies.get(i).toString());
      }
      List<Long> tokens =
          started.targets().stream()
              .map(MetadataReply.ReplicaTarget::replica)
              .map(Replica::id)
              .toList();
      ends.add(new MetadataCommand.PutEnd(id(from + i), tokens, 1));
    }
    apply(ends);
  }

  /// Replaces objects spread over all shards; the histogram holds nanoseconds of `apply` for each
  /// entry.
  private Histogram churn(int objects, int entries) {
    Histogram histogram = new Histogram(3);
    for (int e = 0; e < entries; e++) {
      int from = (int) ((index * 7919L * BATCH) % (objects - BATCH));
      List<MetadataCommand> removes = new ArrayList<>();
      for (int i = from; i < from + BATCH; i++) {
        removes.add(new MetadataCommand.Remove(id(i), true));
      }
      long begin = System.nanoTime();
      apply(removes);
      histogram.recordValue(System.nanoTime() - begin);
      put(from, BATCH);
    }
    return histogram;
  }

  private List<MetadataReply> apply(List<MetadataCommand> commands) {
    index++;
    List<SessionCommand> guarded = new ArrayList<>();
    for (MetadataCommand command : commands) {
      sequence++;
      guarded.add(new SessionCommand(session, sequence, sequence, command));
    }
    return state.apply(1, index, new CommandBatch(index, guarded));
  }

  private static ObjectId id(int i) {
    return ObjectId.of(
        "model-7b/layer-" + i % 32 + "/block-" + Integer.toHexString(i * 0x9E3779B1));
  }
}
