package dev.floe.meta.state;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.Segment;
import dev.floe.meta.place.RangeAllocator;
import dev.floe.meta.state.table.Abandoned;
import dev.floe.meta.state.table.Counters;
import dev.floe.meta.state.table.SessionRecord;
import java.util.List;

/// Builds a state from the records of a snapshot, in any order, and believes none of them: the
/// state comes out only when everything in it fits together and its digest is the one that was
/// written.
public final class StateRestorer {
  private final StateParts parts = new StateParts();
  private final StateConfig config;
  private final DigestMismatchListener listener;

  public StateRestorer(StateConfig config, DigestMismatchListener listener) {
    this.config = config;
    this.listener = listener;
  }

  /// What stands beside the records.
  public void header(long appliedIndex, long timeMillis, Counters counters) {
    parts.appliedIndex = appliedIndex;
    parts.timeMillis = timeMillis;
    parts.counters = counters;
  }

  public void runtime(RuntimeRecord runtime) {
    if (parts.runtimes.get(runtime.id()) != null) {
      throw corrupt("runtime " + runtime.id() + " is there twice");
    }
    parts.runtimes.put(runtime);
  }

  /// @param allocator made with the segment's capacity and its number as salt
  public void segment(Segment segment, RangeAllocator allocator) {
    if (parts.segments.get(segment.id()) != null
        || parts.segments.find(segment.runtime(), segment.name()) != null) {
      throw corrupt(segment.id() + ", '" + segment.name() + "', is there twice");
    }
    parts.segments.add(segment, allocator);
  }

  public void route(ObjectRoute route) {
    if (parts.objects.get(route.id()) != null) {
      throw corrupt("object " + route.id() + " is there twice");
    }
    parts.objects.put(route);
  }

  public void abandoned(Abandoned abandoned) {
    parts.quarantine.add(abandoned);
  }

  public void session(SessionRecord session) {
    if (parts.sessions.contains(session.id())) {
      throw corrupt("session " + session.id() + " is there twice");
    }
    parts.sessions.restore(session);
  }

  /// The digest of what came so far.
  long digest() {
    return parts.digest();
  }

  /// The state.
  ///
  /// @param digest the digest that the snapshot names
  /// @throws FloeException `CORRUPT` naming what does not fit together
  public MetadataState finish(long digest) {
    if (parts.digest() != digest) {
      throw corrupt(
          String.format(
              "the records have digest %016x, the snapshot names %016x", parts.digest(), digest));
    }
    MetadataState state = new MetadataState(parts, config, listener);
    List<String> problems = StateChecker.check(state);
    if (!problems.isEmpty()) {
      throw corrupt(problems.size() + " things do not fit together, first " + problems.getFirst());
    }
    return state;
  }

  private static FloeException corrupt(String what) {
    return new FloeException(ErrorCode.CORRUPT, what);
  }
}
