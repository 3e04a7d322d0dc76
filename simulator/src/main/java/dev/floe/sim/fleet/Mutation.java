package dev.floe.sim.fleet;

import dev.floe.core.wire.HandlerTable;
import dev.floe.meta.log.MaintainedLog;

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
  default MaintainedLog log(MaintainedLog real) {
    return real;
  }

  /// What a store serves.
  default HandlerTable store(HandlerTable real) {
    return real;
  }
}
