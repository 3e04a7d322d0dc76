package dev.floe.sim.mutant;

import dev.floe.core.wire.HandlerTable;
import dev.floe.meta.client.RetryPolicy;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.state.StateConfig;
import java.time.Duration;

/// A planted defect: production's parts, wrapped so that they do wrong. The seams are those that
/// every process takes its surroundings through, so production code stays as it is.
public interface Mutation {
  /// No defect.
  Mutation NONE =
      new Mutation() {
        @Override
        public String toString() {
          return "none";
        }
      };

  /// The name on the command line.
  @Override
  String toString();

  /// What a master takes for its log.
  ///
  /// @param readTtl how long its read leases last
  default MaintainedLog log(MaintainedLog real, Duration readTtl) {
    return real;
  }

  /// What a store serves.
  default HandlerTable store(HandlerTable real) {
    return real;
  }

  /// The timeouts of the replicated state.
  default StateConfig state(StateConfig real) {
    return real;
  }

  /// How clients and stores repeat their calls to masters.
  default RetryPolicy retries(RetryPolicy real) {
    return real;
  }
}
