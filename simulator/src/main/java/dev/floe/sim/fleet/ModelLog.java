package dev.floe.sim.fleet;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.log.MasterAddress;
import dev.floe.meta.log.Membership;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.ApplyObserver;
import dev.floe.meta.ratis.FatalErrorHandler;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.meta.ratis.storage.StateFormat;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.MetadataView;
import dev.floe.sim.wire.SimHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The log of one life of a master over `ModelLogGroup`: applies the common entries to a state of
/// its own, through production's formats, and answers as a replicated log does.
///
/// It leads from when it is told until it is told otherwise, so it may be a leader of the past; its
/// reads need a lease that the group knows to be right. Snapshots are real files.
final class ModelLog implements MaintainedLog {
  private static final double LOST_REPLY = 0.01;

  private final ModelLogGroup group;
  private final SimHost place;
  private final Parts parts;
  private final Map<Long, Pending> pending = new HashMap<>();
  private final LinkedBlockingQueue<Long> leaderships = new LinkedBlockingQueue<>();
  private final List<Thread> readers = new ArrayList<>();
  private MetadataState state;
  private AppliedDigest digest = AppliedDigest.NONE;
  private @Nullable Thread applier;
  private @Nullable LeadershipListener listener;
  private long snapshotIndex = -1;
  private boolean isSnapshotWanted;
  private long knownIndex;
  private long knownTerm;
  private String knownLeader = "";
  private long leadingTerm = -1;
  private long readyAtIndex;
  private boolean isReady;
  private long proposals;
  private long lastArrivalNanos;
  private boolean isClosed;

  private record Pending(CommandBatch batch, ProposalListener listener) {}

  /// What a log works with.
  record Parts(
      MasterOptions options,
      Path folder,
      StateFormat format,
      ApplyObserver observer,
      FatalErrorHandler fatal) {}

  ModelLog(ModelLogGroup group, SimHost place, Parts parts) {
    this.group = group;
    this.place = place;
    this.parts = parts;
    this.state = parts.format.empty();
  }

  SimHost place() {
    return place;
  }

