package dev.floe.meta.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.RequestHandler;
import dev.floe.core.wire.Transport;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.codec.RpcMessages;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.leader.LeaderOptions;
import dev.floe.meta.leader.LeaderServices;
import dev.floe.meta.log.FakeMetaLog;
import dev.floe.meta.log.FakeMetaLog.Fault;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.rpc.MetadataService;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A client against the real service on a log in memory; the wire between them is a method that can
/// fail before or after the request was served.
class MetadataClientTest {
  private static final Endpoint LEADER = Endpoint.parse("leader:1");
  private static final Endpoint FOLLOWER = Endpoint.parse("follower:1");

  private final MetadataState state = new MetadataState(StateConfig.DEFAULT);
  private final FakeMetaLog log = FakeMetaLog.of(state);
  private final LeaderServices leader =
      new LeaderServices(
          "m1",
          log,
          new LeaderOptions(LeaderOptions.Leases.DEFAULT, Duration.ofHours(1), 3),
          Ticker.system(),
          InstantSource.system());
  private final MetadataService service = new MetadataService("c", "m1", log, leader);
  private final ConcurrentLinkedQueue<Endpoint> asked = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<WireFault> faults = new ArrayDeque<>();

  /// Down once a client has renewed its session, which it does at once; the next time is long after.
  private final CountDownLatch renewed = new CountDownLatch(1);

