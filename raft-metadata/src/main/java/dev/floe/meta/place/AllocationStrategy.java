package dev.floe.meta.place;

import dev.floe.meta.command.MetadataCommand.Strategy;
import java.util.List;

/// Chooses runtimes for the replicas of an object. Pure: the same ring, spaces and request give the
/// same answer.
///
/// Every strategy tries the preferred runtimes first, in their order, then its own choice, and at
/// last every other runtime, so that a replica is missing only when no runtime without one has
/// room. Two replicas never share a runtime. Within a runtime the segment with the largest share of
/// free space is used.
@FunctionalInterface
public interface AllocationStrategy {
  /// Takes ranges for up to `request.replicaCount()` replicas.
  ///
  /// @param ring runtimes that may get replicas, by id, each once
  /// @return ranges on different runtimes; empty when none has room, and then nothing was taken
  List<Placed> place(List<Candidate> ring, PlaceRequest request);

  /// The strategy that a command names.
  static AllocationStrategy of(Strategy strategy) {
    return switch (strategy) {
      case RANDOM -> AllocationStrategy::random;
      case FREE_RATIO_FIRST -> AllocationStrategy::freeRatioFirst;
    };
  }

  private static List<Placed> random(List<Candidate> ring, PlaceRequest request) {
    Placer placer = new Placer(ring, request);
    placer.tryPreferred();
    placer.tryAnywhere();
    return placer.placed();
  }

  private static List<Placed> freeRatioFirst(List<Candidate> ring, PlaceRequest request) {
    Placer placer = new Placer(ring, request);
    placer.tryPreferred();
    placer.tryBestOfSample();
    placer.tryAnywhere();
    return placer.placed();
  }
}
