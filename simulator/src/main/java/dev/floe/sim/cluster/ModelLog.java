package dev.floe.sim.cluster;

import com.google.protobuf.ByteString;
import dev.floe.sim.check.Situation;
import dev.floe.sim.check.Situations;
import dev.floe.sim.kernel.Lane;
import dev.floe.sim.kernel.SimRandom;
import dev.floe.sim.kernel.Trace;
import dev.floe.sim.net.SimNetwork;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One node of the replicated log of a simulation: Raft as its paper has it (Ongaro and Ousterhout
/// 2014), with a leader lease, without membership changes.
///
/// It stands for Ratis: the same promises and the same freedoms, with fewer lines to trust. A
/// leader that lost its majority goes on accepting until it notices. The lease counts from the
/// sending of appends that a majority answered; nodes refuse their vote while they hear a leader,
/// and for a while after a restart. Volatile state of one life of a node, over its `DurableLog`.
final class ModelLog {
  private static final int ENTRIES_PER_APPEND_MAX = 32;
  private static final long LOCAL_WRITE_NANOS = 50_000;

  private final Context context;
  private final DurableLog durable;
  private final LogMachine machine;
  private final Situations situations;
  private final Map<String, Peer> peers = new TreeMap<>();
  private final Set<String> votes = new HashSet<>();
  private Role role = Role.FOLLOWER;
  private @Nullable String leader;
  private long commitIndex;
  private long appliedIndex;
  private long readyIndex = Long.MAX_VALUE;
  private long heardNanos;
  private long waitsSinceNanos;
  private long ledSinceNanos;
  private long lastSnapshotIndex;
  private long watch;

  /// What a node gets from its surroundings.
  record Context(
      String node,
      Lane lane,
      SimNetwork network,
      SimRandom.Stream random,
      Trace trace,
      Timing timing) {}

  /// Times and sizes of the log.
  ///
  /// @param electionMillis the shortest election timeout; the longest is twice that
  /// @param stepDownMillis how long a leader goes on without its lease
  /// @param snapshotEntries entries between two snapshots
  /// @param snapshotsRetained how many are kept
  record Timing(
      long electionMillis,
      long stepDownMillis,
      long heartbeatMillis,
      int snapshotEntries,
      int snapshotsRetained) {
    long electionNanos() {
      return electionMillis * 1_000_000;
    }
  }

  private enum Role {
    FOLLOWER,
    CANDIDATE,
    LEADER
  }

  private static final class Peer {
    long nextIndex;
    long matchIndex;
    long ackedSendNanos = Long.MIN_VALUE / 2;
  }

  ModelLog(
      Context context,
      List<String> others,
      DurableLog durable,
      LogMachine machine,
      Situations situations) {
    this.context = context;
    this.durable = durable;
    this.machine = machine;
    this.situations = situations;
    others.forEach(other -> peers.put(other, new Peer()));
  }

  /// Begins a life: restores a snapshot and waits for a leader.
  ///
  /// @param snapshotsBack 0 to start from the newest snapshot, 1 from the one before, ...
  void start(int snapshotsBack) {
    DurableLog.SnapshotFile snapshot = durable.snapshot(snapshotsBack);
    if (snapshot != null) {
      machine.restore(snapshot);
      commitIndex = snapshot.index();
      appliedIndex = snapshot.index();
      situations.hit(
          snapshot.equals(durable.snapshot(0))
              ? Situation.RESTART_FROM_SNAPSHOT
              : Situation.RESTART_FROM_OLDER_SNAPSHOT);
    }
    lastSnapshotIndex = appliedIndex;
    // A vote before the crash may have given another node a lease that still holds.
    heardNanos = context.lane.nanos();
    waitsSinceNanos = heardNanos;
    watchLeader();
  }

  boolean isLeaderReady() {
    return role == Role.LEADER && appliedIndex >= readyIndex;
  }

  boolean isLeader() {
    return role == Role.LEADER;
  }

  long term() {
    return durable.term();
  }

  long appliedIndex() {
    return appliedIndex;
  }

  long commitIndex() {
    return commitIndex;
  }

  @Nullable String leader() {
    return leader;
  }

  /// Whether no other node can have become leader so far.
  boolean hasLease() {
    return role == Role.LEADER && context.lane.nanos() < leaseEndNanos();
  }

  /// Appends an entry as leader.
  ///
  /// @return its index, or -1 when this node does not lead
  long propose(ByteString bytes) {
    if (role != Role.LEADER) {
      return -1;
    }
    durable.append(new DurableLog.Entry(durable.term(), bytes));
    peers.keySet().forEach(this::sendAppend);
    context.lane.after(LOCAL_WRITE_NANOS, "local write", this::commitWhatTheMajorityHas);
    return durable.lastIndex();
  }

  void receive(LogMessage message) {
    if (message instanceof LogMessage.VoteRequest request && hearsLeader()) {
      reply(request.candidate(), new LogMessage.VoteReply(durable.term(), context.node, false));
      return;
    }
    if (message.term() > durable.term()) {
      durable.setTerm(message.term(), null);
      becomeFollower(null);
    }
    switch (message) {
      case LogMessage.VoteRequest request -> vote(request);
      case LogMessage.VoteReply reply -> countVote(reply);
      case LogMessage.Append append -> follow(append);
      case LogMessage.AppendReply reply -> countAppend(reply);
      case LogMessage.Install install -> install(install);
    }
  }

  private boolean hearsLeader() {
    return role == Role.LEADER
        ? hasLease()
        : context.lane.nanos() - heardNanos < context.timing.electionNanos();
  }

  private void watchLeader() {
    long timeout = context.timing.electionNanos();
    watchLeader(++watch, timeout + context.random.between(0, timeout));
  }

  private void watchLeader(long mine, long timeoutNanos) {
    long left = waitsSinceNanos + timeoutNanos - context.lane.nanos();
    context.lane.after(
        Math.max(left, 1),
        "election timer",
        () -> {
          if (role == Role.LEADER || mine != watch) {
            return;
          }
          if (context.lane.nanos() - waitsSinceNanos >= timeoutNanos) {
            campaign();
            watchLeader();
          } else {
            watchLeader(mine, timeoutNanos);
          }
        });
  }

  private void campaign() {
    role = Role.CANDIDATE;
    leader = null;
    waitsSinceNanos = context.lane.nanos();
    durable.setTerm(durable.term() + 1, context.node);
    votes.clear();
    votes.add(context.node);
    context.trace.note(context.node, "campaign", durable.term());
    LogMessage request =
        new LogMessage.VoteRequest(
            durable.term(), context.node, durable.lastIndex(), durable.lastTerm());
    peers.keySet().forEach(peer -> reply(peer, request));
    leadWhenElected();
  }

  private void vote(LogMessage.VoteRequest request) {
    boolean isUpToDate =
        request.lastTerm() > durable.lastTerm()
            || (request.lastTerm() == durable.lastTerm()
                && request.lastIndex() >= durable.lastIndex());
    String given = durable.votedFor();
    boolean isGranted =
        request.term() == durable.term()
            && isUpToDate
            && (given == null || given.equals(request.candidate()));
    if (isGranted) {
      durable.setTerm(durable.term(), request.candidate());
      waitsSinceNanos = context.lane.nanos();
    }
    reply(request.candidate(), new LogMessage.VoteReply(durable.term(), context.node, isGranted));
  }

  private void countVote(LogMessage.VoteReply reply) {
    if (role == Role.CANDIDATE && reply.term() == durable.term() && reply.isGranted()) {
      votes.add(reply.voter());
      leadWhenElected();
    }
  }

  private void leadWhenElected() {
    if (votes.size() < majority()) {
      return;
    }
    role = Role.LEADER;
    leader = context.node;
    ledSinceNanos = context.lane.nanos();
    if (durable.lastIndex() > commitIndex) {
      situations.hit(Situation.LEADER_CHANGE_WITH_ENTRIES_IN_FLIGHT);
    }
    for (Peer peer : peers.values()) {
      peer.nextIndex = durable.lastIndex() + 1;
      peer.matchIndex = 0;
      peer.ackedSendNanos = Long.MIN_VALUE / 2;
    }
    context.trace.note(context.node, "leads", durable.term(), durable.lastIndex(), null);
    readyIndex = durable.lastIndex() + 1;
    propose(ByteString.EMPTY);
    beat(durable.term());
  }

  private void beat(long term) {
    context.lane.after(
        context.timing.heartbeatMillis * 1_000_000,
        "heartbeat",
        () -> {
          if (role != Role.LEADER || durable.term() != term) {
            return;
          }
          long lostForNanos = context.lane.nanos() - Math.max(leaseEndNanos(), ledSinceNanos);
          if (!peers.isEmpty() && lostForNanos > context.timing.stepDownMillis * 1_000_000) {
            context.trace.note(context.node, "steps down", term);
            becomeFollower(null);
            return;
          }
          peers.keySet().forEach(this::sendAppend);
          beat(term);
        });
  }

  private void becomeFollower(@Nullable String newLeader) {
    boolean led = role == Role.LEADER;
    role = Role.FOLLOWER;
    leader = newLeader;
    readyIndex = Long.MAX_VALUE;
    if (led) {
      if (durable.lastIndex() > commitIndex) {
        situations.hit(Situation.LEADER_DEPOSED_WITH_ENTRIES_IN_FLIGHT);
      }
      waitsSinceNanos = context.lane.nanos();
      watchLeader();
      machine.notLeader();
    }
  }

  private void sendAppend(String name) {
    Peer peer = peer(name);
    long previous = peer.nextIndex - 1;
    if (previous < durable.baseIndex()) {
      DurableLog.SnapshotFile snapshot = durable.snapshot(0);
      if (snapshot != null) {
        reply(
            name,
            new LogMessage.Install(durable.term(), context.node, snapshot, context.lane.nanos()));
      }
      return;
    }
    reply(
        name,
        new LogMessage.Append(
            durable.term(),
            context.node,
            previous,
            durable.termAt(previous),
            durable.after(previous, ENTRIES_PER_APPEND_MAX),
            commitIndex,
            context.lane.nanos()));
  }

  private void follow(LogMessage.Append append) {
    if (append.term() < durable.term()) {
      refuse(append.leader(), append.sentNanos());
      return;
    }
    hear(append.leader());
    long previous = append.previousIndex();
    if (previous > durable.baseIndex() && durable.termAt(previous) != append.previousTerm()) {
      refuse(append.leader(), append.sentNanos());
      return;
    }
    long index = previous;
    for (DurableLog.Entry entry : append.entries()) {
      index++;
      if (index <= durable.baseIndex() || durable.termAt(index) == entry.term()) {
        continue;
      }
      if (index <= durable.lastIndex()) {
        situations.hit(Situation.FOLLOWER_TRUNCATES);
        context.trace.note(context.node, "truncates", index, durable.lastIndex(), null);
        durable.truncateAfter(index - 1);
      }
      durable.append(entry);
    }
    accept(append.leader(), Math.max(index, durable.baseIndex()), append.sentNanos());
    commit(Math.min(append.commitIndex(), index));
  }

  private void install(LogMessage.Install install) {
    if (install.term() < durable.term()) {
      refuse(install.leader(), install.sentNanos());
      return;
    }
    hear(install.leader());
    DurableLog.SnapshotFile snapshot = install.snapshot();
    if (snapshot.index() > commitIndex) {
      situations.hit(Situation.SNAPSHOT_INSTALLED);
      context.trace.note(context.node, "installs snapshot", snapshot.index());
      durable.install(snapshot);
      machine.restore(snapshot);
      commitIndex = snapshot.index();
      appliedIndex = snapshot.index();
      lastSnapshotIndex = snapshot.index();
    }
    accept(install.leader(), snapshot.index(), install.sentNanos());
  }

  private void hear(String from) {
    if (role == Role.CANDIDATE) {
      becomeFollower(from);
    }
    leader = from;
    heardNanos = context.lane.nanos();
    waitsSinceNanos = heardNanos;
  }

  private void accept(String to, long matchIndex, long sentNanos) {
    reply(
        to, new LogMessage.AppendReply(durable.term(), context.node, true, matchIndex, sentNanos));
  }

  private void refuse(String to, long sentNanos) {
    long retryFrom = Math.min(commitIndex, durable.lastIndex());
    reply(
        to, new LogMessage.AppendReply(durable.term(), context.node, false, retryFrom, sentNanos));
  }

  private void countAppend(LogMessage.AppendReply reply) {
    if (role != Role.LEADER || reply.term() != durable.term()) {
      return;
    }
    Peer peer = peer(reply.follower());
    peer.ackedSendNanos = Math.max(peer.ackedSendNanos, reply.sentNanos());
    if (!reply.isMatch()) {
      long retryFrom = Math.max(reply.matchIndex(), peer.matchIndex) + 1;
      if (retryFrom < peer.nextIndex) {
        peer.nextIndex = retryFrom;
        sendAppend(reply.follower());
      }
      return;
    }
    boolean isNews = reply.matchIndex() > peer.matchIndex;
    peer.matchIndex = Math.max(peer.matchIndex, reply.matchIndex());
    peer.nextIndex = Math.max(peer.nextIndex, peer.matchIndex + 1);
    commitWhatTheMajorityHas();
    if (isNews && peer.matchIndex < durable.lastIndex()) {
      peer.nextIndex = peer.matchIndex + 1;
      sendAppend(reply.follower());
    }
  }

  private void commitWhatTheMajorityHas() {
    if (role != Role.LEADER) {
      return;
    }
    long[] matched = new long[peers.size() + 1];
    int i = 0;
    for (Peer peer : peers.values()) {
      matched[i++] = peer.matchIndex;
    }
    matched[i] = durable.lastIndex();
    Arrays.sort(matched);
    long byMajority = matched[matched.length - majority()];
    if (byMajority > commitIndex && durable.termAt(byMajority) == durable.term()) {
      commit(byMajority);
    }
  }

  private void commit(long index) {
    commitIndex = Math.max(commitIndex, index);
    while (appliedIndex < commitIndex) {
      appliedIndex++;
      machine.apply(appliedIndex, durable.entry(appliedIndex));
      if (appliedIndex == readyIndex && role == Role.LEADER) {
        machine.leaderReady(durable.term());
      }
      if (appliedIndex - lastSnapshotIndex >= context.timing.snapshotEntries) {
        lastSnapshotIndex = appliedIndex;
        durable.addSnapshot(
            new DurableLog.SnapshotFile(
                appliedIndex, durable.termAt(appliedIndex), machine.snapshot()),
            context.timing.snapshotsRetained);
      }
    }
  }

  private long leaseEndNanos() {
    if (peers.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long[] acked =
        peers.values().stream().mapToLong(peer -> peer.ackedSendNanos).sorted().toArray();
    // The node itself counts as one of the majority.
    long byMajority = acked[acked.length - (majority() - 1)];
    return byMajority + context.timing.electionNanos() * 9 / 10;
  }

  private int majority() {
    return (peers.size() + 1) / 2 + 1;
  }

  private Peer peer(String name) {
    Peer peer = peers.get(name);
    if (peer == null) {
      throw new IllegalArgumentException(name + " is not a peer of " + context.node);
    }
    return peer;
  }

  private void reply(String to, LogMessage message) {
    context.network.send(context.node, to, message);
  }
}
