package dev.floe.meta.place;

import dev.floe.meta.model.RuntimeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// One placement under way.
final class Placer {
  /// Runtimes looked at for each missing replica: enough to find a roomy one among many, few enough
  /// not to send every writer of a moment to the same one.
  private static final int SAMPLE_PER_REPLICA = 6;

  private final List<Candidate> ring;
  private final PlaceRequest request;
  private final long rangeBytes;
  private final List<Placed> placed = new ArrayList<>();

  Placer(List<Candidate> ring, PlaceRequest request) {
    this.ring = ring;
    this.request = request;
    this.rangeBytes = RangeAllocator.rangeBytes(request.sizeBytes());
  }

  List<Placed> placed() {
    return placed;
  }

  /// Where in the ring chance says to begin looking for a replica.
  private int start(int replica) {
    return (int) Long.remainderUnsigned(StableHash.add(request.seed(), replica), ring.size());
  }

  void tryPreferred() {
    for (RuntimeId runtime : request.preferred()) {
      int position = find(runtime);
      if (position >= 0) {
        tryOn(ring.get(position));
      }
    }
  }

  /// Tries, for each missing replica, the ring once around from another place.
  void tryAnywhere() {
    boolean isAnyLeft = !ring.isEmpty();
    while (isAnyLeft && !isComplete()) {
      int before = placed.size();
      int start = start(before);
      for (int i = 0; i < ring.size() && placed.size() == before; i++) {
        tryOn(ring.get((start + i) % ring.size()));
      }
      isAnyLeft = placed.size() > before;
    }
  }

  /// Tries a sample of the ring, largest share of free space first; equal ones as they come.
  void tryBestOfSample() {
    if (ring.isEmpty()) {
      return;
    }
    int missing = request.replicaCount() - placed.size();
    int size = Math.min(SAMPLE_PER_REPLICA * missing, ring.size());
    int start = start(placed.size());
    List<Scored> sample = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      Candidate candidate = ring.get((start + i) % ring.size());
      sample.add(new Scored(candidate, candidate.freeRatio()));
    }
    sample.sort(Comparator.comparingDouble(Scored::freeRatio).reversed());
    for (Scored scored : sample) {
      tryOn(scored.candidate());
    }
  }

  private boolean isComplete() {
    return placed.size() >= request.replicaCount();
  }

  private void tryOn(Candidate candidate) {
    if (isComplete() || isTaken(candidate.runtime())) {
      return;
    }
    SegmentSpace segment = candidate.roomiest(rangeBytes);
    if (segment == null) {
      return;
    }
    long offset = segment.allocate(request.sizeBytes());
    if (offset == RangeAllocator.NONE) {
      throw new IllegalStateException(segment.id() + " claims room for " + rangeBytes + " bytes");
    }
    placed.add(new Placed(candidate.runtime(), segment.id(), offset, rangeBytes));
  }

  private boolean isTaken(RuntimeId runtime) {
    for (Placed one : placed) {
      if (one.runtime().equals(runtime)) {
        return true;
      }
    }
    return false;
  }

  private int find(RuntimeId runtime) {
    int low = 0;
    int high = ring.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = ring.get(middle).runtime().compareTo(runtime);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  private record Scored(Candidate candidate, double freeRatio) {}
}
