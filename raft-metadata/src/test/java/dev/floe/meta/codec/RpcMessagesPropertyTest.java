package dev.floe.meta.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.client.MetadataApi.ListPage;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
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
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class RpcMessagesPropertyTest {
  @Provide
  Arbitrary<RouteVersion> versions() {
    return Combinators.combine(Arbitraries.longs(), Arbitraries.integers()).as(RouteVersion::new);
  }

  @Provide
  Arbitrary<ReplicaTarget> targets() {
    return Combinators.combine(
            Arbitraries.longs(),
            Arbitraries.of(ReplicaStatus.class),
            Arbitraries.longs().between(0, 1L << 44),
            Arbitraries.longs().between(1, 1L << 44),
            Arbitraries.integers().between(0, 65_535))
        .as(
            (id, status, offset, length, port) ->
                new ReplicaTarget(
                    new Replica(
                        id,
                        status,
                        new MemoryRange(
                            new SegmentId(id ^ length),
                            new RuntimeId("r-" + port),
                            offset,
                            length)),
                    new Endpoint("host-" + port, port)));
  }

  @Provide
  Arbitrary<MetadataReply> replies() {
    return Arbitraries.oneOf(
        Arbitraries.just(MetadataReply.Done.INSTANCE),
        Arbitraries.longs().map(MetadataReply.RuntimeRegistered::new),
        Arbitraries.longs().map(n -> new MetadataReply.SegmentMounted(new SegmentId(n))),
        Arbitraries.longs().map(n -> new MetadataReply.SessionOpened(new SessionId(n, ~n))),
        Combinators.combine(versions(), targets().list().ofMaxSize(8))
            .as(MetadataReply.PutStarted::new),
        Combinators.combine(Arbitraries.of(ErrorCode.class), Arbitraries.strings())
            .as(MetadataReply.Failed::new));
  }

  @Provide
  Arbitrary<Resolution> resolutions() {
    return Arbitraries.oneOf(
        Combinators.combine(
                versions(),
                Arbitraries.longs(),
                Arbitraries.longs().between(0, 0xffff_ffffL),
                targets().list().ofMaxSize(8),
                Arbitraries.longs())
            .as(Resolution.Found::new),
        Combinators.combine(Arbitraries.of(ErrorCode.class), Arbitraries.strings())
            .as(Resolution.Missing::new));
  }

  @Provide
  Arbitrary<ObjectKey> keys() {
    return Arbitraries.strings()
        .ofMinLength(1)
        .ofMaxLength(40)
        .filter(s -> s.chars().noneMatch(c -> Character.isSurrogate((char) c)))
        .map(ObjectKey::new);
  }

  @Property
  void repliesComeBackAsTheyWere(@ForAll("replyLists") List<MetadataReply> replies) {
    assertThat(RpcMessages.replies(RpcMessages.submitResponse(replies), replies.size()))
        .isEqualTo(replies);
  }

  @Provide
  Arbitrary<List<MetadataReply>> replyLists() {
    return replies().list().ofMaxSize(20);
  }

  @Property
  void resolutionsComeBackAsTheyWere(@ForAll("resolutionLists") List<Resolution> resolutions) {
    assertThat(
            RpcMessages.resolutions(RpcMessages.resolveResponse(resolutions), resolutions.size()))
        .isEqualTo(resolutions);
  }

  @Provide
  Arbitrary<List<Resolution>> resolutionLists() {
    return resolutions().list().ofMaxSize(20);
  }

  @Property
  void requestsComeBackAsTheyWere(
      @ForAll("keyLists") List<ObjectKey> keys,
      @ForAll boolean isStrict,
      @ForAll boolean grantsLease,
      @ForAll long number) {
    RpcMessages.Lookup lookup =
        new RpcMessages.Lookup(new TenantId("t"), keys, new ReadOptions(isStrict, grantsLease));
    assertThat(RpcMessages.lookup(RpcMessages.lookupRequest(lookup))).isEqualTo(lookup);
    RpcMessages.ListQuery query =
        new RpcMessages.ListQuery(
            new TenantId("t"),
            keys.isEmpty() ? "" : keys.getFirst().value(),
            isStrict ? "" : "token",
            1 + (int) Math.floorMod(number, 1000L));
    assertThat(RpcMessages.listQuery(RpcMessages.listRequest(query))).isEqualTo(query);
    RpcMessages.Renewal runtime = new RpcMessages.Renewal.OfRuntime(new RuntimeId("r"), number);
    assertThat(RpcMessages.renewal(RpcMessages.renewRequest(runtime))).isEqualTo(runtime);
    RpcMessages.Renewal session = new RpcMessages.Renewal.OfSession(new SessionId(number, ~number));
    assertThat(RpcMessages.renewal(RpcMessages.renewRequest(session))).isEqualTo(session);
    assertThat(RpcMessages.leaseMillis(RpcMessages.renewResponse(number))).isEqualTo(number);
    RpcMessages.LeaderLocation location =
        new RpcMessages.LeaderLocation(
            "m1", isStrict, number, grantsLease ? "m2" : null, grantsLease ? "h:1" : null);
    assertThat(RpcMessages.leaderLocation(RpcMessages.locateLeaderResponse(location)))
        .isEqualTo(location);
  }

  @Provide
  Arbitrary<List<ObjectKey>> keyLists() {
    return keys().list().ofMaxSize(10);
  }

  @Property
  void pagesAndViewsComeBackAsTheyWere(
      @ForAll("keyLists") List<ObjectKey> keys,
      @ForAll RouteState state,
      @ForAll RuntimeState runtimeState,
      @ForAll long number) {
    ListPage page =
        new ListPage(
            keys.stream()
                .map(k -> new ListPage.Entry(k, state, new RouteVersion(number, 3), number, 2))
                .toList(),
            keys.isEmpty() ? "" : "more");
    assertThat(RpcMessages.listPage(RpcMessages.listResponse(page))).isEqualTo(page);
    ClusterView view =
        new ClusterView(
            "c",
            "m1",
            number % 2 == 0,
            number,
            number + 1,
            ~number,
            List.of(
                new ClusterView.Master("m1", "h:1", true, number, null),
                new ClusterView.Master("m2", "h:2", false, null, number)),
            List.of(
                new RuntimeRecord(
                    new RuntimeId("r"),
                    new RuntimeProcess(new SessionId(number, 1), new SessionId(2, ~number), number),
                    number,
                    runtimeState,
                    Endpoint.parse("h:3"),
                    Map.of("zone", "a"))),
            List.of(
                new SegmentUsage(
                    new Segment(new SegmentId(1), new RuntimeId("r"), number, "s", number), 5, 6)),
            new MetadataView.Totals(1, 2, 3, 4, 5, 6, number));
    RpcMessages.ClusterPage cluster =
        new RpcMessages.ClusterPage(view, keys.isEmpty() ? "" : "r:a");
    assertThat(RpcMessages.clusterPage(RpcMessages.clusterViewResponse(cluster)))
        .isEqualTo(cluster);
    RpcMessages.ClusterQuery query =
        new RpcMessages.ClusterQuery(number % 2 == 0, cluster.nextPageToken());
    assertThat(RpcMessages.clusterQuery(RpcMessages.clusterViewRequest(query))).isEqualTo(query);
  }

  /// Whatever comes over the wire: a decoder gives a value or a reason, never another exception.
  @Property(tries = 3000)
  void anyBytesAreAValueOrAReason(@ForAll byte[] bytes) {
    ByteString header = ByteString.copyFrom(bytes);
    List<Consumer<ByteString>> decoders =
        List.of(
            RpcMessages::submittedBatch,
            h -> RpcMessages.replies(h, 1),
            RpcMessages::lookup,
            h -> RpcMessages.resolutions(h, 1),
            h -> RpcMessages.readable(h, 1),
            RpcMessages::listQuery,
            RpcMessages::listPage,
            RpcMessages::clusterQuery,
            RpcMessages::clusterPage,
            RpcMessages::renewal,
            RpcMessages::leaseMillis,
            RpcMessages::leaderLocation);
    for (Consumer<ByteString> decoder : decoders) {
      try {
        decoder.accept(header);
      } catch (FloeException expected) {
        assertThat(expected.code()).isNotEqualTo(ErrorCode.INTERNAL);
      }
    }
  }
}
