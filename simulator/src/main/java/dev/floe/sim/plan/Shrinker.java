package dev.floe.sim.plan;

import dev.floe.sim.plan.Operations.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// Makes a failing plan smaller: leaves out faults and operations, then lets faults end sooner, for
/// as long as the same failure comes. Delta debugging (Zeller, "Yesterday, my program worked").
public final class Shrinker {
  private static final long MILLIS_MIN = 20;

  private final Predicate<Plan> fails;
  private Plan best;

  /// @param failing where to begin
  /// @param fails whether a plan fails in the same way; `false` when no more is to be tried
  public Shrinker(Plan failing, Predicate<Plan> fails) {
    this.best = failing;
    this.fails = fails;
  }

  /// The smallest failing plan that was found.
  ///
  /// @param begun the operations that the failing run began
  /// @param likely those of `begun` that the failure is about; tried alone first
  public Plan shrink(Collection<Operation> begun, Collection<Operation> likely) {
    faults();
    List<Operation> left =
        best.operations().isAll() ? List.copyOf(begun) : List.copyOf(best.operations().chosen());
    if (likely.size() < left.size() && accept(withOperations(List.copyOf(likely)))) {
      left = List.copyOf(likely);
    }
    var _ = smaller(left, this::withOperations);
    // With fewer operations fewer faults may do.
    faults();
    shorter();
    return best;
  }

  private void faults() {
    var _ = smaller(best.faults(), faults -> best.withFaults(faults));
  }

  private Plan withOperations(List<Operation> chosen) {
    return best.withOperations(Operations.of(chosen));
  }

  private boolean accept(Plan candidate) {
    if (!fails.test(candidate)) {
      return false;
    }
    best = candidate;
    return true;
  }

  /// Leaves out as many items as possible, ever smaller parts at a time.
  private <T> List<T> smaller(List<T> items, Function<List<T>, Plan> plan) {
    if (items.isEmpty() || accept(plan.apply(List.of()))) {
      return List.of();
    }
    List<T> left = items;
    int parts = Math.min(2, left.size());
    while (left.size() > 1) {
      List<T> less = withoutOnePart(left, parts, plan);
      if (less.size() < left.size()) {
        left = less;
        parts = Math.clamp(parts - 1, 2, left.size() < 2 ? 2 : left.size());
      } else if (parts >= left.size()) {
        break;
      } else {
        parts = Math.min(left.size(), 2 * parts);
      }
    }
    return left;
  }

  private <T> List<T> withoutOnePart(List<T> items, int parts, Function<List<T>, Plan> plan) {
    for (int part = 0; part < parts; part++) {
      List<T> less = new ArrayList<>(items.subList(0, items.size() * part / parts));
      less.addAll(items.subList(items.size() * (part + 1) / parts, items.size()));
      if (accept(plan.apply(less))) {
        return less;
      }
    }
    return items;
  }

  private void shorter() {
    for (int i = 0; i < best.faults().size(); i++) {
      Fault fault = best.faults().get(i);
      while (fault.millis() > MILLIS_MIN) {
        fault = fault.withMillis(fault.millis() / 2);
        List<Fault> changed = new ArrayList<>(best.faults());
        changed.set(i, fault);
        if (!accept(best.withFaults(changed))) {
          break;
        }
      }
    }
  }
}
