package dev.floe.sim.cluster;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.codec.CommandCodec;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.sim.check.CommandOracle;
import dev.floe.sim.check.Oracles;
import dev.floe.sim.check.Situation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A master: the replicated state over a node of the model log, and the leader's services while it
/// leads.
///
/// The object stands for the machine: its `DurableLog` outlives crashes, everything else begins
/// anew with each life.
final class Master implements LogMachine {
  private static final int ENTRIES_IN_FLIGHT_MAX = 2;
  private static final int ENTRY_COMMANDS_MAX = 16;
  private static final long WALL_START_MILLIS = 1_000_000;

  private final World world;
  private final String name;
  private final World.SimProcess process;
  private final List<String> others;
  private final DurableLog durable = new DurableLog();
  private final Oracles oracles;
  private long clockOffsetMillis;
  private ReplicatedState state;
  private ModelLog log;
  private final ArrayDeque<Asked> queue = new ArrayDeque<>();
  private final TreeMap<Long, Proposal> inFlight = new TreeMap<>();
  private @Nullable LeaderServices services;
  private long ledTerm;

  /// What a thread of an earlier leadership was about to propose when it stood still.
  private @Nullable CommandBatch late;

  private boolean isUp;

  /// A command that waits, and who gets its reply.
  private record Asked(SessionCommand command, Consumer<Answer> answer) {}

  /// An answer at an index; a null reply means that the fate is unknown.
  record Answer(long index, @Nullable MetadataReply reply) {}

  private record Proposal(long term, List<Asked> asked) {}

  Master(World world, World.SimProcess process, List<String> others) {
    this.world = world;
    this.process = process;
    this.name = process.name();
    this.others = others;
    this.oracles = world.oracles();
    this.state = newState();
    this.log = newLog();
  }

  String name() {
    return name;
  }

  World.SimProcess process() {
    return process;
  }

  /// What it is, for people.
  String describe() {
    if (!isUp) {
      return name() + " is down";
    }
    return name() + (log.isLeader() ? " leads" : " follows") + " in term " + log.term();
  }

  boolean isUp() {
    return isUp;
  }

  ModelLog log() {
    return log;
  }

  ReplicatedState state() {
    return state;
  }

  /// Begins a life from what is on disk.
  void start(int snapshotsBack) {
    isUp = true;
    state = newState();
    log = newLog();
    world.network().bind(name, process.lane(), this::receive);
    log.start(snapshotsBack);
  }

  /// Ends a life; what is on disk stays.
  void kill() {
    isUp = false;
    process.lane().kill();
    world.network().unbind(name);
    queue.clear();
    inFlight.clear();
    services = null;
    late = null;
    if (world.options().has(Mutant.RESTART_LOSES_LAST_ENTRY)
        && durable.lastIndex() > durable.baseIndex()) {
      durable.truncateAfter(durable.lastIndex() - 1);
    }
  }

  void shiftClock(long millis) {
    clockOffsetMillis += millis;
  }

  long wallMillis() {
    return Math.max(0, WALL_START_MILLIS + process.lane().nanos() / 1_000_000 + clockOffsetMillis);
  }

  /// Queues a command; the answer comes when it was applied here, or when this node ceased to lead.
  void submit(SessionCommand command, Consumer<Answer> answer) {
    queue.add(new Asked(command, answer));
    proposeQueued();
  }

  /// Queues a command of the leader's own.
  void submitOwn(MetadataCommand.Leader command) {
    submit(SessionCommand.unguarded(command), answer -> {});
  }

  private ModelLog newLog() {
    return new ModelLog(
        new ModelLog.Context(
            name,
            process.lane(),
            world.network(),
            process.random(),
            world.trace(),
            new ModelLog.Timing(
                world.options().times().electionMillis(),
                world.options().times().stepDownMillis(),
                world.options().times().electionMillis() / 3,
                world.options().times().snapshotEntries(),
                2)),
        others,
        durable,
        this,
        oracles.situations());
  }

  private ReplicatedState newState() {
    return planted(ReplicatedState.empty(world.options().times().state()));
  }

  private ReplicatedState planted(ReplicatedState production) {
    Mutant mutant = world.options().mutant();
    return mutant == null ? production : new MutantState(production, mutant, this::wallMillis);
  }

  private void receive(Object message) {
    switch (message) {
      case LogMessage logMessage -> log.receive(logMessage);
      case CallMessage.MasterRequest request -> serve(request);
      default -> throw new IllegalArgumentException(name + " got " + message);
    }
  }

