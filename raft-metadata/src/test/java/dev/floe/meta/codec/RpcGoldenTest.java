package dev.floe.meta.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.client.MetadataApi.ListPage;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.state.MetadataView;
import dev.floe.proto.log.FailedMessage;
import dev.floe.proto.log.ReplicaMessage;
import dev.floe.proto.log.ReplicaTargetMessage;
import dev.floe.proto.log.ReplyMessage;
import dev.floe.proto.log.RuntimeRecordMessage;
import dev.floe.proto.metarpc.ClusterViewResponse;
import dev.floe.proto.metarpc.FoundMessage;
import dev.floe.proto.metarpc.MetaRpcProto;
import dev.floe.proto.metarpc.ResolutionMessage;
import dev.floe.proto.metarpc.ResolveResponse;
import dev.floe.proto.metarpc.SubmitResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The bytes of each message of the metadata service: a client and a master of different releases
/// have to understand each other.
class RpcGoldenTest {
  private static final String GOLDEN = "/golden/meta-rpc-v1.txt";
  private static final RuntimeId RUNTIME = new RuntimeId("store-1");
  private static final ObjectKey KEY = new ObjectKey("model/layer-7/α😀");
  private static final TenantId TENANT = new TenantId("team");
  private static final RouteVersion VERSION = new RouteVersion(77, 3);
  private static final ReplicaTarget TARGET =
      new ReplicaTarget(
          new Replica(
              9,
              ReplicaStatus.COMPLETE,
              new MemoryRange(new SegmentId(4), RUNTIME, 8192, 1L << 33)),
          new Endpoint("10.0.0.1", 7500));

  private final Map<String, Sample<?>> samples = new TreeMap<>();

  private record Sample<T>(T value, ByteString bytes, Function<ByteString, T> decoder) {
    void check() {
      assertThat(decoder.apply(bytes)).isEqualTo(value);
    }
  }

  private <T> void sample(
      String message, T value, Function<T, ByteString> encoder, Function<ByteString, T> decoder) {
    samples.put(message, new Sample<>(value, encoder.apply(value), decoder));
  }

  RpcGoldenTest() {
    submit();
    reads();
    cluster();
    leases();
  }

  private void submit() {
    sample(
        "SubmitRequest",
        new CommandBatch(
            0,
            List.of(new SessionCommand(new SessionId(1, 2), 3, 2, new MetadataCommand.Barrier()))),
        RpcMessages::submitRequest,
        RpcMessages::submittedBatch);
    List<MetadataReply> replies =
        List.of(
            MetadataReply.Done.INSTANCE,
            new MetadataReply.RuntimeRegistered(5),
            new MetadataReply.SegmentMounted(new SegmentId(6)),
            new MetadataReply.PutStarted(VERSION, List.of(TARGET)),
            new MetadataReply.Failed(ErrorCode.NO_SPACE, "none has room"),
            new MetadataReply.SessionOpened(new SessionId(-7, 8)));
    sample("SubmitResponse", replies, RpcMessages::submitResponse, h -> RpcMessages.replies(h, 6));
  }

  private void reads() {
    sample(
        "LookupRequest",
        new RpcMessages.Lookup(TENANT, List.of(KEY, new ObjectKey("k")), ReadOptions.STRICT),
        RpcMessages::lookupRequest,
        RpcMessages::lookup);
    List<Resolution> resolutions =
        List.of(
            new Resolution.Found(VERSION, 1L << 33, 0xFFFF_FFFFL, List.of(TARGET), 5000),
            new Resolution.Missing(ErrorCode.NOT_READY, "being written"));
    sample(
        "ResolveResponse",
        resolutions,
        RpcMessages::resolveResponse,
        h -> RpcMessages.resolutions(h, 2));
    sample(
        "ExistResponse",
        List.of(true, false),
        RpcMessages::existResponse,
        h -> RpcMessages.readable(h, 2));
    sample(
        "ListRequest",
        new RpcMessages.ListQuery(TENANT, "model/", "token", 100),
        RpcMessages::listRequest,
        RpcMessages::listQuery);
    sample(
        "ListResponse",
        new ListPage(List.of(new ListPage.Entry(KEY, RouteState.ACTIVE, VERSION, 12, 2)), "next"),
        RpcMessages::listResponse,
        RpcMessages::listPage);
  }

  private void cluster() {
    sample(
        "ClusterViewRequest",
        new RpcMessages.ClusterQuery(true, "r:store-1"),
        RpcMessages::clusterViewRequest,
        RpcMessages::clusterQuery);
    ClusterView view =
        new ClusterView(
            "c",
            "m1",
            true,
            4,
            1234,
            -5,
            List.of(
                new ClusterView.Master("m1", "h:1", true, 1234L, null),
                new ClusterView.Master("m2", "h:2", false, null, 4567L)),
            List.of(
                new RuntimeRecord(
                    RUNTIME,
                    new RuntimeProcess(new SessionId(1, -2), new SessionId(3, 4), 9),
                    7,
                    RuntimeState.SUSPECTED,
                    new Endpoint("10.0.0.1", 7500),
                    Map.of("zone", "z1", "host", "h1"))),
            List.of(
                new SegmentUsage(
                    new Segment(new SegmentId(4), RUNTIME, 7, "memory-0", 1L << 40), 640, 320)),
            new MetadataView.Totals(1, 2, 3, 4, 5, 6, 7));
    sample(
        "ClusterViewResponse",
        new RpcMessages.ClusterPage(view, "s:4"),
        RpcMessages::clusterViewResponse,
        RpcMessages::clusterPage);
  }