  /// Loads what the last life left and begins to apply.
  void start() {
    try {
      Files.createDirectories(parts.folder);
      Path file = parts.folder.resolve("snapshot");
      if (Files.exists(file)) {
        state = parts.format.read(file);
        snapshotIndex = state.appliedIndex();
        digest = new AppliedDigest(state.appliedIndex(), state.digest());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    applier = Thread.ofPlatform().daemon().name("model-apply").start(this::applyAll);
    var _ = Thread.ofPlatform().daemon().name("model-leadership").start(this::relay);
  }

  // --- told by the group ---

  boolean knows(long index, long term) {
    return knownIndex >= index && knownTerm >= term;
  }

  void told(long index, long term, String leader) {
    knownIndex = Math.max(knownIndex, index);
    if (term > knownTerm) {
      knownTerm = term;
      knownLeader = leader;
      if (leadingTerm >= 0 && leadingTerm < term) {
        follow();
      }
    }
    LockSupport.unpark(applier);
  }

  void lead(long term) {
    if (isClosed || term < knownTerm) {
      return;
    }
    knownTerm = term;
    knownLeader = place.name();
    leadingTerm = term;
    readyAtIndex = group.lastEntryIndex();
    isReady = false;
    knownIndex = Math.max(knownIndex, group.lastEntryIndex());
    LockSupport.unpark(applier);
  }

  /// Another term has begun; a leader of it or of a later one goes on.
  void follow(long term) {
    if (leadingTerm < term) {
      follow();
    }
  }

  private void follow() {
    leadingTerm = -1;
    isReady = false;
    failPending("lost the lead");
    leaderships.add(-1L);
  }

  private void failPending(String why) {
    List<Pending> all = List.copyOf(pending.values());
    pending.clear();
    for (Pending one : all) {
      one.listener.failed(
          new FloeException(
              ErrorCode.UNKNOWN_OUTCOME, "master " + place.name() + " " + why + " meanwhile"));
    }
  }

  // --- applying ---

  private void applyAll() {
    while (!isClosed) {
      for (ModelLogGroup.Entry entry : group.after(state.appliedIndex())) {
        if (entry.index() > knownIndex) {
          break;
        }
        apply(entry);
      }
      becomeReady();
      List<Thread> waiting = List.copyOf(readers);
      readers.clear();
      waiting.forEach(LockSupport::unpark);
      if (isClosed || !hasMore()) {
        LockSupport.park(this);
      }
    }
  }

  private boolean hasMore() {
    return Math.min(knownIndex, group.lastEntryIndex()) > state.appliedIndex();
  }

  private void becomeReady() {
    if (leadingTerm >= 0 && !isReady && state.appliedIndex() >= readyAtIndex) {
      isReady = true;
      leaderships.add(leadingTerm);
    }
  }

  private void apply(ModelLogGroup.Entry entry) {
    ModelLogGroup.Proposal proposal = entry.proposal();
    Pending own = proposal.by() == this ? pending.remove(proposal.id()) : null;
    try {
      CommandBatch batch = own != null ? own.batch : parts.format.decode(entry.bytes());
      List<MetadataReply> replies = state.apply(entry.term(), entry.index(), batch);
      digest = new AppliedDigest(entry.index(), state.digest());
      parts.observer.applied(
          entry.term(), entry.index(), entry.bytes().asReadOnlyByteBuffer(), digest.digest());
      if (own != null && group.random().nextDouble() < LOST_REPLY) {
        own.listener.failed(new FloeException(ErrorCode.UNKNOWN_OUTCOME, "the reply was lost"));
      } else if (own != null) {
        own.listener.applied(entry.index(), replies);
      }
      int every = group.world().draw().snapshotEntries();
      if (isSnapshotWanted || entry.index() - snapshotIndex > every) {
        snapshot();
      }
    } catch (IOException | RuntimeException e) {
      parts.fatal.fatal("the model log cannot apply " + entry.index(), e);
    }
  }

  private void snapshot() throws IOException {
    isSnapshotWanted = false;
    Path fresh = parts.folder.resolve("snapshot.new");
    try (StateFormat.Frozen frozen = parts.format.freeze(state);
        FileChannel to =
            FileChannel.open(
                fresh,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      frozen.write(to);
      to.force(true);
    }
    Files.move(
        fresh, parts.folder.resolve("snapshot"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    snapshotIndex = state.appliedIndex();
  }

  // --- leadership ---

  private void relay() {
    long delivered = -1;
    try {
      while (!isClosed) {
        long term = leaderships.take();
        LeadershipListener to = listener;
        if (to == null || term == delivered) {
          continue;
        }
        if (delivered >= 0) {
          to.notLeader();
        }
        delivered = term == leadingTerm ? term : -1;
        if (delivered >= 0) {
          to.leaderReady(term);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void onLeadership(LeadershipListener newListener) {
    listener = newListener;
    if (isReady) {
      leaderships.add(leadingTerm);
    }
  }

  @Override
  public Leadership leadership() {
    String endpoint =
        parts.options.peers().stream()
            .filter(p -> p.node().equals(knownLeader))
            .findFirst()
            .map(p -> p.rpcEndpoint().toString())
            .orElse(null);
    return new Leadership(
        knownTerm,
        leadingTerm >= 0 && isReady,
        knownLeader.isEmpty() ? null : knownLeader,
        endpoint);
  }

  @Override
  public List<Member> members() {
    List<Member> all = new ArrayList<>();
    for (RatisPeer peer : parts.options.peers()) {
      Long index = peer.node().equals(place.name()) ? Long.valueOf(state.appliedIndex()) : null;
      all.add(
          new Member(
              peer.node(),
              peer.rpcEndpoint().toString(),
              peer.node().equals(knownLeader),
              index,
              null));
    }
    return all;
  }

  private FloeException notLeader() {
    String at = leadership().leaderEndpoint();
    boolean isKnown = at != null && !knownLeader.equals(place.name());
    return new FloeException(
        ErrorCode.NOT_LEADER,
        "master " + place.name() + " does not lead",
        isKnown ? Map.of("leader", at) : Map.of(),
        null);
  }

  // --- writes and reads ---

  @Override
  public void propose(CommandBatch batch, ProposalListener to) {
    if (leadingTerm < 0 || isClosed) {
      to.failed(notLeader());
      return;
    }
    ByteString bytes = parts.format.encode(batch);
    long id = ++proposals;
    pending.put(id, new Pending(batch, to));
    boolean isRepeatable =
        batch.commands().stream()
            .allMatch(
                c -> c.session() != null && !(c.command() instanceof MetadataCommand.OpenSession));
    long now = group.world().simulation().nanos();
    boolean isSlow = group.random().nextInt(50) == 0;
    long due = now + 500_000 + group.random().nextLong(isSlow ? 40_000_000 : 3_000_000);
    lastArrivalNanos = Math.max(lastArrivalNanos, due);
    group.propose(
        new ModelLogGroup.Proposal(this, id, bytes, isRepeatable), lastArrivalNanos - now);
  }

  @Override
  public <T extends @Nullable Object> T read(Function<MetadataView, T> read, Deadline deadline) {
    long wanted = -1;
    while (true) {
      if (leadingTerm < 0) {
        throw notLeader();
      }
      if (isReady && group.hasLease(this, leadingTerm)) {
        wanted = wanted < 0 ? group.lastEntryIndex() : wanted;
        if (state.appliedIndex() >= wanted) {
          return read.apply(state);
        }
      }
      if (deadline.isExpired()) {
        throw new FloeException(
            ErrorCode.UNAVAILABLE,
            "master " + place.name() + " could not confirm that it leads within the deadline");
      }
      readers.add(Thread.currentThread());
      LockSupport.parkNanos(Math.min(20_000_000, Math.max(1, deadline.remainingNanos())));
      if (Thread.currentThread().isInterrupted()) {
        throw new FloeException(ErrorCode.CANCELLED, "the read was interrupted");
      }
    }
  }

  @Override
  public MetadataView localView() {
    return state;
  }

  @Override
  public AppliedDigest localDigest() {
    return digest;
  }

  @Override
  public void requestSnapshot() {
    isSnapshotWanted = true;
  }

  @Override
  public long snapshotIndex() {
    return snapshotIndex;
  }

  @Override
  public long logStartIndex() {
    return 0;
  }

  @Override
  public boolean transferLeadership(String toNode, Deadline deadline) {
    return group.transfer(this, toNode);
  }

  @Override
  public Membership membership() {
    return new Membership(members().stream().map(Member::node).toList());
  }

  /// Its members never change.
  @Override
  public boolean isCommitted(Membership membership) {
    return membership.equals(membership());
  }

  @Override
  public boolean addMaster(Membership expected, MasterAddress added, Deadline deadline) {
    throw new FloeException(ErrorCode.UNSUPPORTED, "the members of the model log are fixed");
  }

  @Override
  public boolean removeMaster(Membership expected, String node, Deadline deadline) {
    throw new FloeException(ErrorCode.UNSUPPORTED, "the members of the model log are fixed");
  }

  @Override
  public void close() {
    isClosed = true;
    follow();
    LockSupport.unpark(applier);
  }
}
