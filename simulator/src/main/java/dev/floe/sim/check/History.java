package dev.floe.sim.check;

import dev.floe.meta.model.ObjectId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The operations of all clients by key, as the clients saw them.
public final class History {
  private static final int OPERATIONS_PER_KEY_MAX = 120;

  private final Map<String, List<RegisterOperation>> byKey = new TreeMap<>();
  private long undecided;
  private long checked;

  /// An operation came to its end, or was given up.
  public void add(ObjectId id, RegisterOperation operation) {
    byKey.computeIfAbsent(id.toString(), key -> new ArrayList<>()).add(operation);
  }

  /// Searches an order for every key whose history is small enough.
  ///
  /// @param timeline tells when objects were lost with their runtimes or evicted, which no client did
  public void check(Timeline timeline) {
    for (ObjectId id : timeline.keys()) {
      for (Timeline.Change change : timeline.changes(id)) {
        if (change.isLoss()) {
          add(
              id,
              new RegisterOperation(
                  change.atNanos(), change.atNanos(), RegisterOperation.ANY, 0, false, "loss"));
        }
      }
    }
    LinearizabilityChecker checker = new LinearizabilityChecker(100_000);
    byKey.forEach(
        (key, operations) -> {
          if (operations.size() > OPERATIONS_PER_KEY_MAX) {
            undecided++;
            return;
          }
          LinearizabilityChecker.Verdict verdict = checker.check(operations);
          Violation.unless(
              verdict != LinearizabilityChecker.Verdict.NOT_LINEARIZABLE,
              Invariant.LINEARIZABILITY,
              () -> "no order of the operations on " + key + " explains them: " + operations);
          if (verdict == LinearizabilityChecker.Verdict.UNDECIDED) {
            undecided++;
          } else {
            checked++;
          }
        });
  }

  /// Keys whose history was found linearizable.
  public long checked() {
    return checked;
  }

  /// Keys whose history was too large to tell.
  public long undecided() {
    return undecided;
  }
}