  private void leases() {
    sample(
        "RenewRequest",
        new RpcMessages.Renewal.OfRuntime(RUNTIME, 7),
        RpcMessages::renewRequest,
        h -> (RpcMessages.Renewal.OfRuntime) RpcMessages.renewal(h));
    sample(
        "RenewRequest of a session",
        new RpcMessages.Renewal.OfSession(new SessionId(1, 2)),
        RpcMessages::renewRequest,
        h -> (RpcMessages.Renewal.OfSession) RpcMessages.renewal(h));
    sample("RenewResponse", 9000L, RpcMessages::renewResponse, RpcMessages::leaseMillis);
    samples.put(
        "LocateLeaderRequest",
        new Sample<>("", RpcMessages.locateLeaderRequest(), bytes -> bytes.toStringUtf8()));
    sample(
        "LocateLeaderResponse",
        new RpcMessages.LeaderLocation("m1", false, 4, "m2", "h:2"),
        RpcMessages::locateLeaderResponse,
        RpcMessages::leaderLocation);
  }

  @Test
  void everyMessageHasItsGoldenBytes() throws IOException {
    String text =
        samples.entrySet().stream()
            .map(
                e ->
                    e.getKey()
                        + ": "
                        + HexFormat.of().formatHex(e.getValue().bytes().toByteArray())
                        + "\n")
            .collect(Collectors.joining());
    Path copy = Path.of("target", "golden-meta-rpc-actual.txt");
    Files.writeString(copy, text);
    try (InputStream in = RpcGoldenTest.class.getResourceAsStream(GOLDEN)) {
      assertThat(in).as("%s; %s is what it should be", GOLDEN, copy).isNotNull();
      assertThat(text).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void theSamplesHoldEveryMessageAndComeBack() {
    List<String> messages =
        MetaRpcProto.getDescriptor().getMessageTypes().stream()
            .map(Descriptor::getName)
            .filter(name -> name.endsWith("Request") || name.endsWith("Response"))
            .toList();
    assertThat(messages).hasSizeGreaterThan(10);
    assertThat(samples).containsKeys(messages.toArray(String[]::new));
    samples.values().forEach(Sample::check);
  }

  /// The same pieces in the log are of a newer release (`VERSION_MISMATCH`); here the peer is.
  @Test
  void whatIsNotKnownIsAViolationOfTheProtocol() {
    ReplicaTargetMessage target =
        ReplicaTargetMessage.newBuilder()
            .setReplica(ReplicaMessage.newBuilder().setId(1).setStatus(77))
            .build();
    assertViolation(
        () ->
            RpcMessages.resolutions(
                ResolveResponse.newBuilder()
                    .addResolutions(
                        ResolutionMessage.newBuilder()
                            .setFound(FoundMessage.newBuilder().addReplicas(target)))
                    .build()
                    .toByteString(),
                1),
        "replica status 77");
    assertViolation(
        () ->
            RpcMessages.clusterPage(
                ClusterViewResponse.newBuilder()
                    .addRuntimes(RuntimeRecordMessage.newBuilder().setId("r").setState(9))
                    .build()
                    .toByteString()),
        "runtime state 9");
    assertViolation(
        () -> RpcMessages.replies(submitResponse(ReplyMessage.getDefaultInstance()), 1),
        "the kind of a reply");
    assertThatThrownBy(() -> ModelCodec.decode(ReplyMessage.getDefaultInstance()))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VERSION_MISMATCH));
  }

  @Test
  void theTimeToWaitReachesTheClientAndTheSnapshot() {
    MetadataReply refusal = new MetadataReply.Failed(ErrorCode.RUNTIME_IN_USE, "held", 9_000);

    assertThat(RpcMessages.replies(RpcMessages.submitResponse(List.of(refusal)), 1))
        .containsExactly(refusal);
    assertThat(ModelCodec.decode(ModelCodec.encode(refusal))).isEqualTo(refusal);
  }

  @Test
  void anErrorOfANewerReleaseReadsAsADefect() {
    ReplyMessage failed =
        ReplyMessage.newBuilder()
            .setFailed(FailedMessage.newBuilder().setCode(99_999).setMessage("what"))
            .build();

    assertThat(RpcMessages.replies(submitResponse(failed), 1))
        .containsExactly(new MetadataReply.Failed(ErrorCode.INTERNAL, "what"));
  }

  private static ByteString submitResponse(ReplyMessage reply) {
    return SubmitResponse.newBuilder().addReplies(reply).build().toByteString();
  }

  private static void assertViolation(Runnable decoding, String hint) {
    assertThatThrownBy(decoding::run)
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL_VIOLATION))
        .hasMessageContaining(hint);
  }
}
