package dev.floe.sim.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which operations of the clients a run has: all that fit into its time, or chosen ones.
///
/// @param isAll every operation; `chosen` is empty then
/// @param chosen the operations to be done
public record Operations(boolean isAll, SortedSet<Operation> chosen) {
  /// Every operation.
  public static final Operations ALL = new Operations(true, new TreeSet<>());

  public Operations {
    if (isAll && !chosen.isEmpty()) {
      throw new IllegalArgumentException("all operations leave no choice of " + chosen.size());
    }
    chosen = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(chosen));
  }

  /// The operation of a worker with a number; what it does follows from the seed and both.
  ///
  /// @param worker a thread of a client's life, for example `c1.0-w2`
  /// @param number of the worker's turn, from 0 on
  public record Operation(String worker, int number) implements Comparable<Operation> {
    @Override
    public int compareTo(Operation other) {
      int byWorker = worker.compareTo(other.worker);
      return byWorker != 0 ? byWorker : Integer.compare(number, other.number);
    }
  }

  /// Only these.
  public static Operations of(Collection<Operation> operations) {
    return new Operations(false, new TreeSet<>(operations));
  }

  /// Whether a worker does something at its turn.
  public boolean includes(String worker, int number) {
    return isAll || chosen.contains(new Operation(worker, number));
  }

  /// The chosen ones as lines `WORKER N,N,N..N`; none for all.
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (String worker : new TreeSet<>(chosen.stream().map(Operation::worker).toList())) {
      List<String> numbers =
          chosen.stream()
              .filter(o -> o.worker.equals(worker))
              .map(o -> Integer.toString(o.number))
              .toList();
      lines.add(worker + " " + String.join(",", numbers));
    }
    return lines;
  }
}
