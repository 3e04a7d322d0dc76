package dev.floe.sim.check;

import com.google.protobuf.ByteString;
import dev.floe.core.time.Ticker;
import dev.floe.meta.codec.CommandCodec;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateChecker;
import dev.floe.meta.state.StateConfig;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One more replica that nothing can break: it applies each entry when the first master does, and
/// every master is compared with it.
///
/// An index has one term, one entry and leads to one digest on all masters and in all their lives;
/// within a life indexes only grow. What the replies and the state must be is checked by
/// `CommandOracle`, the state as a whole by `StateChecker` every so many entries. The oracles of
/// clients and stores ask it what the log says.
public final class Witness {
  private static final int CHECKPOINT_ENTRIES = 200;

  private final MetadataState state;
  private final CommandOracle commands;
  private final Map<Long, Applied> byIndex = new HashMap<>();
  private final Map<String, Long> lastOfLife = new HashMap<>();
  private long applies;
  private long checkpoints;
  private long maxTerm;

  private record Applied(long term, int entryHash, long digest, String life) {}

  /// A witness of a cluster.
  ///
  /// @param state takes the entries; empty
  /// @param config the timeouts that the cluster has to keep
  public Witness(MetadataState state, StateConfig config, Situations situations, Ticker ticker) {
    this.state = state;
    this.commands = new CommandOracle(config, situations, ticker);
  }

  /// A master applied an entry.
  ///
  /// @param life the master's process, e.g. `m1.2`
  /// @param entry the entry's bytes
  /// @param digest of the master's state after it
  /// @throws Violation when it differs from what others applied or from what is right
  public void applied(String life, long term, long index, ByteBuffer entry, long digest) {
    applies++;
    maxTerm = Math.max(maxTerm, term);
    Long last = lastOfLife.put(life, index);
    Violation.unless(
        last == null || index > last,
        Invariant.STATE_MACHINE_SAFETY,
        () -> life + " applied index " + index + " after " + last);
    Applied now = new Applied(term, entry.hashCode(), digest, life);
    Applied first = byIndex.putIfAbsent(index, now);
    if (first == null) {
      take(now, index, entry);
    } else {
      Violation.unless(
          first.term == term && first.entryHash == now.entryHash && first.digest == digest,
          Invariant.STATE_MACHINE_SAFETY,
          () -> "index " + index + " is " + first + " and " + now);
    }
  }

  private void take(Applied now, long index, ByteBuffer entry) {
    Violation.unless(
        index > state.appliedIndex(),
        Invariant.STATE_MACHINE_SAFETY,
        () -> now + " is at index " + index + ", but " + state.appliedIndex() + " was applied");
    CommandBatch batch = CommandCodec.decode(ByteString.copyFrom(entry.duplicate()));
    List<MetadataReply> replies = state.apply(now.term, index, batch);
    commands.applied(new CommandOracle.Entry(now.term, index, batch), replies, state);
    Violation.unless(
        state.digest() == now.digest,
        Invariant.STATE_MACHINE_SAFETY,
        () ->
            String.format(
                "%s has digest %016x after index %d, the witness %016x",
                now.life, now.digest, index, state.digest()));
    if (byIndex.size() % CHECKPOINT_ENTRIES == 0) {
      checkState();
    }
  }

  /// Checks everything that must hold in the state as it is now.
  public void checkState() {
    checkpoints++;
    List<String> problems = StateChecker.check(state);
    Violation.unless(
        problems.isEmpty(),
        Invariant.ACCOUNTING,
        () -> "at index " + state.appliedIndex() + ": " + problems);
    commands.checkAll(state);
  }

  /// The state that all masters should have.
  public MetadataState state() {
    return state;
  }

  public CommandOracle commands() {
    return commands;
  }

  /// When each key became readable and ceased to be.
  public Timeline timeline() {
    return commands.timeline();
  }

  /// Applies seen, of all masters.
  public long applies() {
    return applies;
  }

  /// How often the whole state was checked.
  public long checkpoints() {
    return checkpoints;
  }

  /// The highest term seen.
  public long maxTerm() {
    return maxTerm;
  }
}
