package dev.floe.sim.fleet;

import dev.floe.core.wire.HandlerTable;
import dev.floe.meta.log.MaintainedLog;
import java.util.Arrays;
import java.util.Locale;

/// The planted defects by name. Each is switched on for a whole run.
public enum Mutant implements Mutation {
  /// A store gives whatever lies in the range, whichever token asks.
  SKIP_TOKEN_CHECK {
    @Override
    public HandlerTable store(HandlerTable real) {
      return TokenBlindStore.over(real);
    }
  },
  /// A master answers reads without making sure that it still leads.
  STALE_LEADER_READ {
    @Override
    public MaintainedLog log(MaintainedLog real) {
      return new MutantLog.StaleReads(real);
    }
  },
  /// A master answers ends and removals before they are committed.
  ACK_BEFORE_COMMIT {
    @Override
    public MaintainedLog log(MaintainedLog real) {
      return new MutantLog.EarlyAnswers(real);
    }
  },
  /// A new leader does not honour read leases that its predecessor may have given.
  FORGET_LEASE_ON_FAILOVER {
    @Override
    public MaintainedLog log(MaintainedLog real) {
      return new MutantLog.ForgottenLeases(real);
    }
  },
  /// A repeated command has its effect once more.
  NON_IDEMPOTENT_RETRY {
    @Override
    public MaintainedLog log(MaintainedLog real) {
      return new MutantLog.NewNumbers(real);
    }
  };

  /// The mutation of that name, or `none`.
  ///
  /// @throws IllegalArgumentException naming all
  static Mutation named(String name) {
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
