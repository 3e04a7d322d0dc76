package dev.floe.sim.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Searches for an order of the operations on one key that respects real time and the register,
/// without help from the log (Wing and Gong 1993, with the memory of visited states of Lowe 2017).
///
/// Operations of unknown outcome stay open to the end and may be left out.
public final class LinearizabilityChecker {
  private final int statesMax;

  /// What the search found.
  public enum Verdict {
    LINEARIZABLE,
    NOT_LINEARIZABLE,
    /// The search was given up.
    UNDECIDED
  }

  /// @param statesMax states to visit before giving up
  public LinearizabilityChecker(int statesMax) {
    this.statesMax = statesMax;
  }

  /// Judges a history of one key that starts with nothing in the register.
  public Verdict check(List<RegisterOperation> history) {
    List<RegisterOperation> operations = new ArrayList<>(history);
    operations.sort(Comparator.comparingLong(RegisterOperation::invokeNanos));
    Set<Node> visited = new HashSet<>();
    ArrayDeque<Node> open = new ArrayDeque<>();
    Node start = new Node(new BitSet(operations.size()), 0);
    open.push(start);
    visited.add(start);
    while (!open.isEmpty()) {
      Node node = open.pop();
      if (isComplete(operations, node.done)) {
        return Verdict.LINEARIZABLE;
      }
      if (visited.size() > statesMax) {
        return Verdict.UNDECIDED;
      }
      expand(operations, node, visited, open);
    }
    return Verdict.NOT_LINEARIZABLE;
  }

  private static void expand(
      List<RegisterOperation> operations, Node node, Set<Node> visited, ArrayDeque<Node> open) {
    long earliestReturn = Long.MAX_VALUE;
    for (int i = node.done.nextClearBit(0);
        i < operations.size();
        i = node.done.nextClearBit(i + 1)) {
      earliestReturn = Math.min(earliestReturn, operations.get(i).returnNanos());
    }
    List<Node> next = new ArrayList<>();
    for (int i = node.done.nextClearBit(0);
        i < operations.size();
        i = node.done.nextClearBit(i + 1)) {
      RegisterOperation operation = operations.get(i);
      if (operation.invokeNanos() > earliestReturn) {
        break;
      }
      if (operation.fits(node.value)) {
        BitSet done = (BitSet) node.done.clone();
        done.set(i);
        Node reached = new Node(done, operation.after(node.value));
        if (visited.add(reached)) {
          next.add(reached);
        }
      }
    }
    // The operation that began first is tried first: it is right most of the time.
    next.reversed().forEach(open::push);
  }

  private static boolean isComplete(List<RegisterOperation> operations, BitSet done) {
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      if (!operations.get(i).mayBeMissing()) {
        return false;
      }
    }
    return true;
  }

  private record Node(BitSet done, long value) {}
}
