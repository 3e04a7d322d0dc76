package dev.floe.sim.mutant;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.log.MasterAddress;
import dev.floe.meta.log.Membership;
import dev.floe.meta.state.MetadataView;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A log that passes everything on, for mutants that do one thing wrong.
abstract class MutantLog implements MaintainedLog {
  private final MaintainedLog real;

  MutantLog(MaintainedLog real) {
    this.real = real;
  }

  @Override
  public void propose(CommandBatch batch, ProposalListener listener) {
    real.propose(batch, listener);
  }

  @Override
  public <T extends @Nullable Object> T read(Function<MetadataView, T> read, Deadline deadline) {
    return real.read(read, deadline);
  }

  @Override
  public MetadataView localView() {
    return real.localView();
  }

  @Override
  public AppliedDigest localDigest() {
    return real.localDigest();
  }

  @Override
  public Leadership leadership() {
    return real.leadership();
  }

  @Override
  public List<Member> members() {
    return real.members();
  }

  @Override
  public void onLeadership(LeadershipListener listener) {
    real.onLeadership(listener);
  }

  @Override
  public void requestSnapshot() {
    real.requestSnapshot();
  }

  @Override
  public long snapshotIndex() {
    return real.snapshotIndex();
  }

  @Override
  public long logStartIndex() {
    return real.logStartIndex();
  }

  @Override
  public boolean transferLeadership(String toNode, Deadline deadline) {
    return real.transferLeadership(toNode, deadline);
  }

  @Override
  public Membership membership() {
    return real.membership();
  }

  @Override
  public boolean isCommitted(Membership membership) {
    return real.isCommitted(membership);
  }

  @Override
  public boolean addMaster(Membership expected, MasterAddress added, Deadline deadline) {
    return real.addMaster(expected, added, deadline);
  }

  @Override
  public boolean removeMaster(Membership expected, String node, Deadline deadline) {
    return real.removeMaster(expected, node, deadline);
  }

  @Override
  public void close() {
    real.close();
  }

  private static CommandBatch mapped(CommandBatch batch, UnaryOperator<SessionCommand> change) {
    return new CommandBatch(
        batch.leaderTerm(),
        batch.leaderTimeMillis(),
        batch.commands().stream().map(change).toList());
  }

  /// Reads what is there while it believes that it leads.
  static final class StaleReads extends MutantLog {
    StaleReads(MaintainedLog real) {
      super(real);
    }

    @Override
    public <T extends @Nullable Object> T read(Function<MetadataView, T> read, Deadline deadline) {
      return leadership().isLeaderReady() ? read.apply(localView()) : super.read(read, deadline);
    }
  }

  /// Says that ends and removals are done when they are proposed.
  static final class EarlyAnswers extends MutantLog {
    EarlyAnswers(MaintainedLog real) {
      super(real);
    }

    @Override
    public void propose(CommandBatch batch, ProposalListener listener) {
      boolean isAnswered =
          leadership().isLeaderReady()
              && batch.commands().stream()
                  .allMatch(c -> c.command() instanceof MetadataCommand.PutEnd);
      if (!isAnswered) {
        super.propose(batch, listener);
        return;
      }
      super.propose(batch, new Ignored());
      listener.applied(
          localDigest().index() + 1,
          Collections.nCopies(batch.commands().size(), MetadataReply.Done.INSTANCE));
    }

    private record Ignored() implements ProposalListener {
      @Override
      public void applied(long index, List<MetadataReply> replies) {}

      @Override
      public void failed(FloeException error) {}
    }
  }

  /// For as long as an earlier leader's read leases may run it removes in spite of them.
  static final class ForgottenLeases extends MutantLog {
    private final long readTtlNanos;
    private volatile long ledSinceNanos;

    ForgottenLeases(MaintainedLog real, Duration readTtl) {
      super(real);
      this.readTtlNanos = readTtl.toNanos();
    }

    @Override
    public void onLeadership(LeadershipListener listener) {
      super.onLeadership(
          new LeadershipListener() {
            @Override
            public void leaderReady(long term) {
              ledSinceNanos = System.nanoTime();
              listener.leaderReady(term);
            }

            @Override
            public void notLeader() {
              listener.notLeader();
            }
          });
    }

    @Override
    public void propose(CommandBatch batch, ProposalListener listener) {
      boolean isFresh = System.nanoTime() - ledSinceNanos < readTtlNanos;
      super.propose(isFresh ? mapped(batch, ForgottenLeases::free) : batch, listener);
    }

    private static SessionCommand free(SessionCommand command) {
      return command.command() instanceof MetadataCommand.Remove remove
          ? new SessionCommand(
              command.session(),
              command.sequence(),
              command.answeredBelow(),
              new MetadataCommand.Remove(remove.id(), remove.isForced()))
          : command;
    }
  }

  /// Answers entries that hold nothing but a tick, and forgets them.
  static final class LostTicks extends MutantLog {
    LostTicks(MaintainedLog real) {
      super(real);
    }

    @Override
    public void propose(CommandBatch batch, ProposalListener listener) {
      boolean isTick =
          batch.commands().stream().allMatch(c -> c.command() instanceof MetadataCommand.Tick);
      if (isTick && leadership().isLeaderReady()) {
        listener.applied(localDigest().index(), List.of(MetadataReply.Done.INSTANCE));
      } else {
        super.propose(batch, listener);
      }
    }
  }

  /// Gives a command another number each time it comes.
  static final class NewNumbers extends MutantLog {
    private static final int NUMBERS = 8;

    NewNumbers(MaintainedLog real) {
      super(real);
    }

    @Override
    public void propose(CommandBatch batch, ProposalListener listener) {
      super.propose(mapped(batch, NewNumbers::renumbered), listener);
    }

    private static SessionCommand renumbered(SessionCommand command) {
      if (command.session() == null || command.sequence() == 0) {
        return command;
      }
      long now = System.nanoTime() / 1000 % NUMBERS;
      return new SessionCommand(
          command.session(),
          command.sequence() * NUMBERS + now,
          command.answeredBelow() * NUMBERS,
          command.command());
    }
  }
}