  private final MetadataClient client =
      new MetadataClient(
          List.of(FOLLOWER, LEADER),
          this::wire,
          Ticker.system(),
          new Random(1),
          new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofSeconds(5)));

  private enum WireFault {
    REFUSED,
    LOST_REQUEST,
    LOST_RESPONSE,
    OF_ANOTHER_CLUSTER,
    UNREADABLE_RESPONSE,
    EMPTY_RESPONSE
  }

  private Connection.Reply wire(Endpoint to, Connection.Call call) {
    asked.add(to);
    if (to.equals(FOLLOWER)) {
      throw new FloeException(
          ErrorCode.NOT_LEADER, "ask the leader", Map.of("leader", LEADER.toString()), null);
    }
    WireFault fault = call.type() == FrameType.META_SUBMIT ? nextFault() : null;
    if (fault == WireFault.REFUSED) {
      throw new FloeException(ErrorCode.UNAVAILABLE, "refused");
    }
    if (fault == WireFault.OF_ANOTHER_CLUSTER) {
      throw new FloeException(ErrorCode.WRONG_CLUSTER, "this is cluster d");
    }
    if (fault == WireFault.LOST_REQUEST) {
      throw new FloeException(ErrorCode.CONNECTION_LOST, "lost before");
    }
    RequestHandler handler = Objects.requireNonNull(service.handlers().handlerOf(call.type()));
    var response =
        handler.handle(
            new RequestHandler.RequestHead(
                call.type(),
                call.header(),
                0,
                new Transport.Identity("c", "client"),
                call.deadline()),
            null);
    if (call.type() == FrameType.META_RENEW) {
      renewed.countDown();
    }
    if (fault == WireFault.LOST_RESPONSE) {
      throw new FloeException(ErrorCode.CONNECTION_LOST, "lost after");
    }
    if (fault == WireFault.UNREADABLE_RESPONSE) {
      return new Connection.Reply(ByteString.copyFromUtf8("no message"), 0);
    }
    if (fault == WireFault.EMPTY_RESPONSE) {
      return new Connection.Reply(ByteString.EMPTY, 0);
    }
    return new Connection.Reply(response.header(), 0);
  }

  private synchronized @Nullable WireFault nextFault() {
    return faults.poll();
  }

  private synchronized void fail(WireFault... next) {
    faults.addAll(List.of(next));
  }

  private static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(20));
  }

  @BeforeEach
  void space() throws InterruptedException {
    log.lead();
    RuntimeId runtime = new RuntimeId("r");
    MetadataReply registered =
        client.submit(
            new MetadataCommand.RegisterRuntime(
                runtime, new SessionId(2, 2), Endpoint.parse("h:1"), Map.of()),
            soon());
    client.submit(
        new MetadataCommand.MountSegment(
            runtime, ((MetadataReply.RuntimeRegistered) registered).epoch(), "s", 1L << 40),
        soon());
    renewed.await();
  }

  @AfterEach
  void close() {
    client.close();
    leader.close();
  }

  private static MetadataCommand.PutStart put(String key) {
    return new MetadataCommand.PutStart(ObjectId.of(key), 1, MetadataCommand.Placement.replicas(1));
  }

  private long proposals(String key) {
    return log.clientEntries().stream()
        .flatMap(e -> e.commands().stream())
        .filter(c -> c.command().equals(put(key)))
        .count();
  }

  @Test
  void followsTheHintAndStaysWithTheLeader() {
    assertThat(asked).contains(LEADER);
    asked.clear();
    for (int i = 0; i < 5; i++) {
      client.exist(TenantId.DEFAULT, List.of(new ObjectKey("k")), ReadOptions.DEFAULT, soon());
    }
    assertThat(asked).containsOnly(LEADER);
  }

  @Test
  void aStrangerAmongTheMastersKeepsNobodyFromThem() {
    Endpoint stranger = Endpoint.parse("stranger:1");
    MasterCalls wire =
        (to, call) -> {
          if (to.equals(stranger)) {
            throw new FloeException(ErrorCode.PROTOCOL_VIOLATION, "it sent 'HTTP/1.1'");
          }
          return wire(to, call);
        };
    for (int seed = 0; seed < 8; seed++) {
      try (MetadataClient some =
          new MetadataClient(
              List.of(stranger, LEADER),
              wire,
              Ticker.system(),
              new Random(seed),
              new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofSeconds(5)))) {
        assertThat(some.submit(new MetadataCommand.Barrier(), soon()))
            .isEqualTo(MetadataReply.Done.INSTANCE);
      }
    }
    try (MetadataClient none =
        new MetadataClient(
            List.of(stranger), wire, Ticker.system(), new Random(1), RetryPolicy.DEFAULT)) {
      assertThatThrownBy(() -> none.submit(new MetadataCommand.Barrier(), soon()))
          .hasMessageContaining("HTTP/1.1");
    }
  }

  @Test
  void lostResponseIsRepeatedUnderTheSameNumberAndTakesEffectOnce() {
    fail(WireFault.LOST_RESPONSE, WireFault.LOST_RESPONSE);
    MetadataReply reply = client.submit(put("k"), soon());
    assertThat(reply).isInstanceOf(MetadataReply.PutStarted.class);
    assertThat(proposals("k")).isEqualTo(3);
    assertThat(state.totals().writing()).isEqualTo(1);
    assertThat(
            log.clientEntries().stream()
                .flatMap(e -> e.commands().stream())
                .filter(c -> c.command().equals(put("k")))
                .map(SessionCommand::sequence)
                .distinct())
        .hasSize(1);
  }

  @Test
  void unknownOutcomeInTheLogIsRepeatedWhetherTheEntryWasLostOrItsReply() {
    log.failNext(Fault.LOST_REPLY);
    assertThat(client.submit(put("a"), soon())).isInstanceOf(MetadataReply.PutStarted.class);
    log.failNext(Fault.LOST_ENTRY);
    assertThat(client.submit(put("b"), soon())).isInstanceOf(MetadataReply.PutStarted.class);
    log.failNext(Fault.NOT_LEADER);
    assertThat(client.submit(put("c"), soon())).isInstanceOf(MetadataReply.PutStarted.class);
    assertThat(state.totals().writing()).isEqualTo(3);
  }

  @Test
  void deadlineAfterSendingIsAnUnknownOutcomeAndBeforeItUnavailable() {
    for (int i = 0; i < 1000; i++) {
      fail(WireFault.LOST_RESPONSE);
    }
    assertThatThrownBy(
            () -> client.submit(put("k"), Deadline.after(Ticker.system(), Duration.ofMillis(50))))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME))
        .hasMessageContaining("read the object");
    synchronized (this) {
      faults.clear();
    }
    for (int i = 0; i < 1000; i++) {
      fail(WireFault.REFUSED);
    }
    assertThatThrownBy(
            () -> client.submit(put("l"), Deadline.after(Ticker.system(), Duration.ofMillis(50))))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    assertThat(proposals("l")).isZero();
  }

  @Test
  void refusalAfterALostResponseIsAnUnknownOutcomeAndOtherwiseItself() {
    fail(WireFault.LOST_RESPONSE, WireFault.OF_ANOTHER_CLUSTER);
    assertThatThrownBy(() -> client.submit(put("k"), soon()))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME))
        .hasMessageContaining("this is cluster d");
    assertThat(state.route(ObjectId.of("k"))).isNotNull();

    fail(WireFault.REFUSED, WireFault.OF_ANOTHER_CLUSTER);
    assertThatThrownBy(() -> client.submit(put("other"), soon()))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.WRONG_CLUSTER));
  }

  @Test
  void anAnswerThatCannotBeReadIsAnUnknownOutcome() {
    for (WireFault fault : List.of(WireFault.UNREADABLE_RESPONSE, WireFault.EMPTY_RESPONSE)) {
      fail(fault);
      assertThatThrownBy(() -> client.submit(put(fault.name()), soon()))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME))
          .hasMessageContaining("read the object");
      assertThat(state.route(ObjectId.of(fault.name()))).isNotNull();
    }
  }

  @Test
  void aViewWithoutEndIsGivenUp() {
    ClusterView real = client.clusterView(false, soon());
    ClusterView nothing =
        new ClusterView("c", "m1", true, 1, 1, 1, List.of(), List.of(), List.of(), real.totals());
    ByteString page = RpcMessages.clusterViewResponse(new RpcMessages.ClusterPage(nothing, "r:x"));
    AtomicInteger pages = new AtomicInteger();
    try (MetadataClient endless =
        newClient(
            (to, call) -> {
              pages.incrementAndGet();
              return new Connection.Reply(page, 0);
            })) {
      assertThatThrownBy(() -> endless.clusterView(false, soon()))
          .isInstanceOfSatisfying(
              FloeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION))
          .hasMessageContaining("r:x");
    }
    assertThat(pages).hasValue(2);
  }

  @Test
  void commandThatWasGivenUpCannotTakeEffectAfterALaterOne() {
    for (int i = 0; i < 1000; i++) {
      fail(WireFault.LOST_REQUEST);
    }
    assertThatThrownBy(
            () -> client.submit(put("k"), Deadline.after(Ticker.system(), Duration.ofMillis(20))))
        .isInstanceOf(FloeException.class);
    synchronized (this) {
      faults.clear();
    }
    client.submit(new MetadataCommand.Barrier(), soon());
    SessionCommand later = log.clientEntries().getLast().commands().getFirst();
    assertThat(later.answeredBelow())
        .as("a late copy of the command that was given up is below")
        .isEqualTo(later.sequence());
  }

  @Test
  void sessionThatEndedIsReplacedForACommandThatWasNeverSent() {
    SessionId first = state.sessions().getFirst();
    expireSession(first);
    assertThat(client.submit(put("k"), soon())).isInstanceOf(MetadataReply.PutStarted.class);
    assertThat(state.sessions()).hasSize(1).doesNotContain(first);
  }

  @Test
  void sessionThatEndedDuringARepetitionIsAnUnknownOutcome() {
    SessionId first = state.sessions().getFirst();
    expireSession(first);
    fail(WireFault.LOST_REQUEST);
    assertThatThrownBy(() -> client.submit(put("k"), soon()))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME));
    assertThat(state.totals().writing()).isZero();
  }

  @Test
  void callerWhoseDeadlinePassesWhileAnotherOpensTheSessionDoesNotWaitForIt() throws Exception {
    CountDownLatch opening = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    MetadataClient slow =
        newClient(
            (to, call) -> {
              opening.countDown();
              awaitQuietly(go);
              return wire(to, call);
            });
    Thread first = Thread.ofVirtual().start(() -> slow.submit(put("a"), soon()));
    opening.await();
    try {
      assertThatThrownBy(
              () -> slow.submit(put("b"), Deadline.after(Ticker.system(), Duration.ofMillis(20))))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    } finally {
      go.countDown();
    }
    first.join();
    slow.close();
    assertThat(proposals("a")).isEqualTo(1);
    assertThat(proposals("b")).isZero();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static MetadataClient newClient(MasterCalls calls) {
    return new MetadataClient(
        List.of(LEADER),
        calls,
        Ticker.system(),
        new Random(2),
        new RetryPolicy(Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofSeconds(5)));
  }

  @Test
  void openingWhoseReplyIsLostIsRepeatedAndTheSessionThatWasAnsweredIsUsed() {
    fail(WireFault.LOST_RESPONSE, WireFault.LOST_RESPONSE);
    try (MetadataClient other = newClient(this::wire)) {
      assertThat(other.submit(put("k"), soon())).isInstanceOf(MetadataReply.PutStarted.class);
      assertThat(state.sessions()).as("one of this client, three copies").hasSize(4);
      assertThat(state.totals().writing()).isEqualTo(1);
    }
    assertThat(state.sessions()).as("two wait for the end of their leases").hasSize(3);
  }

  @Test
  void lateCopiesOfAllThatAClosedClientSentHaveNoEffect() {
    client.submit(put("k"), soon());
    List<SessionCommand> sent =
        log.clientEntries().stream().flatMap(entry -> entry.commands().stream()).toList();
    assertThat(sent.getFirst().command()).isInstanceOf(MetadataCommand.OpenSession.class);
    client.close();
    assertThat(state.totals().writing()).isZero();

    List<MetadataReply> replies = leader.leading().submit(sent, soon());

    assertThat(replies.getFirst()).isInstanceOf(MetadataReply.SessionOpened.class);
    assertThat(replies.subList(1, replies.size()))
        .hasSizeGreaterThan(2)
        .allSatisfy(
            reply ->
                assertThat(reply)
                    .isInstanceOfSatisfying(
                        MetadataReply.Failed.class,
                        f -> assertThat(f.code()).isEqualTo(ErrorCode.SESSION_NOT_FOUND)));
    assertThat(state.totals().writing()).isZero();
  }

  private void expireSession(SessionId session) {
    submitAsLeader(new MetadataCommand.CloseSession(session));
    assertThat(state.hasSession(session)).isFalse();
  }

  private void submitAsLeader(MetadataCommand command) {
    leader.leading().submit(List.of(SessionCommand.unguarded(command)), soon());
  }

  @Test
  void hugeRequestIsSplitAndAnsweredInOrder() {
    List<MetadataCommand.PutStart> puts = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      puts.add(put("k" + i));
    }
    List<MetadataReply> replies = client.submit(puts, soon());
    assertThat(replies).hasSize(5000);
    Set<Long> tokens = new HashSet<>();
    for (MetadataReply reply : replies) {
      assertThat(reply)
          .isInstanceOfSatisfying(
              MetadataReply.PutStarted.class,
              s -> assertThat(tokens.add(s.targets().getFirst().replica().id())).isTrue());
    }
    List<Resolution> found =
        client.resolve(
            TenantId.DEFAULT,
            puts.stream().map(p -> p.id().key()).toList(),
            ReadOptions.PEEK,
            soon());
    assertThat(found)
        .hasSize(5000)
        .allSatisfy(
            r -> assertThat(((Resolution.Missing) r).code()).isEqualTo(ErrorCode.NOT_READY));
  }

  @Test
  void concurrentCallersShareTheSessionAndItsTableStaysSmall() {
    ConcurrentLinkedQueue<MetadataReply> replies = new ConcurrentLinkedQueue<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < 50; t++) {
        int caller = t;
        callers.execute(
            () -> {
              for (int i = 0; i < 20; i++) {
                replies.add(client.submit(put(caller + "/" + i), soon()));
              }
            });
      }
    }
    assertThat(replies).hasSize(1000).hasOnlyElementsOfType(MetadataReply.PutStarted.class);
    assertThat(state.sessions()).hasSize(1);
    client.submit(new MetadataCommand.Barrier(), soon());
    SessionCommand last = log.clientEntries().getLast().commands().getLast();
    assertThat(last.answeredBelow()).isEqualTo(last.sequence());
    assertThat(state.totals().writing()).isEqualTo(1000);
  }

  @Test
  void clusterViewHasTheRuntimesAndSegmentsOfAllPages() {
    List<MetadataCommand.RegisterRuntime> runtimes = new ArrayList<>();
    for (int i = 0; i < 2 * Limits.CLUSTER_PAGE_MAX + 3; i++) {
      runtimes.add(
          new MetadataCommand.RegisterRuntime(
              new RuntimeId("r" + i), new SessionId(3, i), Endpoint.parse("h:1"), Map.of()));
    }
    client.submit(runtimes, soon());

    ClusterView view = client.clusterView(false, soon());

    assertThat(view.runtimes()).isEqualTo(state.runtimes()).hasSize(runtimes.size() + 1);
    assertThat(view.segments()).isEqualTo(state.segments()).hasSize(1);
    assertThat(view.totals()).isEqualTo(state.totals());
  }

  @Test
  void closingEndsTheSession() {
    assertThat(state.sessions()).hasSize(1);
    client.close();
    assertThat(state.sessions()).isEmpty();
    assertThatThrownBy(() -> client.submit(put("k"), soon()))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
  }

  @Test
  void readsThatFindNoLeaderAreUnavailable() {
    log.follow();
    assertThatThrownBy(
            () ->
                client.exist(
                    TenantId.DEFAULT,
                    List.of(new ObjectKey("k")),
                    ReadOptions.DEFAULT,
                    Deadline.after(Ticker.system(), Duration.ofMillis(50))))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
  }
}
