package dev.floe.sim.mutant;

import dev.floe.core.wire.HandlerTable;
import dev.floe.meta.client.RetryPolicy;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.state.StateConfig;
import dev.floe.sim.check.Invariant;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/// The planted defects by name, each with the rules that must not survive it. Each is switched on for
/// a whole run.
public enum Mutant implements Mutation {
  /// A store gives whatever lies in the range, whichever token asks.
  SKIP_TOKEN_CHECK(Invariant.TOKEN_SAFETY) {
    @Override
    public HandlerTable store(HandlerTable real) {
      return TokenBlindStore.over(real);
    }
  },
  /// A master answers reads without making sure that it still leads.
  STALE_LEADER_READ(Invariant.LINEARIZABILITY) {
    @Override
    public MaintainedLog log(MaintainedLog real, Duration readTtl) {
      return new MutantLog.StaleReads(real);
    }
  },
  /// A master answers ends and removals before they are committed.
  ACK_BEFORE_COMMIT(Invariant.ACKED_DURABILITY) {
    @Override
    public MaintainedLog log(MaintainedLog real, Duration readTtl) {
      return new MutantLog.EarlyAnswers(real);
    }
  },
  /// A new leader does not honour read leases that its predecessor may have given.
  FORGET_LEASE_ON_FAILOVER(Invariant.READ_LEASE) {
    @Override
    public MaintainedLog log(MaintainedLog real, Duration readTtl) {
      return new MutantLog.ForgottenLeases(real, readTtl);
    }
  },
  /// A repeated command has its effect once more.
  NON_IDEMPOTENT_RETRY(Invariant.LINEARIZABILITY) {
    @Override
    public MaintainedLog log(MaintainedLog real, Duration readTtl) {
      return new MutantLog.NewNumbers(real);
    }
  },
  /// The leader takes its regular entry for done without having replicated it: time stands still in
  /// the state.
  TICK_NOT_REPLICATED(Invariant.LEAK) {
    @Override
    public MaintainedLog log(MaintainedLog real, Duration readTtl) {
      return new MutantLog.LostTicks(real);
    }
  },
  /// A store acknowledges one chunk in eight without writing it.
  ACK_WITHOUT_WRITING(Invariant.ACKED_OBJECT_LOST) {
    @Override
    public HandlerTable store(HandlerTable real) {
      return ForgetfulStore.over(real);
    }
  },
  /// The space of a write whose writer fell silent is free as soon as another may write the key.
  REUSE_WITHOUT_QUARANTINE(Invariant.OVERLAP) {
    @Override
    public StateConfig state(StateConfig real) {
      return new StateConfig(real.putDiscardMillis(), real.putDiscardMillis());
    }
  },
  /// Whoever is not answered asks again at once.
  RETRY_WITHOUT_PAUSE(Invariant.BOUNDED) {
    @Override
    public RetryPolicy retries(RetryPolicy real) {
      return new RetryPolicy(PAUSE, PAUSE, real.attemptMax());
    }
  };

  private static final Duration PAUSE = Duration.ofNanos(100_000);

  private final Invariant catcher;

  Mutant(Invariant catcher) {
    this.catcher = catcher;
  }

  /// The rules of which one must fail when this is planted.
  public Set<Invariant> catchers() {
    return Set.of(catcher);
  }

  /// The mutation of that name, or `none`.
  ///
  /// @throws IllegalArgumentException naming all
  public static Mutation named(String name) {
    if (name.equals(NONE.toString())) {
      return NONE;
    }
    for (Mutant mutant : values()) {
      if (mutant.toString().equals(name)) {
        return mutant;
      }
    }
    throw new IllegalArgumentException(
        "no mutant '" + name + "'; there are none, " + Arrays.toString(values()));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
