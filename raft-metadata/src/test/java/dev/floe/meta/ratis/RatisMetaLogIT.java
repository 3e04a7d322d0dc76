package dev.floe.meta.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.log.MetaLogContractTest;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.ratis.storage.FloeStateFormat;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import dev.floe.meta.ratis.storage.StateFormat;
import dev.floe.meta.state.DigestMismatchListener;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.MetadataView;
import dev.floe.meta.state.StateConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.retry.RetryPolicies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One master's log on real files: what it refuses at start, what it survives, what is fatal.
class RatisMetaLogIT extends MetaLogContractTest {
  @TempDir Path root;
  private final ConcurrentLinkedQueue<String> fatal = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<RatisMetaLog> opened = new ConcurrentLinkedQueue<>();
  private final Endpoint raft = freeEndpoint();

  @AfterEach
  void close() {
    opened.forEach(RatisMetaLog::close);
  }

  private static Endpoint freeEndpoint() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new Endpoint("127.0.0.1", socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RatisOptions options(Endpoint raftEndpoint) {
    return new RatisOptions(
        "test",
        "m1",
        root.resolve("raft"),
        List.of(new RatisPeer("m1", raftEndpoint, Endpoint.parse("127.0.0.1:7401"))),
        new RatisOptions.Timing(
            Duration.ofMillis(150), Duration.ofMillis(300), Duration.ofSeconds(3)),
        new RatisOptions.Storage(
            new SnapshotTrigger.Thresholds(
                1_000_000, 1L << 40, Duration.ofDays(1), Duration.ofSeconds(1)),
            3,
            64 * 1024,
            0,
            1,
            1 << 20));
  }

  private RatisMetaLog open(StateFormat format) {
    RatisMetaLog log =
        RatisMetaLog.open(
            options(raft), format, Ticker.system(), (what, cause) -> fatal.add(what + cause));
    opened.add(log);
    return log;
  }

  private RatisMetaLog open() {
    return open(new Delegating());
  }

  @Override
  protected MetaLog leadingLog() {
    return lead();
  }

  private RatisMetaLog lead() {
    RatisMetaLog log = open();
    await("leadership", () -> log.leadership().isLeaderReady());
    return log;
  }

  private static void await(String what, BooleanSupplier condition) {
    Deadline deadline = soon();
    while (!condition.getAsBoolean()) {
      if (deadline.isExpired()) {
        throw new AssertionError("waited in vain for " + what);
      }
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(30));
  }

  private static List<MetadataReply> apply(RatisMetaLog log, MetadataCommand... commands) {
    CompletableFuture<List<MetadataReply>> replies = new CompletableFuture<>();
    log.propose(
        new CommandBatch(1, Stream.of(commands).map(SessionCommand::unguarded).toList()),
        new MetaLog.ProposalListener() {
          @Override
          public void applied(long index, List<MetadataReply> result) {
            replies.complete(result);
          }

          @Override
          public void failed(FloeException error) {
            replies.completeExceptionally(error);
          }
        });
    return replies.join();
  }

  private static void openSessions(RatisMetaLog log, int from, int count) {
    for (int i = from; i < from + count; i++) {
      assertThat(apply(log, new MetadataCommand.OpenSession(new SessionId(i, 1))))
          .singleElement()
          .isInstanceOf(MetadataReply.SessionOpened.class);
    }
  }

  private static void assertSessions(RatisMetaLog log, int count) {
    assertThat(log.<List<Long>>read(RatisMetaLogIT::nonces, soon()))
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, count).boxed().toList());
  }

  private static List<Long> nonces(MetadataView view) {
    return view.sessions().stream().map(SessionId::high).toList();
  }

  private Path openSegment() throws IOException {
    try (Stream<Path> files = Files.list(options(raft).groupDirectory().resolve("current"))) {
      return files
          .filter(f -> f.getFileName().toString().startsWith("log_inprogress_"))
          .max(Comparator.comparing(Path::toString))
          .orElseThrow();
    }
  }

  private static ErrorCode codeOf(Runnable failing) {
    try {
      failing.run();
    } catch (FloeException e) {
      return e.code();
    }
    throw new AssertionError("it succeeded");
  }

  @Test
  void restartReplaysTheLog() {
    RatisMetaLog log = lead();
    openSessions(log, 0, 10);
    long digest = log.localDigest().digest();
    log.close();
    RatisMetaLog again = lead();
    assertSessions(again, 10);
    assertThat(again.localDigest().digest()).isEqualTo(digest);
  }

  @Test
  void takenPortIsNamed() throws IOException {
    try (ServerSocket other = new ServerSocket()) {
      other.bind(new InetSocketAddress(raft.host(), raft.port()));
      assertThatThrownBy(this::open)
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ADDRESS_IN_USE))
          .hasMessageContaining(raft.toString());
    }
    lead();
  }

  @Test
  void directoryInUseIsRefusedAndTheHolderGoesOn() {
    RatisMetaLog log = lead();
    assertThat(
            codeOf(
                () ->
                    RatisMetaLog.open(
                        options(freeEndpoint()),
                        new Delegating(),
                        Ticker.system(),
                        (what, cause) -> {})))
        .isEqualTo(ErrorCode.DIRECTORY_IN_USE);
    openSessions(log, 0, 1);
  }

  @Test
  void tornTailIsCutAndEverythingBeforeItIsThere() throws IOException {
    RatisMetaLog log = lead();
    openSessions(log, 0, 20);
    log.close();
    Path segment = openSegment();
    byte[] whole = Files.readAllBytes(segment);
    byte[] torn = Arrays.copyOf(whole, whole.length + 4096);
    // The first half of a record: length, term and index, and then what was not written any more.
    System.arraycopy(whole, 8, torn, whole.length, 20);
    Files.write(segment, torn);
    RatisMetaLog again = lead();
    assertSessions(again, 20);
    openSessions(again, 20, 1);
    assertThat(fatal).isEmpty();
  }

  @Test
  void damageInTheMiddleIsRefused() throws IOException {
    RatisMetaLog log = lead();
    openSessions(log, 0, 20);
    log.close();
    Path segment = openSegment();
    byte[] bytes = Files.readAllBytes(segment);
    bytes[bytes.length / 2] ^= 1;
    Files.write(segment, bytes);
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
        .hasMessageContaining(segment.getFileName().toString());
  }

  @Test
  void entryThatCannotBeDecodedIsFatal() {
    RatisMetaLog log = lead();
    openSessions(log, 0, 3);
    log.close();
    open(
        new Delegating() {
          @Override
          public CommandBatch decode(ByteString entry) {
            throw new FloeException(ErrorCode.VERSION_MISMATCH, "an entry from the future");
          }
        });
    await("the report", () -> !fatal.isEmpty());
    assertThat(fatal.peek()).contains("cannot apply log entry").contains("from the future");
  }

  @Test
  void raftPortTakesNoCommandsOfOthersAndTheLeaderStays() throws Exception {
    RatisMetaLog log = lead();
    long term = log.leadership().term();
    RaftGroup group =
        RaftGroup.valueOf(
            RaftGroupId.valueOf(options(raft).groupUuid()),
            RaftPeer.newBuilder().setId("m1").setAddress(raft.toString()).build());
    try (RaftClient stranger =
        RaftClient.newBuilder()
            .setProperties(new RaftProperties())
            .setRaftGroup(group)
            .setRetryPolicy(RetryPolicies.noRetry())
            .build()) {
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(() -> stranger.io().send(Message.valueOf("hello")))
            .isInstanceOf(StateMachineException.class)
            .hasMessageContaining("takes no commands");
        assertThatThrownBy(() -> stranger.io().sendReadOnly(Message.valueOf("hello")))
            .isInstanceOf(StateMachineException.class)
            .hasMessageContaining("serves no reads");
      }
    }
    assertThat(log.leadership().isLeaderReady()).isTrue();
    assertThat(log.leadership().term()).isEqualTo(term);
    openSessions(log, 0, 1);
    assertThat(fatal).isEmpty();
  }

  @Test
  void newestSnapshotThatIsDamagedIsPutAsideAndTheOneBeforeIsUsed() throws IOException {
    RatisMetaLog log = lead();
    openSessions(log, 0, 10);
    snapshot(log);
    openSessions(log, 11, 1);
    SessionId eleventh =
        log.localView().sessions().stream().filter(s -> s.high() == 11).findFirst().orElseThrow();
    apply(log, new MetadataCommand.CloseSession(eleventh));
    openSessions(log, 10, 5);
    snapshot(log);
    long newest = log.snapshotIndex();
    log.close();
    Path file = snapshotFile(newest);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    RatisMetaLog again = open();
    assertThat(again.snapshotIndex()).isLessThan(newest);
    await("leadership", () -> again.leadership().isLeaderReady());
    assertSessions(again, 15);
    assertThat(file).doesNotExist();
    assertThat(file.resolveSibling(file.getFileName() + ".corrupt")).exists();
    assertThat(fatal).isEmpty();
  }

  @Test
  void snapshotsAreKeptUpToTheirNumber() throws IOException {
    RatisMetaLog log = lead();
    for (int i = 0; i < 6; i++) {
      openSessions(log, i, 1);
      snapshot(log);
    }
    openSessions(log, 6, 1);
    await("cleaning up", () -> snapshots().size() == 3);
    assertSessions(log, 7);
  }

  /// A test harness or an embedded cluster opens many logs in one process.
  @Test
  void closingGivesBackEveryThreadAndFile() throws IOException {
    // What is made once for the process is there after this.
    for (int i = 0; i < 2; i++) {
      RatisMetaLog log = lead();
      snapshot(log);
      log.close();
    }
    awaitQuiet(Set.of(), Long.MAX_VALUE);
    Set<Long> threads = threads().keySet();
    long files = openFiles();

    for (int i = 0; i < 20; i++) {
      RatisMetaLog log = lead();
      openSessions(log, i, 1);
      snapshot(log);
      log.close();
    }

    awaitQuiet(threads, files);
    lead();
    assertThat(openFiles()).as("an open log is seen by this test").isGreaterThan(files);
    assertThat(threads()).hasSizeGreaterThan(threads.size());
  }

  /// Waits until there are no more threads and open files than these; with no threads given, until
  /// those of Ratis have ended.
  private static void awaitQuiet(Set<Long> threads, long files) {
    Deadline deadline = Deadline.after(Ticker.system(), Duration.ofSeconds(90));
    while (true) {
      Map<Long, String> now = threads();
      now.keySet().removeAll(threads);
      if (threads.isEmpty()) {
        now.values().removeIf(name -> !name.startsWith("m1"));
      }
      long open = openFiles();
      if (now.isEmpty() && open <= files) {
        return;
      }
      assertThat(deadline.isExpired())
          .as("threads %s more, %d files open, at the start %d", now.values(), open, files)
          .isFalse();
      LockSupport.parkNanos(50_000_000);
    }
  }

  private static Map<Long, String> threads() {
    Map<Long, String> threads = new TreeMap<>();
    Thread.getAllStackTraces().keySet().forEach(t -> threads.put(t.threadId(), t.getName()));
    return threads;
  }

  private static long openFiles() {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> snapshots() {
    try (Stream<Path> files = Files.list(options(raft).groupDirectory().resolve("sm"))) {
      return files.filter(f -> f.getFileName().toString().matches("snapshot\\.\\d+_\\d+")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path snapshotFile(long index) {
    return snapshots().stream()
        .filter(f -> f.toString().endsWith("_" + index))
        .findFirst()
        .orElseThrow();
  }

  private static void snapshot(RatisMetaLog log) {
    long before = log.snapshotIndex();
    log.requestSnapshot();
    apply(log, new MetadataCommand.Barrier());
    await("a snapshot", () -> log.snapshotIndex() > before);
    apply(log, new MetadataCommand.Barrier());
  }

  /// The formats of this release, to be overridden in part.
  private static class Delegating implements StateFormat {
    private final StateFormat real =
        new FloeStateFormat(StateConfig.DEFAULT, DigestMismatchListener.NONE);

    @Override
    public MetadataState empty() {
      return real.empty();
    }

    @Override
    public ByteString encode(CommandBatch batch) {
      return real.encode(batch);
    }

    @Override
    public CommandBatch decode(ByteString entry) {
      return real.decode(entry);
    }

    @Override
    public Frozen freeze(MetadataState state) {
      return real.freeze(state);
    }

    @Override
    public MetadataState read(Path file) throws IOException {
      return real.read(file);
    }
  }
}
