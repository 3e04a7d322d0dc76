package dev.floe.sim.cluster;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.leader.EvictionOptions;
import dev.floe.meta.leader.Evictor;
import dev.floe.meta.leader.LeaseTracker;
import dev.floe.meta.leader.ReadLeases;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.state.MetadataView;
import dev.floe.sim.check.Situation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// What a master does while it leads: reads, read leases, leases of runtimes and sessions, eviction,
/// ticks. The tables are the production ones; only who calls them is simulated. Soft state of one
/// leadership.
final class LeaderServices {
  private static final int LIST_MAX = 1000;

  /// Far below the usual: simulated stores are rarely full.
  private static final EvictionOptions EVICTION = new EvictionOptions(0.4, 0.2);

  private final World world;
  private final Master master;
  private final LeaseTracker<MetadataCommand.RuntimeEpoch> runtimes;
  private final LeaseTracker<SessionId> sessions;
  private final ReadLeases readLeases;
  private final Evictor evictor;
  private final Duration leaseTime;
  private final long passMillis;

  LeaderServices(World world, Master master, long appliedIndex) {
    this.world = world;
    this.master = master;
    SimOptions.Times times = world.options().times();
    leaseTime = Duration.ofMillis(times.leaseMillis());
    passMillis = Math.max(20, Math.min(times.leaseMillis(), times.sessionMillis()) / 4);
    Duration pass = Duration.ofMillis(passMillis);
    runtimes =
        new LeaseTracker<>(
            "runtimes", world.scheduler(), new LeaseTracker.Settings(leaseTime, pass, 3));
    sessions =
        new LeaseTracker<>(
            "sessions",
            world.scheduler(),
            new LeaseTracker.Settings(Duration.ofMillis(times.sessionMillis()), pass, 3));
    readLeases =
        new ReadLeases(world.scheduler(), Duration.ofMillis(times.readLeaseMillis()), appliedIndex);
    evictor = new Evictor(readLeases, EVICTION);
  }

  void start(long term) {
    pass(term);
  }

  /// The command as the log gets it: a plain removal says for how long the object may be read.
  SessionCommand decided(SessionCommand command) {
    SessionId session = command.session();
    if (session != null) {
      sessions.renew(session);
    }
    if (!(command.command() instanceof MetadataCommand.Remove remove) || remove.isForced()) {
      return command;
    }
    return new SessionCommand(
        session,
        command.sequence(),
        command.answeredBelow(),
        new MetadataCommand.Remove(
            remove.id(),
            false,
            readLeases.remainingMillis(remove.id(), view().route(remove.id()))));
  }

  /// Serves a read; the answer may come later.
  void read(CallMessage.MasterRequest request, Consumer<CallMessage.Reply> answer) {
    switch (request) {
      case CallMessage.Submit submit -> throw new IllegalArgumentException("not a read: " + submit);
      case CallMessage.Resolve resolve -> resolve(resolve, answer);
      case CallMessage.ListKeys list ->
          answer.accept(
              new CallMessage.Listed(list.call(), master.log().appliedIndex(), list(list)));
      case CallMessage.RenewRuntime renew -> {
        renewRuntime(renew);
        answer.accept(new CallMessage.Renewed(renew.call()));
      }
      case CallMessage.RenewSession renew -> {
        sessions.renew(renew.session());
        answer.accept(new CallMessage.Renewed(renew.call()));
      }
    }
  }

  private void resolve(CallMessage.Resolve request, Consumer<CallMessage.Reply> answer) {
    if (!request.isStrict()) {
      answer.accept(resolved(request));
      return;
    }
    master.submit(
        SessionCommand.unguarded(new MetadataCommand.Barrier()),
        barrier -> {
          if (barrier.reply() != null) {
            world.oracles().situations().hit(Situation.STRICT_READ_ANSWERED);
            answer.accept(resolved(request));
          }
        });
  }

  private CallMessage.Resolved resolved(CallMessage.Resolve request) {
    return new CallMessage.Resolved(
        request.call(),
        master.log().appliedIndex(),
        resolution(request.id(), request.grantsLease()));
  }

