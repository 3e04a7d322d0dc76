package dev.floe.sim.cluster;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.SessionId;
import dev.floe.sim.check.Situation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A client: some pipelines that run operations one after the other, over one session.
final class ClientActor {
  /// How long an operation tries to get a command answered.
  static final long COMMAND_MILLIS = 4_000;

  private final World world;
  private final World.SimProcess process;
  private final List<String> masters;
  private final PutNumbers putNumbers;
  private final Set<ClientOperation> running = new LinkedHashSet<>();
  private Caller caller;
  private MasterCalls calls;
  private final List<Runnable> waitingForSession = new ArrayList<>();
  private @Nullable ClientSession session;
  private int operationsLeft;
  private long openings;
  private boolean isUp;
  private boolean isStopping;

  /// Numbers puts over all clients.
  static final class PutNumbers {
    private long last;

    long next() {
      return ++last;
    }
  }

  ClientActor(World world, World.SimProcess process, List<String> masters, PutNumbers putNumbers) {
    this.world = world;
    this.process = process;
    this.masters = masters;
    this.putNumbers = putNumbers;
    operationsLeft = world.options().work().operationsPerClient();
    caller = new Caller(process.name(), process.lane(), world.network());
    calls = new MasterCalls(caller, masters, process.random());
  }

  World world() {
    return world;
  }

  World.SimProcess process() {
    return process;
  }

  Caller caller() {
    return caller;
  }

  MasterCalls calls() {
    return calls;
  }

  /// The open session; operations begin only while there is one.
  ClientSession session() {
    ClientSession mine = session;
    if (mine == null) {
      throw new IllegalStateException(process.name() + " has no open session");
    }
    return mine;
  }

  PutNumbers putNumbers() {
    return putNumbers;
  }

  /// What it is at, for people.
  String describe() {
    return process.name()
        + (isUp ? "" : " is down;")
        + " "
        + running.size()
        + " operations open, "
        + Math.max(0, operationsLeft)
        + " to come";
  }

  boolean isUp() {
    return isUp;
  }

  /// Whether nothing is going on and nothing will begin.
  boolean isIdle() {
    return !isUp || (running.isEmpty() && (isStopping || operationsLeft <= 0));
  }

  void start() {
    isUp = true;
    caller = new Caller(process.name(), process.lane(), world.network());
    calls = new MasterCalls(caller, masters, process.random());
    world.network().bind(process.name(), process.lane(), caller::receive);
    openSession();
    for (int i = 0; i < world.options().shape().pipelines(); i++) {
      think();
    }
  }

  /// Dies: what was going on has an unknown outcome, the session stays behind.
  void kill() {
    isUp = false;
    process.lane().kill();
    world.network().unbind(process.name());
    List.copyOf(running).forEach(ClientOperation::abandon);
    running.clear();
    waitingForSession.clear();
  }

  /// Begins nothing more.
  void stop() {
    isStopping = true;
  }

  /// Ends the session in good order, whatever is going on.
  void closeSession() {
    MetadataCommand.CloseSession close = new MetadataCommand.CloseSession(session().id());
    calls.submit(() -> SessionCommand.unguarded(close), COMMAND_MILLIS, answer -> {});
    openSession();
  }

  void finished(ClientOperation operation) {
    if (running.remove(operation)) {
      think();
    }
  }

  /// Sends a command in the session, once it is open; `onReply` gets null when the outcome is
  /// unknown.
  void submit(MetadataCommand.Client command, Consumer<CallMessage.@Nullable Submitted> onReply) {
    ClientSession mine = session;
    if (mine == null) {
      waitingForSession.add(() -> submit(command, onReply));
      return;
    }
    submit(mine, mine.begin(), command, onReply);
  }

  void submit(
      ClientSession mine,
      long sequence,
      MetadataCommand.Client command,
      Consumer<CallMessage.@Nullable Submitted> onReply) {
    long floor = world.oracles().clients().floor();
    calls.submit(
        mine.guarded(sequence, command),
        COMMAND_MILLIS,
        answer -> {
          mine.end(sequence);
          if (answer == null) {
            world.oracles().situations().hit(Situation.UNKNOWN_OUTCOME_REPORTED);
            onReply.accept(null);
          } else if (isSessionLost(answer.reply())) {
            if (mine.equals(session)) {
              openSession();
            }
            onReply.accept(null);
          } else {
            world
                .oracles()
                .clients()
                .replied(mine.id(), sequence, answer.reply(), floor, answer.index());
            onReply.accept(answer);
          }
        });
  }

  private static boolean isSessionLost(MetadataReply reply) {
    return reply instanceof MetadataReply.Failed failed
        && failed.code() == ErrorCode.SESSION_NOT_FOUND;
  }

  private SessionId newName() {
    return new SessionId(process.random().nextLong(), process.random().nextLong());
  }

  private void openSession() {
    session = null;
    long mine = ++openings;
    MetadataCommand.OpenSession open = new MetadataCommand.OpenSession(newName());
    calls.submit(
        () -> SessionCommand.unguarded(open),
        COMMAND_MILLIS,
        answer -> {
          if (mine != openings) {
            return;
          }
          if (answer != null && answer.reply() instanceof MetadataReply.SessionOpened opened) {
            opened(new ClientSession(opened.session()));
          } else {
            openSession();
          }
        });
  }

  private void opened(ClientSession mine) {
    session = mine;
    keepAlive(mine);
    List<Runnable> waiting = List.copyOf(waitingForSession);
    waitingForSession.clear();
    waiting.forEach(Runnable::run);
  }

  private void keepAlive(ClientSession mine) {
    process
        .lane()
        .after(
            world.options().times().sessionMillis() / 4 * 1_000_000,
            "keep session",
            () -> {
              if (mine.equals(session)) {
                calls.tell(call -> new CallMessage.RenewSession(call, process.name(), mine.id()));
                keepAlive(mine);
              }
            });
  }

  private void think() {
    long mean = world.options().work().thinkMillis();
    process.lane().after(process.random().between(0, 2 * mean) * 1_000_000, "think", this::next);
  }

  private void next() {
    if (isStopping || operationsLeft <= 0) {
      return;
    }
    if (session == null) {
      think();
      return;
    }
    operationsLeft--;
    if (process.random().chance(0.01)) {
      closeSession();
      think();
      return;
    }
    ObjectId id =
        ObjectId.of("k" + process.random().between(0, world.options().work().keys() - 1L));
    ClientOperation operation = draw(id);
    running.add(operation);
    operation.start();
  }

  private ClientOperation draw(ObjectId id) {
    long percent = process.random().between(0, 99);
    if (percent < 40) {
      return new PutOperation(this, id);
    }
    if (percent < 70) {
      return new GetOperation(this, id, process.random().chance(0.2));
    }
    if (percent < 85) {
      return new RemoveOperation(this, id, process.random().chance(0.5));
    }
    return percent < 93 ? new ExistOperation(this, id) : new ListOperation(this, id);
  }
}
