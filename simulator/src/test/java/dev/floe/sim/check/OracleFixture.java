package dev.floe.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// A production state with one runtime and one session whose entries are fed to an oracle, rightly
/// or not.
final class OracleFixture {
  static final StateConfig CONFIG = new StateConfig(1000, 2000);
  static final ObjectId KEY = ObjectId.of("key");

  final Situations situations = new Situations();
  final CommandOracle oracle = new CommandOracle(CONFIG, situations, () -> 0);
  final MetadataState state = new MetadataState(CONFIG);
  final SessionId session;
  private long index;
  private long sequence;
  long timeMillis = 10_000;

  OracleFixture() {
    RuntimeId runtime = new RuntimeId("s1");
    MetadataReply opened = own(new MetadataCommand.OpenSession(new SessionId(1, 1)));
    session = ((MetadataReply.SessionOpened) opened).session();
    MetadataReply registered =
        send(
            new MetadataCommand.RegisterRuntime(
                runtime, new SessionId(2, 2), new Endpoint("s1", 1), Map.of()));
    long epoch = ((MetadataReply.RuntimeRegistered) registered).epoch();
    send(new MetadataCommand.MountSegment(runtime, epoch, "m0", 4096));
  }

  long index() {
    return index;
  }

  long lastSequence() {
    return sequence;
  }

  MetadataReply own(MetadataCommand command) {
    return apply(SessionCommand.unguarded(command), reply -> reply);
  }

  MetadataReply ownLying(MetadataCommand command, UnaryOperator<MetadataReply> lie) {
    return apply(SessionCommand.unguarded(command), lie);
  }

  MetadataReply send(MetadataCommand command) {
    return apply(guarded(++sequence, command), reply -> reply);
  }

  /// Applies a command and tells the oracle another reply than it got.
  MetadataReply sendLying(MetadataCommand command, UnaryOperator<MetadataReply> lie) {
    return apply(guarded(++sequence, command), lie);
  }

  /// Opens another session and sends its first command.
  MetadataReply sendInNewSessionLying(MetadataCommand command, UnaryOperator<MetadataReply> lie) {
    MetadataReply opened = own(new MetadataCommand.OpenSession(new SessionId(2, 2)));
    SessionId other = ((MetadataReply.SessionOpened) opened).session();
    return apply(new SessionCommand(other, 1, 1, command), lie);
  }

  MetadataReply repeat(long earlierSequence, MetadataCommand command) {
    return apply(guarded(earlierSequence, command), reply -> reply);
  }

  MetadataReply repeatLying(
      long earlierSequence, MetadataCommand command, UnaryOperator<MetadataReply> lie) {
    return apply(guarded(earlierSequence, command), lie);
  }

  List<Replica> putStart() {
    MetadataReply.PutStarted started =
        (MetadataReply.PutStarted)
            send(new MetadataCommand.PutStart(KEY, 100, MetadataCommand.Placement.replicas(1)));
    return started.targets().stream().map(MetadataReply.ReplicaTarget::replica).toList();
  }

  static MetadataCommand.PutEnd putEnd(List<Replica> replicas, long checksum) {
    return new MetadataCommand.PutEnd(KEY, replicas.stream().map(Replica::id).toList(), checksum);
  }

  private SessionCommand guarded(long sequence, MetadataCommand command) {
    return new SessionCommand(session, sequence, 1, command);
  }

  private MetadataReply apply(SessionCommand command, UnaryOperator<MetadataReply> lie) {
    CommandBatch batch = new CommandBatch(timeMillis, List.of(command));
    MetadataReply reply = state.apply(1, ++index, batch).getFirst();
    oracle.applied(new CommandOracle.Entry(1, index, batch), List.of(lie.apply(reply)), state);
    return reply;
  }

  static void assertBreaks(Invariant invariant, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            Violation.class, e -> assertThat(e.invariant()).isEqualTo(invariant));
  }
}