  private Resolution resolution(ObjectId id, boolean grantsLease) {
    ObjectRoute route = view().route(id);
    if (route == null || route.state() == RouteState.DELETING) {
      return new Resolution.Missing(ErrorCode.NOT_FOUND, "object " + id + " does not exist");
    }
    if (route.state() == RouteState.WRITING) {
      return new Resolution.Missing(ErrorCode.NOT_READY, "object " + id + " is being written");
    }
    List<ReplicaTarget> targets = new ArrayList<>();
    for (Replica replica : route.replicas()) {
      RuntimeRecord runtime =
          switch (replica.location()) {
            case MemoryRange range -> view().runtime(range.runtime());
          };
      if (runtime != null && replica.status() == ReplicaStatus.COMPLETE) {
        targets.add(new ReplicaTarget(replica, runtime.dataEndpoint()));
      }
    }
    return new Resolution.Found(
        route.version(),
        route.content().sizeBytes(),
        route.content().checksum(),
        targets,
        grantsLease ? readLeases.grant(id) : 0);
  }

  private Map<String, RouteVersion> list(CallMessage.ListKeys request) {
    Map<String, RouteVersion> keys = new TreeMap<>();
    for (ObjectRoute route : view().list(TenantId.DEFAULT, request.prefix(), null, LIST_MAX)) {
      if (route.state() == RouteState.ACTIVE) {
        keys.put(route.id().key().value(), route.version());
      }
    }
    return keys;
  }

  private void renewRuntime(CallMessage.RenewRuntime renew) {
    RuntimeRecord record = view().runtime(renew.runtime());
    if (record == null) {
      throw new FloeException(ErrorCode.RUNTIME_NOT_FOUND, renew.runtime() + " is not registered");
    }
    if (record.epoch() != renew.epoch()) {
      throw new FloeException(
          ErrorCode.STALE_EPOCH, renew.runtime() + " is at epoch " + record.epoch());
    }
    runtimes.renew(epochOf(record));
  }

  private void pass(long term) {
    if (!master.leads(term)) {
      return;
    }
    List<RuntimeRecord> records = view().runtimes();
    List<MetadataCommand.RuntimeEpoch> alive = inState(records, RuntimeState.ALIVE);
    List<MetadataCommand.RuntimeEpoch> suspected = inState(records, RuntimeState.SUSPECTED);
    runtimes.observe(records.stream().map(LeaderServices::epochOf).toList());
    List<MetadataCommand.RuntimeEpoch> late = runtimes.overdue(alive, Duration.ZERO);
    if (!late.isEmpty()) {
      master.submitOwn(new MetadataCommand.SuspectRuntimes(late));
    }
    List<MetadataCommand.RuntimeEpoch> back =
        suspected.stream().filter(runtimes::isCurrent).toList();
    if (!back.isEmpty()) {
      master.submitOwn(new MetadataCommand.ReviveRuntimes(back));
    }
    List<MetadataCommand.RuntimeEpoch> gone = runtimes.expirable(suspected, leaseTime);
    if (!gone.isEmpty()) {
      master.submitOwn(new MetadataCommand.ExpireRuntimes(gone));
    }
    List<SessionId> open = view().sessions();
    sessions.observe(open);
    List<SessionId> silent = sessions.expirable(open, Duration.ZERO);
    if (!silent.isEmpty()) {
      master.submitOwn(new MetadataCommand.ExpireSessions(silent, view().appliedIndex()));
    }
    evictor.next(view()).forEach(master::submitOwn);
    master.submitOwn(new MetadataCommand.Tick(view().appliedIndex(), master.state().digest()));
    master.process().lane().after(passMillis * 1_000_000, "leader pass", () -> pass(term));
  }

  private MetadataView view() {
    return master.state().view();
  }

  private static List<MetadataCommand.RuntimeEpoch> inState(
      List<RuntimeRecord> records, RuntimeState state) {
    return records.stream()
        .filter(record -> record.state() == state)
        .map(LeaderServices::epochOf)
        .toList();
  }

  private static MetadataCommand.RuntimeEpoch epochOf(RuntimeRecord record) {
    return new MetadataCommand.RuntimeEpoch(record.id(), record.epoch());
  }
}
