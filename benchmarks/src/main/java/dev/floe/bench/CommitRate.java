package dev.floe.bench;

import com.google.protobuf.ByteString;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.codec.CommandCodec;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.SessionId;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.Histogram;

/// Commands committed per second and their latency, at several numbers of outstanding commands,
/// beside plain Ratis with the same payload, property set and disk.
///
/// The two alternate in short rounds within one run; the table shows the medians of the rounds and
/// their ratio.
final class CommitRate {
  private static final int[] OUTSTANDING = {1, 8, 64, 512};

  private final PrintStream out;
  private final int rounds;
  private final Duration round;

  CommitRate(PrintStream out, int rounds, Duration round) {
    this.out = out;
    this.rounds = rounds;
    this.round = round;
  }

  void run(Path root) throws Exception {
    byte[] payload = oneCommand().toByteArray();
    out.printf("payload of one plain entry: %d bytes%n", payload.length);
    out.println("outstanding   plain/s  p50 ms     floe/s  p50 ms   rate x   latency x");
    try (PlainRatis plain = new PlainRatis(ThreeMasters.options("plain", root));
        ThreeMasters floe = new ThreeMasters(ThreeMasters.options("floe", root))) {
      List<FloeWorker> workers = new ArrayList<>();
      for (int i = 0; i < OUTSTANDING[OUTSTANDING.length - 1]; i++) {
        workers.add(new FloeWorker(floe, i));
      }
      Operation plainOperation = worker -> plain.submit(payload).get();
      Operation floeOperation = worker -> workers.get(worker).step();
      measure(64, plainOperation);
      measure(64, floeOperation);
      for (int outstanding : OUTSTANDING) {
        List<Result> plainResults = new ArrayList<>();
        List<Result> floeResults = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
          plainResults.add(measure(outstanding, plainOperation));
          floeResults.add(measure(outstanding, floeOperation));
        }
        Result p = median(plainResults);
        Result f = median(floeResults);
        out.printf(
            "%11d %9.0f %7.2f %10.0f %7.2f %8.2f %11.2f%n",
            outstanding,
            p.perSecond(),
            p.p50Millis(),
            f.perSecond(),
            f.p50Millis(),
            f.perSecond() / p.perSecond(),
            f.p50Millis() / p.p50Millis());
      }
    }
  }

  private Result measure(int outstanding, Operation operation) throws InterruptedException {
    Histogram all = new Histogram(3);
    ReentrantLock merge = new ReentrantLock();
    AtomicBoolean isOver = new AtomicBoolean();
    CountDownLatch done = new CountDownLatch(outstanding);
    long start = System.nanoTime();
    for (int i = 0; i < outstanding; i++) {
      int worker = i;
      Thread.ofVirtual()
          .start(
              () -> {
                Histogram own = new Histogram(3);
                try {
                  while (!isOver.get()) {
                    long begin = System.nanoTime();
                    operation.once(worker);
                    own.recordValue(System.nanoTime() - begin);
                  }
                } catch (InterruptedException | ExecutionException | java.io.IOException e) {
                  throw new IllegalStateException(e);
                } finally {
                  merge.lock();
                  try {
                    all.add(own);
                  } finally {
                    merge.unlock();
                  }
                  done.countDown();
                }
              });
    }
    Thread.sleep(round.toMillis());
    isOver.set(true);
    done.await();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Result(all.getTotalCount() / seconds, all.getValueAtPercentile(50) / 1e6);
  }

  private static Result median(List<Result> results) {
    List<Result> sorted = new ArrayList<>(results);
    sorted.sort(Comparator.comparingDouble(Result::perSecond));
    double rate = sorted.get(sorted.size() / 2).perSecond();
    sorted.sort(Comparator.comparingDouble(Result::p50Millis));
    return new Result(rate, sorted.get(sorted.size() / 2).p50Millis());
  }

  private static ByteString oneCommand() {
    return CommandCodec.encode(
        new CommandBatch(1, List.of(command(new SessionId(-1, 1L << 20), 0, 1))));
  }

  /// An object that comes and goes: the state stays small, and every command is a real change of
  /// it.
  private static SessionCommand command(SessionId session, int worker, long sequence) {
    ObjectId id = ObjectId.of("bench/layer-07/block-" + worker);
    return new SessionCommand(session, sequence, sequence, new MetadataCommand.Remove(id, true));
  }

  private record Result(double perSecond, double p50Millis) {}

  @FunctionalInterface
  private interface Operation {
    void once(int worker) throws InterruptedException, ExecutionException, java.io.IOException;
  }

  /// One client with a session of its own and one command outstanding.
  private static final class FloeWorker {
    private final ThreeMasters masters;
    private final int worker;
    private final SessionId session;
    private long sequence;

    FloeWorker(ThreeMasters masters, int worker) {
      this.masters = masters;
      this.worker = worker;
      MetadataReply opened =
          masters
              .submit(
                  List.of(
                      SessionCommand.unguarded(
                          new MetadataCommand.OpenSession(new SessionId(worker, worker)))),
                  Deadline.after(Ticker.system(), Duration.ofSeconds(10)))
              .getFirst();
      session = ((MetadataReply.SessionOpened) opened).session();
    }

    void step() {
      sequence++;
      masters.submit(
          List.of(command(session, worker, sequence)),
          Deadline.after(Ticker.system(), Duration.ofSeconds(10)));
    }
  }
}
