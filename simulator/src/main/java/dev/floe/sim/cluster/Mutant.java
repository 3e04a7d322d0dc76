package dev.floe.sim.cluster;

import dev.floe.sim.check.Invariant;
import java.util.Set;

/// Planted bugs: each must be found by some oracle within a budget of seeds, else the net has a
/// hole.
public enum Mutant {
  /// `PutEnd` completes whatever write is current, whichever tokens it names.
  PUT_END_IGNORES_TOKENS(Invariant.TOKEN_SAFETY),
  /// `PutRevoke` revokes whatever write is current.
  PUT_REVOKE_IGNORES_TOKENS(Invariant.TOKEN_SAFETY),
  /// A retried command takes effect again.
  SESSION_DUPLICATE_APPLIED_AGAIN(Invariant.EXACTLY_ONCE),
  /// Space of writers that fell silent is free at once.
  QUARANTINE_FORGOTTEN(Invariant.OVERLAP),
  /// A node applies with its own clock in place of the entry's time.
  APPLY_READS_LOCAL_CLOCK(Invariant.STATE_MACHINE_SAFETY),
  /// A snapshot lacks the last entry that it claims to hold.
  SNAPSHOT_LACKS_LAST_ENTRY(Invariant.STATE_MACHINE_SAFETY),
  /// A runtime takes writes with tokens that are too old.
  RUNTIME_TAKES_STALE_WRITES(Invariant.TOKEN_SAFETY),
  /// A runtime serves reads whose token did not fill the range.
  RUNTIME_SERVES_WRONG_TOKENS(Invariant.WRONG_BYTES),
  /// A leader answers when it has appended, before the entry is committed.
  LEADER_ANSWERS_BEFORE_COMMIT(Invariant.ACKED_DURABILITY),
  /// A restarted node lacks the last entry of its log.
  RESTART_LOSES_LAST_ENTRY(Invariant.STATE_MACHINE_SAFETY),
  /// A leader serves reads without its lease.
  READS_WITHOUT_LEADER_LEASE(Invariant.LINEARIZABILITY),
  /// What a leader decided is applied in a later leadership too.
  DECISIONS_OUTLIVE_THEIR_TERM(Invariant.COMMAND_SEMANTICS);

  private final Invariant catcher;

  Mutant(Invariant catcher) {
    this.catcher = catcher;
  }

  /// The rules of which one must fail when this is planted.
  public Set<Invariant> catchers() {
    return Set.of(catcher);
  }
}
