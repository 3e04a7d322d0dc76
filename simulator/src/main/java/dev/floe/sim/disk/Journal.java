package dev.floe.sim.disk;

import dev.floe.sim.disk.Node.DirectoryNode;
import dev.floe.sim.disk.Node.FileNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Changes of names that are not on the medium yet, in order. `DiskOptions.Names` says what makes
/// them durable.
final class Journal {
  private final DiskOptions.Names rules;
  private final List<Step> steps = new ArrayList<>();

  Journal(DiskOptions.Names rules) {
    this.rules = rules;
  }

  /// One entry of a directory gets another meaning.
  ///
  /// @param node null when the name goes
  record Change(DirectoryNode directory, String name, @Nullable Node node) {
    private void apply() {
      if (node == null) {
        directory.durable.remove(name);
      } else {
        directory.durable.put(name, node);
      }
    }
  }

  /// Changes that become durable together.
  private record Step(Node subject, boolean isCreation, List<Change> changes) {
    void apply() {
      changes.forEach(Change::apply);
    }

    boolean touches(DirectoryNode directory) {
      return subject == directory || changes.stream().anyMatch(c -> c.directory() == directory);
    }
  }

  void add(Node subject, boolean isCreation, Change... changes) {
    steps.add(new Step(subject, isCreation, List.of(changes)));
  }

  int size() {
    return steps.size();
  }

  /// What forcing a file makes durable.
  void force(FileNode file, boolean withMetadata) {
    if (rules == DiskOptions.Names.JOURNALED) {
      int last = steps.size() - 1;
      while (last >= 0
          && !(steps.get(last).subject() == file
              && (withMetadata || steps.get(last).isCreation()))) {
        last--;
      }
      applyFirst(last + 1);
    }
  }

  /// What forcing a directory makes durable.
  void force(DirectoryNode directory) {
    switch (rules) {
      case JOURNALED -> {
        int last = steps.size() - 1;
        while (last >= 0 && !steps.get(last).touches(directory)) {
          last--;
        }
        applyFirst(last + 1);
      }
      case POSIX -> {
        for (Iterator<Step> i = steps.iterator(); i.hasNext(); ) {
          Step step = i.next();
          if (step.changes().stream().anyMatch(c -> c.directory() == directory)) {
            step.apply();
            i.remove();
          }
        }
      }
    }
  }

  private void applyFirst(int count) {
    List<Step> first = steps.subList(0, count);
    first.forEach(Step::apply);
    first.clear();
  }

  /// Some of the rest survives; nothing is pending then.
  void powerLoss(PowerLoss loss, SplittableRandom random) {
    switch (rules) {
      case JOURNALED ->
          applyFirst(
              loss.survivors() == PowerLoss.Survivors.NONE || steps.isEmpty()
                  ? 0
                  : random.nextInt(steps.size() + 1));
      case POSIX -> {
        for (Step step : steps) {
          if (loss.survivors() != PowerLoss.Survivors.NONE && random.nextBoolean()) {
            step.apply();
          }
        }
      }
    }
    steps.clear();
  }
}
