package dev.floe.meta.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.RequestHandler;
import dev.floe.core.wire.Transport;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.codec.RpcMessages;
import dev.floe.meta.codec.RpcMessages.ClusterPage;
import dev.floe.meta.codec.RpcMessages.ClusterQuery;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.leader.LeaderOptions;
import dev.floe.meta.leader.LeaderServices;
import dev.floe.meta.log.FakeMetaLog;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import dev.floe.proto.metarpc.ListRequest;
import dev.floe.proto.metarpc.LookupRequest;
import dev.floe.proto.metarpc.RenewRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetadataServiceTest {
  private final FakeMetaLog log = FakeMetaLog.of(new MetadataState(StateConfig.DEFAULT));
  private final LeaderServices leader =
      new LeaderServices(
          "m1",
          log,
          new LeaderOptions(LeaderOptions.Leases.DEFAULT, Duration.ofHours(1), 3),
          Ticker.system(),
          InstantSource.system());
  private final MetadataService service = new MetadataService("c", "m1", log, leader);
  private SessionId session = new SessionId(1, 1);
  private long sequence;

  @BeforeEach
  void lead() {
    log.lead();
    MetadataReply opened =
        submit(SessionCommand.unguarded(new MetadataCommand.OpenSession(new SessionId(1, 1))))
            .getFirst();
    session = ((MetadataReply.SessionOpened) opened).session();
  }

  @AfterEach
  void close() {
    leader.close();
  }

  private ByteString call(int type, ByteString header) {
    RequestHandler handler = Objects.requireNonNull(service.handlers().handlerOf(type));
    return handler
        .handle(
            new RequestHandler.RequestHead(
                type,
                header,
                0,
                new Transport.Identity("c", "client/t"),
                Deadline.after(Ticker.system(), Duration.ofSeconds(30))),
            null)
        .header();
  }

  private List<MetadataReply> submit(SessionCommand... commands) {
    return submit(List.of(commands));
  }

  private List<MetadataReply> submit(List<SessionCommand> commands) {
    ByteString reply =
        call(FrameType.META_SUBMIT, RpcMessages.submitRequest(new CommandBatch(0, commands)));
    return RpcMessages.replies(reply, commands.size());
  }

  private SessionCommand next(MetadataCommand command) {
    sequence++;
    return new SessionCommand(session, sequence, sequence, command);
  }

  private static MetadataCommand put(String key) {
    return new MetadataCommand.PutStart(
        ObjectId.of(key), 10, MetadataCommand.Placement.replicas(1));
  }

  private long mountSpace() {
    MetadataReply registered =
        submit(
                SessionCommand.unguarded(
                    new MetadataCommand.RegisterRuntime(
                        new RuntimeId("r"), new SessionId(2, 2), Endpoint.parse("h:1"), Map.of())))
            .getFirst();
    long epoch = ((MetadataReply.RuntimeRegistered) registered).epoch();
    submit(
        SessionCommand.unguarded(
            new MetadataCommand.MountSegment(new RuntimeId("r"), epoch, "s", 1 << 30)));
    return epoch;
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
  void commandsOfTheLeaderAreRefusedAndNothingIsProposed() {
    int before = log.clientEntries().size();
    assertThat(codeOf(() -> submit(SessionCommand.unguarded(new MetadataCommand.Tick(0, 0)))))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(
            codeOf(
                () ->
                    submit(
                        next(new MetadataCommand.Barrier()),
                        next(new MetadataCommand.ExpireSessions(List.of(session), 0)))))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(log.clientEntries()).hasSize(before);
  }

  @Test
  void tooManyCommandsAreRefusedNamingTheLimit() {
    List<SessionCommand> many = new ArrayList<>();
    for (int i = 0; i <= Limits.BATCH_ITEMS_MAX; i++) {
      many.add(SessionCommand.unguarded(new MetadataCommand.Barrier()));
    }
    assertThatThrownBy(() -> submit(many))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
        .hasMessageContaining("4097")
        .hasMessageContaining("4096");
  }

  @Test
  void writesNeedASession() {
    assertThat(codeOf(() -> submit(SessionCommand.unguarded(put("k")))))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(codeOf(() -> submit(new SessionCommand(session, 0, 0, put("k")))))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(codeOf(() -> submit(new SessionCommand(session, 3, 4, put("k")))))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void secondPutOfAKeyInOneRequestIsAnsweredByItself() {
    mountSpace();
    List<MetadataReply> replies =
        submit(next(put("a")), next(put("b")), next(put("a")), next(put("c")));
    assertThat(replies.get(0)).isInstanceOf(MetadataReply.PutStarted.class);
    assertThat(replies.get(1)).isInstanceOf(MetadataReply.PutStarted.class);
    assertThat(replies.get(2))
        .isInstanceOfSatisfying(
            MetadataReply.Failed.class,
            f -> assertThat(f.code()).isEqualTo(ErrorCode.DUPLICATE_IN_BATCH));
    assertThat(replies.get(3)).isInstanceOf(MetadataReply.PutStarted.class);
  }

  @Test
  void keysThatAreNotUtf8AreRefusedAndNotReplaced() {
    ByteString bad = ByteString.copyFrom(new byte[] {(byte) 0xc3, 0x28});
    ByteString lookup =
        LookupRequest.newBuilder().setTenant("default").addKeys(bad).build().toByteString();
    assertThat(codeOf(() -> call(FrameType.META_RESOLVE, lookup))).isEqualTo(ErrorCode.INVALID_KEY);
    assertThat(codeOf(() -> call(FrameType.META_EXIST, lookup))).isEqualTo(ErrorCode.INVALID_KEY);
    ByteString list =
        ListRequest.newBuilder()
            .setTenant("default")
            .setPrefix(bad)
            .setLimit(1)
            .build()
            .toByteString();
    assertThat(codeOf(() -> call(FrameType.META_LIST, list))).isEqualTo(ErrorCode.INVALID_KEY);
  }

  @Test
  void garbageIsAProtocolViolationOnEveryRequestType() {
    ByteString garbage = ByteString.copyFrom(new byte[] {(byte) 0xff, 1, 2, 3});
    for (int type :
        List.of(
            FrameType.META_SUBMIT,
            FrameType.META_RESOLVE,
            FrameType.META_EXIST,
            FrameType.META_LIST,
            FrameType.META_CLUSTER_VIEW,
            FrameType.META_RENEW)) {
      assertThat(codeOf(() -> call(type, garbage)))
          .as("type %x", type)
          .isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
    }
  }

  @Test
  void objectBeingWrittenIsNotReadyAndOneThatIsReadIsProtected() {
    mountSpace();
    MetadataReply.PutStarted started = (MetadataReply.PutStarted) submit(next(put("k"))).getFirst();
    assertThat(missing("k")).isEqualTo(ErrorCode.NOT_READY);
    assertThat(missing("other")).isEqualTo(ErrorCode.NOT_FOUND);
    List<Long> tokens = started.targets().stream().map(t -> t.replica().id()).toList();
    submit(next(new MetadataCommand.PutEnd(ObjectId.of("k"), tokens, 5)));
    assertThat(resolve("k"))
        .isInstanceOfSatisfying(
            Resolution.Found.class,
            f -> {
              assertThat(f.replicas()).isEqualTo(found(started));
              assertThat(f.leaseMillis()).isEqualTo(5000);
            });
    assertThat(submit(next(new MetadataCommand.Remove(ObjectId.of("k"), false))).getFirst())
        .isInstanceOfSatisfying(
            MetadataReply.Failed.class, f -> assertThat(f.code()).isEqualTo(ErrorCode.HAS_LEASE));
    assertThat(submit(next(new MetadataCommand.Remove(ObjectId.of("k"), true))))
        .containsExactly(MetadataReply.Done.INSTANCE);
  }

  private void putWhole(String key) {
    MetadataReply.PutStarted started = (MetadataReply.PutStarted) submit(next(put(key))).getFirst();
    List<Long> tokens = started.targets().stream().map(t -> t.replica().id()).toList();
    assertThat(submit(next(new MetadataCommand.PutEnd(ObjectId.of(key), tokens, 5))))
        .containsExactly(MetadataReply.Done.INSTANCE);
  }

  private static ErrorCode codeOf(MetadataReply reply) {
    assertThat(reply).isInstanceOf(MetadataReply.Failed.class);
    return ((MetadataReply.Failed) reply).code();
  }

  @Test
  void retryOfARemovalThatWasAppliedSaysSoThoughTheKeyIsReadAgainMeanwhile() {
    mountSpace();
    putWhole("k");
    sequence++;
    SessionCommand remove =
        new SessionCommand(
            session, sequence, 1, new MetadataCommand.Remove(ObjectId.of("k"), false));
    assertThat(submit(remove)).containsExactly(MetadataReply.Done.INSTANCE);
    SessionCommand start = unanswered(put("k"));
    MetadataReply.PutStarted again = (MetadataReply.PutStarted) submit(start).getFirst();
    submit(
        unanswered(
            new MetadataCommand.PutEnd(
                ObjectId.of("k"),
                again.targets().stream().map(t -> t.replica().id()).toList(),
                5)));
    assertThat(resolve("k")).isInstanceOf(Resolution.Found.class);

    assertThat(submit(remove)).containsExactly(MetadataReply.Done.INSTANCE);
    assertThat(resolve("k")).isInstanceOf(Resolution.Found.class);
  }

  private SessionCommand unanswered(MetadataCommand command) {
    sequence++;
    return new SessionCommand(session, sequence, 1, command);
  }

  @Test
  void refusedRemovalStaysRefusedWhateverItsCopiesMeet() {
    mountSpace();
    putWhole("k");
    resolve("k");
    SessionCommand remove = unanswered(new MetadataCommand.Remove(ObjectId.of("k"), false));
    MetadataReply refusal = submit(remove).getFirst();
    assertThat(codeOf(refusal)).isEqualTo(ErrorCode.HAS_LEASE);
    assertThat(((MetadataReply.Failed) refusal).message()).containsPattern("for \\d+ ms");

    // A copy that a leader proposes who has granted no lease.
    leader.leading().submit(List.of(remove), soon());

    assertThat(resolve("k")).isInstanceOf(Resolution.Found.class);
    assertThat(submit(remove)).containsExactly(refusal);
  }

  @Test
  void whatAClientSaysAboutLeasesIsIgnored() {
    mountSpace();
    putWhole("unread");
    assertThat(submit(next(new MetadataCommand.Remove(ObjectId.of("unread"), false, 1000))))
        .containsExactly(MetadataReply.Done.INSTANCE);
    putWhole("read");
    resolve("read");
    assertThat(
            codeOf(
                submit(next(new MetadataCommand.Remove(ObjectId.of("read"), false, -1)))
                    .getFirst()))
        .isEqualTo(ErrorCode.HAS_LEASE);
  }

  private static Deadline soon() {
    return Deadline.after(Ticker.system(), Duration.ofSeconds(30));
  }

  private static List<MetadataReply.ReplicaTarget> found(MetadataReply.PutStarted started) {
    return started.targets().stream()
        .map(
            t ->
                new MetadataReply.ReplicaTarget(
                    t.replica().withStatus(dev.floe.meta.model.ReplicaStatus.COMPLETE),
                    t.endpoint()))
        .toList();
  }

  private Resolution resolve(String key) {
    ByteString header =
        RpcMessages.lookupRequest(
            new RpcMessages.Lookup(
                TenantId.DEFAULT, List.of(new ObjectKey(key)), ReadOptions.DEFAULT));
    return RpcMessages.resolutions(call(FrameType.META_RESOLVE, header), 1).getFirst();
  }

  private ErrorCode missing(String key) {
    return ((Resolution.Missing) resolve(key)).code();
  }

  @Test
  void renewalsSayWhyTheyFail() {
    long epoch = mountSpace();
    assertThat(renew("r", epoch)).isEqualTo(10_000);
    assertThat(codeOf(() -> renew("r", epoch - 1))).isEqualTo(ErrorCode.STALE_EPOCH);
    assertThat(codeOf(() -> renew("unknown", 1))).isEqualTo(ErrorCode.RUNTIME_NOT_FOUND);
    assertThat(
            codeOf(
                () ->
                    call(
                        FrameType.META_RENEW,
                        RpcMessages.renewRequest(
                            new RpcMessages.Renewal.OfSession(new SessionId(8, 8))))))
        .isEqualTo(ErrorCode.SESSION_NOT_FOUND);
    assertThat(
            codeOf(
                () -> call(FrameType.META_RENEW, RenewRequest.getDefaultInstance().toByteString())))
        .isEqualTo(ErrorCode.PROTOCOL_VIOLATION);
  }

  private long renew(String runtime, long epoch) {
    return RpcMessages.leaseMillis(
        call(
            FrameType.META_RENEW,
            RpcMessages.renewRequest(
                new RpcMessages.Renewal.OfRuntime(new RuntimeId(runtime), epoch))));
  }

  @Test
  void pagesFollowEachOtherAndABadTokenIsNamed() {
    mountSpace();
    for (String key : List.of("p/1", "p/2", "p/3", "q/1")) {
      MetadataReply.PutStarted started =
          (MetadataReply.PutStarted) submit(next(put(key))).getFirst();
      submit(
          next(
              new MetadataCommand.PutEnd(
                  ObjectId.of(key),
                  started.targets().stream().map(t -> t.replica().id()).toList(),
                  5)));
    }
    submit(next(put("p/unfinished")));
    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      var page =
          RpcMessages.listPage(
              call(
                  FrameType.META_LIST,
                  RpcMessages.listRequest(
                      new RpcMessages.ListQuery(TenantId.DEFAULT, "p/", token, 2))));
      page.entries().forEach(e -> seen.add(e.key().value()));
      token = page.nextPageToken();
    } while (!token.isEmpty());
    assertThat(seen).containsExactly("p/1", "p/2", "p/3");
    assertThatThrownBy(
            () ->
                call(
                    FrameType.META_LIST,
                    RpcMessages.listRequest(
                        new RpcMessages.ListQuery(TenantId.DEFAULT, "p/", "?!", 2))))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("?!");
  }

  @Test
  void followerAnswersNothingButTheClusterViewThatAllowsIt() {
    log.follow();
    assertThat(codeOf(() -> submit(next(put("k"))))).isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(codeOf(() -> resolve("k"))).isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(codeOf(() -> renew("r", 1))).isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(
            codeOf(
                () ->
                    call(
                        FrameType.META_CLUSTER_VIEW,
                        RpcMessages.clusterViewRequest(new ClusterQuery(false, "")))))
        .isEqualTo(ErrorCode.NOT_LEADER);
    assertThat(clusterPage(new ClusterQuery(true, "")).view().isLeader()).isFalse();
  }

  private ClusterPage clusterPage(ClusterQuery query) {
    ByteString answer = call(FrameType.META_CLUSTER_VIEW, RpcMessages.clusterViewRequest(query));
    assertThat(answer.size()).isLessThan(Limits.CLUSTER_PAGE_BYTES_MAX);
    return RpcMessages.clusterPage(answer);
  }

  private static SessionCommand register(String runtime, Map<String, String> labels) {
    return SessionCommand.unguarded(
        new MetadataCommand.RegisterRuntime(
            new RuntimeId(runtime), new SessionId(2, 2), Endpoint.parse("h:1"), labels));
  }

  @Test
  void clusterViewComesInPagesThatHoldEachRuntimeAndSegmentOnce() {
    int runtimes = Limits.CLUSTER_PAGE_MAX + 7;
    List<SessionCommand> commands = new ArrayList<>();
    for (int i = 0; i < runtimes; i++) {
      commands.add(register("r" + i, Map.of()));
    }
    List<MetadataReply> registered = submit(commands);
    commands.clear();
    for (int i = 0; i < runtimes; i++) {
      long epoch = ((MetadataReply.RuntimeRegistered) registered.get(i)).epoch();
      commands.add(
          SessionCommand.unguarded(
              new MetadataCommand.MountSegment(new RuntimeId("r" + i), epoch, "m", 4096)));
    }
    submit(commands);

    Set<RuntimeId> seenRuntimes = new HashSet<>();
    Set<Long> seenSegments = new HashSet<>();
    List<Integer> sizes = new ArrayList<>();
    String token = "";
    do {
      ClusterPage page = clusterPage(new ClusterQuery(false, token));
      page.view().runtimes().forEach(r -> assertThat(seenRuntimes.add(r.id())).isTrue());
      page.view()
          .segments()
          .forEach(s -> assertThat(seenSegments.add(s.segment().id().value())).isTrue());
      assertThat(page.view().totals().capacityBytes()).isEqualTo(runtimes * 4096L);
      sizes.add(page.view().runtimes().size() + page.view().segments().size());
      token = page.nextPageToken();
    } while (!token.isEmpty());

    assertThat(seenRuntimes).hasSize(runtimes);
    assertThat(seenSegments).hasSize(runtimes);
    assertThat(sizes).containsExactly(Limits.CLUSTER_PAGE_MAX, Limits.CLUSTER_PAGE_MAX, 14);
  }

  @Test
  void clusterViewOfRuntimesWithManyLabelsComesInPagesOfBoundedBytes() {
    Map<String, String> labels = new TreeMap<>();
    for (int i = 0; i < Limits.LABELS_MAX; i++) {
      labels.put("label-" + i, "v".repeat(Limits.LABEL_BYTES_MAX));
    }
    int runtimes = 100;
    for (int i = 0; i < runtimes; i++) {
      submit(register("r" + i, labels));
    }

    int seen = 0;
    int pages = 0;
    String token = "";
    do {
      ClusterPage page = clusterPage(new ClusterQuery(false, token));
      seen += page.view().runtimes().size();
      pages++;
      token = page.nextPageToken();
    } while (!token.isEmpty());

    assertThat(seen).isEqualTo(runtimes);
    assertThat(pages).isGreaterThan(2);
  }

  @Test
  void clusterViewRefusesWhatIsNoPageToken() {
    for (String token : List.of("x", "r:", "r:a b", "s:", "s:x")) {
      assertThatThrownBy(() -> clusterPage(new ClusterQuery(false, token)))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
          .hasMessageContaining("'" + token + "'");
    }
  }
}
