package dev.floe.store.local;

/// Where a demonstration tells what it does.
public interface StepLog {
  /// One line for people.
  void step(String line);
}
