package dev.floe.sim.check;

import static dev.floe.sim.check.OracleFixture.KEY;
import static dev.floe.sim.check.OracleFixture.assertBreaks;
import static dev.floe.sim.check.OracleFixture.putEnd;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.SegmentId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientAndDataOracleTest {
  private static final SegmentId SEGMENT = new SegmentId(1);

  private final OracleFixture fixture = new OracleFixture();
  private final ClientOracle clients = new ClientOracle(fixture.oracle);
  private final DataOracle data = new DataOracle(fixture.oracle);
  private final Payload payload = new Payload(1, 100);

  private Replica put() {
    data.willWrite(
        new CommandOracle.Written(fixture.session, fixture.lastSequence() + 1, KEY), payload);
    List<Replica> replicas = fixture.putStart();
    fixture.send(putEnd(replicas, payload.checksum()));
    return replicas.getFirst();
  }

  private RouteVersion version() {
    RouteVersion version = fixture.oracle.timeline().versionAt(KEY, fixture.index());
    if (version == null) {
      throw new IllegalStateException("no object");
    }
    return version;
  }

  @Test
  void acceptsReadsThatSeeWhatTheLogSays() {
    put();
    clients.resolved(KEY, version(), clients.floor(), fixture.index());
    clients.existed(KEY, true, clients.floor(), fixture.index());
    clients.listed("k", Map.of("key", version()), clients.floor(), fixture.index());
    clients.resolved(KEY, null, 0, 1);
  }

  @Test
  void rejectsAReadOfAnotherVersionThanTheLogHas() {
    put();
    assertBreaks(Invariant.LINEARIZABILITY, () -> clients.resolved(KEY, null, 0, fixture.index()));
    assertBreaks(
        Invariant.LINEARIZABILITY,
        () -> clients.resolved(KEY, new RouteVersion(1, 7), 0, fixture.index()));
    assertBreaks(Invariant.LINEARIZABILITY, () -> clients.existed(KEY, false, 0, fixture.index()));
    assertBreaks(
        Invariant.LINEARIZABILITY, () -> clients.listed("k", Map.of(), 0, fixture.index()));
  }

  @Test
  void rejectsAReadFromBeforeWhatSomeClientHadSeen() {
    put();
    clients.resolved(KEY, version(), 0, fixture.index());
    long floor = clients.floor();
    assertBreaks(Invariant.LINEARIZABILITY, () -> clients.resolved(KEY, null, floor, 1));
  }

  @Test
  void rejectsAnAcknowledgementThatTheLogDoesNotHave() {
    put();
    clients.replied(fixture.session, fixture.lastSequence(), MetadataReply.Done.INSTANCE, 0, 9);
    clients.checkReplies();
    clients.replied(fixture.session, 77, MetadataReply.Done.INSTANCE, 0, 9);
    assertBreaks(Invariant.ACKED_DURABILITY, clients::checkReplies);
  }

  @Test
  void rejectsAnAcknowledgementThatDiffersFromTheLog() {
    put();
    clients.replied(
        fixture.session,
        fixture.lastSequence(),
        new MetadataReply.Failed(ErrorCode.NOT_FOUND, "x"),
        0,
        9);
    assertBreaks(Invariant.ACKED_DURABILITY, clients::checkReplies);
  }

  @Test
  void rejectsACommandThatTookEffectBeforeItBegan() {
    put();
    clients.replied(
        fixture.session, fixture.lastSequence(), MetadataReply.Done.INSTANCE, fixture.index(), 9);
    assertBreaks(Invariant.LINEARIZABILITY, clients::checkReplies);
  }

  @Test
  void acceptsTheBytesOfTheTokensWriterAtTheirPlaceOnly() {
    Replica replica = put();
    data.served(replica.id(), 0, payload.bytes());
    data.served(replica.id(), 10, payload.part(10, 20));
    assertBreaks(Invariant.WRONG_BYTES, () -> data.served(replica.id(), 0, payload.part(8, 20)));
    assertBreaks(
        Invariant.WRONG_BYTES, () -> data.served(replica.id(), 0, new Payload(2, 100).bytes()));
    assertBreaks(Invariant.WRONG_BYTES, () -> data.served(replica.id() + 1, 0, payload.bytes()));
    byte[] torn = payload.bytes();
    torn[99] ^= 1;
    assertBreaks(Invariant.WRONG_BYTES, () -> data.served(replica.id(), 0, torn));
  }

  @Test
  void rejectsAnOlderTokenOverAnyByteOfANewerLiveOneOnly() {
    long live = put().id();
    data.stored(SEGMENT, 0, 100, live - 1);
    data.stored(SEGMENT, 50, 100, live);
    data.stored(new SegmentId(2), 50, 100, live - 1);
    assertBreaks(Invariant.TOKEN_SAFETY, () -> data.stored(SEGMENT, 149, 10, live - 1));
    data.stored(SEGMENT, 300, 10, live + 7);
    data.stored(SEGMENT, 300, 10, live + 6);
  }
}
