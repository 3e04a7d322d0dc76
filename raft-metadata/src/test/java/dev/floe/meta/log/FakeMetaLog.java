package dev.floe.meta.log;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.MetadataView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A log in memory that works: applies to a real state, at once or when told to, and can fail in
/// the ways that a replicated log fails.
public final class FakeMetaLog implements MetaLog {
  private final Object lock = new Object();
  private final TermApplier applier;
  private final MetadataView view;
  private final List<CommandBatch> entries = new ArrayList<>();
  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private final List<Fault> faults = new ArrayList<>();
  private @Nullable LeadershipListener listener;
  private boolean isHolding;
  private boolean isLeading;
  private long term = 1;
  private long index;

  /// A log over a state.
  public static FakeMetaLog of(MetadataState state) {
    return new FakeMetaLog(state, state::apply);
  }

  private FakeMetaLog(MetadataView view, TermApplier applier) {
    this.view = view;
    this.applier = applier;
  }

  /// A log whose entries are answered by `applier`.
  public FakeMetaLog(MetadataView view, Applier applier) {
    this(view, (TermApplier) (term, index, batch) -> applier.apply(index, batch));
  }

  /// What becomes of the next proposal; several are used one after the other.
  public enum Fault {
    /// Applied, but the proposer learns only `UNKNOWN_OUTCOME`.
    LOST_REPLY,
    /// Not applied, and the proposer learns only `UNKNOWN_OUTCOME`.
    LOST_ENTRY,
    /// Refused with `NOT_LEADER`.
    NOT_LEADER,
    /// `propose` itself ends with an `Error`, as when memory runs out.
    ERROR
  }

  /// Applies entries.
  @FunctionalInterface
  public interface Applier {
    List<MetadataReply> apply(long index, CommandBatch batch);
  }

  private interface TermApplier {
    List<MetadataReply> apply(long term, long index, CommandBatch batch);
  }

  public void failNext(Fault fault) {
    synchronized (lock) {
      faults.add(fault);
    }
  }

  /// Keeps entries back until `release`.
  public void hold() {
    synchronized (lock) {
      isHolding = true;
    }
  }

  /// Applies the oldest entry that is kept back.
  public void releaseOne() {
    Runnable next;
    synchronized (lock) {
      next = held.remove();
    }
    next.run();
  }

  /// Applies all that is kept back, and later entries at once.
  public void release() {
    synchronized (lock) {
      isHolding = false;
    }
    while (true) {
      Runnable next;
      synchronized (lock) {
        next = held.poll();
      }
      if (next == null) {
        return;
      }
      next.run();
    }
  }

  public int heldEntries() {
    synchronized (lock) {
      return held.size();
    }
  }

  /// Every entry that was accepted, in order.
  public List<CommandBatch> entries() {
    synchronized (lock) {
      return List.copyOf(entries);
    }
  }

  /// The entries with commands of clients. Where leader services run, their ticks come in between at
  /// moments of their own, so tests that count or take the last look here.
  public List<CommandBatch> clientEntries() {
    return entries().stream()
        .filter(
            entry ->
                entry.commands().stream()
                    .anyMatch(c -> c.command() instanceof MetadataCommand.Client))
        .toList();
  }

  /// Begins a leadership; the listener is called before this returns.
  public void lead() {
    LeadershipListener to;
    synchronized (lock) {
      isLeading = true;
      term++;
      to = listener;
    }
    if (to != null) {
      to.leaderReady(term);
    }
  }

  /// Ends it.
  public void follow() {
    LeadershipListener to;
    synchronized (lock) {
      isLeading = false;
      to = listener;
    }
    if (to != null) {
      to.notLeader();
    }
  }

  @Override
  public void propose(CommandBatch batch, ProposalListener to) {
    Fault fault;
    synchronized (lock) {
      fault = faults.isEmpty() ? null : faults.removeFirst();
      if (fault == Fault.ERROR) {
        throw new AssertionError("fake: no memory left");
      }
      if (!isLeading || fault == Fault.NOT_LEADER) {
        fault = Fault.NOT_LEADER;
      } else if (fault != Fault.LOST_ENTRY) {
        entries.add(batch);
      }
      if (isHolding && fault != Fault.NOT_LEADER) {
        Fault kept = fault;
        held.add(() -> settle(batch, to, kept));
        return;
      }
    }
    settle(batch, to, fault);
  }

  private void settle(CommandBatch batch, ProposalListener to, @Nullable Fault fault) {
    if (fault == Fault.NOT_LEADER) {
      to.failed(new FloeException(ErrorCode.NOT_LEADER, "fake: not the leader"));
      return;
    }
    synchronized (this) {
      if (fault == Fault.LOST_ENTRY) {
        to.failed(new FloeException(ErrorCode.UNKNOWN_OUTCOME, "fake: entry lost"));
        return;
      }
      List<MetadataReply> replies = applier.apply(term, ++index, batch);
      if (fault == Fault.LOST_REPLY) {
        to.failed(new FloeException(ErrorCode.UNKNOWN_OUTCOME, "fake: reply lost"));
      } else {
        to.applied(index, replies);
      }
    }
  }

  @Override
  public <T extends @Nullable Object> T read(Function<MetadataView, T> read, Deadline deadline) {
    synchronized (lock) {
      if (!isLeading) {
        throw new FloeException(ErrorCode.NOT_LEADER, "fake: not the leader");
      }
    }
    return read.apply(view);
  }

  @Override
  public MetadataView localView() {
    return view;
  }

  @Override
  public AppliedDigest localDigest() {
    synchronized (this) {
      return view instanceof MetadataState state && index > 0
          ? new AppliedDigest(index, state.digest())
          : AppliedDigest.NONE;
    }
  }

  @Override
  public Leadership leadership() {
    synchronized (lock) {
      return new Leadership(term, isLeading, isLeading ? "m1" : null, null);
    }
  }

  @Override
  public List<Member> members() {
    return List.of(new Member("m1", "127.0.0.1:1", leadership().isLeaderReady(), index, null));
  }

  @Override
  public void onLeadership(LeadershipListener newListener) {
    boolean isReady;
    synchronized (lock) {
      listener = newListener;
      isReady = isLeading;
    }
    if (isReady) {
      newListener.leaderReady(term);
    }
  }

  @Override
  public void close() {
    follow();
  }
}