  private void serve(CallMessage.MasterRequest request) {
    LeaderServices mine = services;
    if (request instanceof CallMessage.Submit submit && mine != null && log.isLeader()) {
      if (!log.hasLease()) {
        oracles.situations().hit(Situation.STALE_LEADER_ACCEPTED_A_COMMAND);
      }
      submit(
          mine.decided(submit.command()),
          answer -> {
            if (answer.reply() != null) {
              reply(
                  request,
                  new CallMessage.Submitted(request.call(), answer.index(), answer.reply()));
            }
          });
      return;
    }
    if (mine == null || !log.isLeaderReady()) {
      refuse(request, ErrorCode.NOT_LEADER);
    } else if (!log.hasLease() && !world.options().has(Mutant.READS_WITHOUT_LEADER_LEASE)) {
      oracles.situations().hit(Situation.READ_REFUSED_WITHOUT_LEADER_LEASE);
      refuse(request, ErrorCode.UNAVAILABLE);
    } else {
      try {
        mine.read(request, answer -> reply(request, answer));
      } catch (FloeException e) {
        refuse(request, e.code());
      }
    }
  }

  private void refuse(CallMessage.MasterRequest request, ErrorCode code) {
    reply(request, new CallMessage.Refused(request.call(), code, log.leader()));
  }

  private void reply(CallMessage.MasterRequest request, CallMessage.Reply reply) {
    world.network().send(name, request.from(), reply);
  }

  private void proposeQueued() {
    while (!queue.isEmpty() && inFlight.size() < ENTRIES_IN_FLIGHT_MAX) {
      List<Asked> asked = new ArrayList<>();
      while (asked.size() < ENTRY_COMMANDS_MAX && !queue.isEmpty()) {
        asked.add(queue.removeFirst());
      }
      CommandBatch batch = batchOf(asked);
      long index = log.propose(CommandCodec.encode(batch));
      if (index < 0) {
        asked.forEach(one -> one.answer().accept(new Answer(0, null)));
        continue;
      }
      inFlight.put(index, new Proposal(log.term(), asked));
      if (world.options().has(Mutant.LEADER_ANSWERS_BEFORE_COMMIT)) {
        asked.stream()
            .filter(one -> one.command().command() instanceof MetadataCommand.PutEnd)
            .forEach(one -> one.answer().accept(new Answer(index, MetadataReply.Done.INSTANCE)));
      }
    }
  }

  private CommandBatch batchOf(List<Asked> asked) {
    return new CommandBatch(ledTerm, wallMillis(), asked.stream().map(Asked::command).toList());
  }

  @Override
  public void apply(long index, DurableLog.Entry entry) {
    Proposal proposal = inFlight.remove(index);
    if (entry.bytes().isEmpty()) {
      oracles.log().applied(name, index, entry.term(), entry.bytes(), List.of(), state.digest());
      answerUnknown(proposal);
      return;
    }
    CommandBatch batch = CommandCodec.decode(entry.bytes());
    List<MetadataReply> replies = state.apply(entry.term(), index, batch);
    long digest = state.digest();
    world.trace().note(name, "applies", index, digest, batch.commands().size());
    if (oracles.log().applied(name, index, entry.term(), entry.bytes(), replies, digest)) {
      oracles
          .commands()
          .applied(new CommandOracle.Entry(entry.term(), index, batch), replies, state.view());
    }
    if (proposal == null || proposal.term() != entry.term()) {
      answerUnknown(proposal);
    } else {
      for (int i = 0; i < replies.size(); i++) {
        proposal.asked().get(i).answer().accept(new Answer(index, replies.get(i)));
      }
    }
    if (log.isLeader()) {
      proposeQueued();
    }
  }

  private static void answerUnknown(@Nullable Proposal proposal) {
    if (proposal != null) {
      proposal.asked().forEach(one -> one.answer().accept(new Answer(0, null)));
    }
  }

  @Override
  public void restore(DurableLog.SnapshotFile snapshot) {
    state = planted(ReplicatedState.restore(snapshot.bytes(), world.options().times().state()));
    oracles.log().restored(name, snapshot.index(), state.digest());
  }

  @Override
  public ByteString snapshot() {
    return state.snapshot();
  }

  @Override
  public void leaderReady(long term) {
    oracles.log().led(name, term);
    world.trace().note(name, "ready", term);
    ledTerm = term;
    services = new LeaderServices(world, this, log.appliedIndex());
    services.start(term);
    CommandBatch earlier = late;
    if (earlier != null) {
      late = null;
      log.propose(CommandCodec.encode(earlier));
    }
  }

  @Override
  public void notLeader() {
    services = null;
    List<Proposal> lost = new ArrayList<>(inFlight.values());
    inFlight.clear();
    List<Asked> waiting = new ArrayList<>(queue);
    queue.clear();
    if (!waiting.isEmpty()) {
      late = batchOf(waiting.subList(0, Math.min(waiting.size(), ENTRY_COMMANDS_MAX)));
    }
    lost.forEach(Master::answerUnknown);
    waiting.forEach(one -> one.answer().accept(new Answer(0, null)));
  }

  /// Whether this is still the leadership that a service was started for.
  boolean leads(long term) {
    return log.isLeaderReady() && log.term() == term;
  }
}
