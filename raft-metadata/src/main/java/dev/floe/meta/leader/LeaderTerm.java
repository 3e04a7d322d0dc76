package dev.floe.meta.leader;

import dev.floe.core.error.FloeException;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.state.MetadataView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The soft state and the regular work of one leadership: read leases, the leases of runtimes and
/// sessions, and the tick. Ends with the leadership; a later one has another object.
///
/// The regular work proposes directly, not through the batcher: a full queue of clients' commands
/// must not delay what keeps leases alive. At most one entry of its own is under way; while it is,
/// nothing more is proposed, so a stuck log is not flooded.
public final class LeaderTerm implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderTerm.class);
  private static final int BREAKER_MIN = 3;
  private static final int EXPIRED_PER_PASS = 1000;
  private static final long EVICTION_PAUSE_NANOS = 10_000_000;

  private final long term;
  private final MetaLog log;
  private final CommandBatcher batcher;
  private final LeaderOptions options;
  private final InstantSource clock;
  private final ReadLeases readLeases;
  private final Evictor evictor;
  private final LeaseTracker<RuntimeEpoch> runtimes;
  private final LeaseTracker<SessionId> sessions;
  private final AtomicBoolean isProposalUnderWay = new AtomicBoolean();
  private final Thread worker;
  private volatile boolean isOver;

  LeaderTerm(
      long term,
      MetaLog log,
      CommandBatcher batcher,
      LeaderOptions options,
      Ticker ticker,
      InstantSource clock) {
    this.term = term;
    this.log = log;
    this.batcher = batcher;
    this.options = options;
    this.clock = clock;
    LeaderOptions.Leases leases = options.leases();
    this.readLeases = new ReadLeases(ticker, leases.readTtl(), log.localView().appliedIndex());
    this.evictor = new Evictor(readLeases, options.eviction());
    Duration interval = options.tickInterval();
    this.runtimes =
        new LeaseTracker<>(
            "runtimes",
            ticker,
            new LeaseTracker.Settings(leases.runtimeTtl(), interval, BREAKER_MIN));
    this.sessions =
        new LeaseTracker<>(
            "sessions",
            ticker,
            new LeaseTracker.Settings(leases.sessionTtl(), interval, BREAKER_MIN));
    this.worker = Thread.ofPlatform().daemon().name("leader-term-" + term).unstarted(this::work);
  }

  void start() {
    worker.start();
  }

  /// The Raft term: a fence for everything done in its name.
  public long term() {
    return term;
  }

  /// Hands commands to the log in the name of this leadership and waits for all replies, in order.
  ///
  /// @throws FloeException `NOT_LEADER` also when a later leadership of this master has begun;
  ///     otherwise as `CommandBatcher.submit`
  public List<MetadataReply> submit(List<SessionCommand> commands, Deadline deadline) {
    return batcher.submit(term, commands, deadline);
  }

  public ReadLeases readLeases() {
    return readLeases;
  }

  /// A write found no space: some is made at once.
  public void noteNoSpace() {
    evictor.wanted();
    LockSupport.unpark(worker);
  }

  /// Leases of runtimes by their epochs.
  public LeaseTracker<RuntimeEpoch> runtimes() {
    return runtimes;
  }

  public LeaseTracker<SessionId> sessions() {
    return sessions;
  }

  private void work() {
    while (!isOver) {
      try {
        if (!Probe.buggify("leader.leaves-a-pass-out")) {
          pass();
        }
      } catch (RuntimeException e) {
        LOG.error("term {}: the leader's regular work failed; it goes on", term, e);
      }
      LockSupport.parkNanos(
          evictor.isBusy()
              ? Math.min(EVICTION_PAUSE_NANOS, options.tickInterval().toNanos())
              : options.tickInterval().toNanos());
    }
  }

  /// One round: what is due becomes one entry, which always has a tick in it. The tick keeps time
  /// moving, lets a follower that was wiped catch up on an idle cluster, and carries the digest
  /// that the others compare.
  void pass() {
    MetadataView view = log.localView();
    List<RuntimeRecord> records = view.runtimes();
    List<RuntimeEpoch> alive = inState(records, RuntimeState.ALIVE);
    List<RuntimeEpoch> suspected = inState(records, RuntimeState.SUSPECTED);
    // Taken before the leases are looked at: a session that is used later is left alone by apply.
    long seenIndex = view.appliedIndex();
    List<SessionId> open = view.sessions();
    List<RuntimeEpoch> all = new ArrayList<>(alive);
    all.addAll(suspected);
    runtimes.observe(all);
    sessions.observe(open);
    if (!isProposalUnderWay.compareAndSet(false, true)) {
      return;
    }
    boolean isProposed = false;
    try {
      List<SessionCommand> due = due(alive, suspected, open, seenIndex);
      log.propose(new CommandBatch(term, clock.millis(), due), new Answer(due));
      isProposed = true;
    } finally {
      if (!isProposed) {
        // No answer will come, and the next pass must not wait for one.
        isProposalUnderWay.set(false);
      }
    }
  }

  private List<SessionCommand> due(
      List<RuntimeEpoch> alive,
      List<RuntimeEpoch> suspected,
      List<SessionId> open,
      long seenIndex) {
    List<SessionCommand> due = new ArrayList<>();
    addIfAny(due, runtimes.overdue(alive, Duration.ZERO), MetadataCommand.SuspectRuntimes::new);
    addIfAny(
        due,
        suspected.stream().filter(runtimes::isCurrent).toList(),
        MetadataCommand.ReviveRuntimes::new);
    addIfAny(
        due,
        runtimes.expirable(suspected, options.leases().runtimeGrace()),
        MetadataCommand.ExpireRuntimes::new);
    addIfAny(
        due,
        sessions.expirable(open, Duration.ZERO),
        ended -> new MetadataCommand.ExpireSessions(ended, seenIndex));
    evictor.next(log.localView()).forEach(evict -> due.add(SessionCommand.unguarded(evict)));
    MetaLog.AppliedDigest digest = log.localDigest();
    due.add(SessionCommand.unguarded(new MetadataCommand.Tick(digest.index(), digest.digest())));
    return due;
  }

  private static List<RuntimeEpoch> inState(List<RuntimeRecord> records, RuntimeState state) {
    return records.stream()
        .filter(r -> r.state() == state)
        .map(r -> new RuntimeEpoch(r.id(), r.epoch()))
        .toList();
  }

  private static <K> void addIfAny(
      List<SessionCommand> due,
      List<K> keys,
      java.util.function.Function<List<K>, MetadataCommand> toCommand) {
    if (!keys.isEmpty()) {
      List<K> some = keys.subList(0, Math.min(keys.size(), EXPIRED_PER_PASS));
      due.add(SessionCommand.unguarded(toCommand.apply(some)));
    }
  }

  /// Ends the regular work; waits for it unless called by it.
  @Override
  public void close() {
    isOver = true;
    LockSupport.unpark(worker);
    if (Thread.currentThread() == worker || !worker.isAlive()) {
      return;
    }
    try {
      worker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Answer implements MetaLog.ProposalListener {
    private final List<SessionCommand> proposed;

    Answer(List<SessionCommand> proposed) {
      this.proposed = proposed;
    }

    @Override
    public void applied(long index, List<MetadataReply> replies) {
      isProposalUnderWay.set(false);
      for (int i = 0; i < replies.size(); i++) {
        if (replies.get(i) instanceof MetadataReply.Failed failed) {
          LOG.warn("term {}: {} was answered {}", term, proposed.get(i), failed);
        }
      }
    }

    @Override
    public void failed(FloeException error) {
      isProposalUnderWay.set(false);
      LOG.debug("term {}: the regular entry was not applied", term, error);
    }
  }
}
