package dev.floe.meta.place;

import dev.floe.core.error.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Gives out ranges of a segment: constant time, no fragmentation for uniform sizes, and a state
/// that can be written out and read back to the last detail. Hard state, on the applying thread.
///
/// A request is rounded up to its size class (`SizeClasses`), at least one granule. Free ranges of
/// a class, rounded down, form a list; bitmaps find the first class with a range that surely fits.
/// The head of that list is used, its remainder goes back to the head of its own list. Freed ranges
/// merge with free neighbours. Which range a request gets depends on the ranges and the order of
/// the lists alone, never on node numbers, so only these two are written out and hashed.
public final class RangeAllocator {
  /// The unit of all offsets and lengths.
  public static final long GRANULE_BYTES = SizeClasses.GRANULE_BYTES;

  /// What `allocate` returns when nothing fits.
  public static final long NONE = -1;

  private static final int NO_NODE = NodeTable.NONE;

  private final long capacityGranules;
  private final long salt;
  private final NodeTable nodes;
  private final NodeIndex usedByOffset;
  private final int[] heads;
  private final long[] nonEmpty;
  private int firstUnusedNode = NO_NODE;
  private int firstNode = NO_NODE;
  private long usedGranules;
  private long ranges;
  private long digest;

  /// An allocator with everything free.
  ///
  /// @param capacityBytes 0 to `Limits.SEGMENT_BYTES_MAX`; a part of a granule at the end is not
  ///     used
  /// @param salt makes the digests of equal allocators of two segments differ
  public RangeAllocator(long capacityBytes, long salt) {
    this(capacityBytes, salt, true);
  }

  private RangeAllocator(long capacityBytes, long salt, boolean isComplete) {
    if (capacityBytes < 0 || capacityBytes > Limits.SEGMENT_BYTES_MAX) {
      throw new IllegalArgumentException("capacity " + capacityBytes);
    }
    this.capacityGranules = capacityBytes / GRANULE_BYTES;
    this.salt = salt;
    nodes = new NodeTable();
    usedByOffset = new NodeIndex();
    heads = new int[SizeClasses.floor(capacityGranules) + 1];
    Arrays.fill(heads, NO_NODE);
    nonEmpty = new long[(heads.length + 63) / 64];
    if (isComplete && capacityGranules > 0) {
      link(append(NO_NODE, capacityGranules, false));
    }
  }

  /// An allocator without any range, for `RangeAllocatorBuilder`.
  static RangeAllocator incomplete(long capacityBytes, long salt) {
    return new RangeAllocator(capacityBytes, salt, false);
  }

  private RangeAllocator(RangeAllocator other) {
    capacityGranules = other.capacityGranules;
    salt = other.salt;
    nodes = other.nodes.copy();
    usedByOffset = other.usedByOffset;
    heads = other.heads.clone();
    nonEmpty = other.nonEmpty.clone();
    firstUnusedNode = other.firstUnusedNode;
    firstNode = other.firstNode;
    usedGranules = other.usedGranules;
    ranges = other.ranges;
    digest = other.digest;
  }

  /// An allocator that goes on from here, while this one stays as it is, for another thread to
  /// read. Cheap: pages are copied when the new one changes them. This one must not be changed any
  /// more.
  public RangeAllocator successor() {
    return new RangeAllocator(this);
  }

  /// How many bytes a request of `bytes` takes: rounded up to its size class, at least one granule.
  ///
  /// @param bytes 0 to `Limits.SEGMENT_BYTES_MAX`
  public static long rangeBytes(long bytes) {
    if (bytes < 0 || bytes > Limits.SEGMENT_BYTES_MAX) {
      throw new IllegalArgumentException("size " + bytes);
    }
    long granules = Math.max(1, (bytes + GRANULE_BYTES - 1) / GRANULE_BYTES);
    return SizeClasses.granules(SizeClasses.ceiling(granules)) * GRANULE_BYTES;
  }

  /// Takes a range of `rangeBytes(bytes)`.
  ///
  /// @return its offset in bytes, or `NONE`
  public long allocate(long bytes) {
    long need = rangeBytes(bytes) / GRANULE_BYTES;
    int sizeClass = firstNonEmptyFrom(SizeClasses.floor(need));
    if (sizeClass < 0) {
      return NONE;
    }
    int node = heads[sizeClass];
    unlink(node);
    long rest = nodes.size(node) - need;
    if (rest > 0) {
      int restNode = newNode(nodes.offset(node) + need, rest, false);
      int next = nodes.next(node);
      nodes.setNeighbours(restNode, node, next);
      if (next != NO_NODE) {
        nodes.setNeighbours(next, restNode, nodes.next(next));
      }
      nodes.setNeighbours(node, nodes.previous(node), restNode);
      nodes.setSize(node, need);
      link(restNode);
    }
    markUsed(node);
    return nodes.offset(node) * GRANULE_BYTES;
  }

  /// Gives a range back.
  ///
  /// @param offsetBytes as `allocate` returned it
  /// @return the range's length in bytes
  /// @throws IllegalStateException when no range begins there: the caller's books are wrong
  public long free(long offsetBytes) {
    int node =
        offsetBytes % GRANULE_BYTES == 0
            ? usedByOffset.remove(offsetBytes / GRANULE_BYTES)
            : NodeIndex.NONE;
    if (node == NodeIndex.NONE) {
      throw new IllegalStateException("no range begins at offset " + offsetBytes);
    }
    long freed = nodes.size(node);
    usedGranules -= freed;
    ranges--;
    nodes.setOffset(node, nodes.offset(node), false);
    int previous = nodes.previous(node);
    if (previous != NO_NODE && !nodes.isUsed(previous)) {
      unlink(previous);
      absorbNext(previous, node);
      node = previous;
    }
    int next = nodes.next(node);
    if (next != NO_NODE && !nodes.isUsed(next)) {
      unlink(next);
      absorbNext(node, next);
    }
    link(node);
    return freed * GRANULE_BYTES;
  }

  /// Bytes that can be given out at all: the capacity without a part of a granule.
  public long capacityBytes() {
    return capacityGranules * GRANULE_BYTES;
  }

  /// Bytes of the ranges that are given out.
  public long usedBytes() {
    return usedGranules * GRANULE_BYTES;
  }

  /// How many ranges are given out.
  public long ranges() {
    return ranges;
  }

  /// The largest request that fits: `allocate(bytes)` succeeds exactly when `rangeBytes(bytes)` is
  /// at most this.
  public long largestFreeBytes() {
    for (int word = nonEmpty.length - 1; word >= 0; word--) {
      if (nonEmpty[word] != 0) {
        int sizeClass = word * 64 + 63 - Long.numberOfLeadingZeros(nonEmpty[word]);
        return SizeClasses.granules(sizeClass) * GRANULE_BYTES;
      }
    }
    return 0;
  }

  /// A digest of the free ranges and their order, which with the capacity determine every future
  /// answer. O(1).
  public long digest() {
    return digest;
  }

  /// Visits all ranges, used and free, by offset.
  public void forEachRange(RangeVisitor visitor) {
    for (int node = firstNode; node != NO_NODE; node = nodes.next(node)) {
      visitor.range(
          nodes.offset(node) * GRANULE_BYTES, nodes.size(node) * GRANULE_BYTES, nodes.isUsed(node));
    }
  }

  /// Visits the offsets of the free ranges list by list, each in its order.
  public void forEachFree(FreeVisitor visitor) {
    for (int head : heads) {
      for (int node = head; node != NO_NODE; node = nodes.linkNext(node)) {
        visitor.free(nodes.offset(node) * GRANULE_BYTES);
      }
    }
  }

  /// What is wrong inside: neighbours, lists, bitmaps, sums, digest. Empty when nothing is.
  public List<String> verify() {
    List<String> problems = new ArrayList<>();
    long end = 0;
    long free = 0;
    long used = 0;
    int before = NO_NODE;
    for (int node = firstNode; node != NO_NODE; node = nodes.next(node)) {
      long at = nodes.offset(node);
      check(problems, at == end, at, "does not follow the range before");
      check(problems, nodes.previous(node) == before, at, "names another range as the one before");
      check(problems, nodes.size(node) > 0, at, "is empty");
      if (nodes.isUsed(node)) {
        used += nodes.size(node);
        check(problems, usedByOffset.get(at) == node, at, "is not in the index");
      } else {
        free++;
        boolean isAlone = before == NO_NODE || nodes.isUsed(before);
        check(problems, isAlone, at, "is free beside another free range");
      }
      end = at + nodes.size(node);
      before = node;
    }
    check(problems, end == capacityGranules, end, "is not the end of the segment");
    check(problems, used == usedGranules, used, "granules are used, but others are counted");
    verifyLists(problems, free);
    return problems;
  }

  private void verifyLists(List<String> problems, long free) {
    long listed = 0;
    long hashes = 0;
    for (int sizeClass = 0; sizeClass < heads.length; sizeClass++) {
      boolean isMarked = (nonEmpty[sizeClass >>> 6] & 1L << sizeClass) != 0;
      boolean isListed = heads[sizeClass] != NO_NODE;
      check(problems, isMarked == isListed, sizeClass, "is a class with a wrong bit");
      for (int node = heads[sizeClass]; node != NO_NODE; node = nodes.linkNext(node)) {
        listed++;
        hashes += hash(node);
        boolean isRight = !nodes.isUsed(node) && SizeClasses.floor(nodes.size(node)) == sizeClass;
        check(problems, isRight, nodes.offset(node), "is in the list of another class");
      }
    }
    check(problems, listed == free, listed, "free ranges are listed, but others are there");
    check(problems, hashes == digest, hashes, "is the digest of the lists, but another is kept");
  }

  private static void check(List<String> problems, boolean holds, long where, String problem) {
    if (!holds && problems.size() < 100) {
      problems.add(where + " " + problem);
    }
  }

  // Building blocks, also for the builder.

  int newNode(long offset, long size, boolean isUsed) {
    int node;
    if (firstUnusedNode == NO_NODE) {
      node = nodes.add();
    } else {
      node = firstUnusedNode;
      firstUnusedNode = nodes.next(node);
    }
    nodes.setOffset(node, offset, isUsed);
    nodes.setSize(node, size);
    nodes.setNeighbours(node, NO_NODE, NO_NODE);
    return node;
  }

  /// Puts a new node behind the last one; for the builder.
  int append(int last, long size, boolean isUsed) {
    long offset = last == NO_NODE ? 0 : nodes.offset(last) + nodes.size(last);
    int node = newNode(offset, size, false);
    nodes.setNeighbours(node, last, NO_NODE);
    if (last == NO_NODE) {
      firstNode = node;
    } else {
      nodes.setNeighbours(last, nodes.previous(last), node);
    }
    if (isUsed) {
      markUsed(node);
    }
    return node;
  }

  void link(int node) {
    int sizeClass = SizeClasses.floor(nodes.size(node));
    int head = heads[sizeClass];
    nodes.setLinks(node, NO_NODE, head);
    if (head != NO_NODE) {
      nodes.setLinks(head, node, nodes.linkNext(head));
    }
    heads[sizeClass] = node;
    nonEmpty[sizeClass >>> 6] |= 1L << sizeClass;
    digest += hash(node);
  }

  private void unlink(int node) {
    digest -= hash(node);
    int previous = nodes.linkPrevious(node);
    int next = nodes.linkNext(node);
    if (previous == NO_NODE) {
      int sizeClass = SizeClasses.floor(nodes.size(node));
      heads[sizeClass] = next;
      if (next == NO_NODE) {
        nonEmpty[sizeClass >>> 6] &= ~(1L << sizeClass);
      }
    } else {
      digest -= hash(previous);
      nodes.setLinks(previous, nodes.linkPrevious(previous), next);
      digest += hash(previous);
    }
    if (next != NO_NODE) {
      nodes.setLinks(next, previous, nodes.linkNext(next));
    }
  }

  private void markUsed(int node) {
    nodes.setOffset(node, nodes.offset(node), true);
    usedByOffset.put(nodes.offset(node), node);
    usedGranules += nodes.size(node);
    ranges++;
  }

  private void absorbNext(int node, int next) {
    nodes.setSize(node, nodes.size(node) + nodes.size(next));
    int afterNext = nodes.next(next);
    nodes.setNeighbours(node, nodes.previous(node), afterNext);
    if (afterNext != NO_NODE) {
      nodes.setNeighbours(afterNext, node, nodes.next(afterNext));
    }
    nodes.setNeighbours(next, NO_NODE, firstUnusedNode);
    firstUnusedNode = next;
  }

  private int firstNonEmptyFrom(int sizeClass) {
    if (sizeClass >= heads.length) {
      return -1;
    }
    int word = sizeClass >>> 6;
    long bits = nonEmpty[word] & -1L << sizeClass;
    while (bits == 0) {
      if (++word == nonEmpty.length) {
        return -1;
      }
      bits = nonEmpty[word];
    }
    return word * 64 + Long.numberOfTrailingZeros(bits);
  }

  private long hash(int node) {
    int next = nodes.linkNext(node);
    long hash = StableHash.add(salt, nodes.offset(node));
    hash = StableHash.add(hash, nodes.size(node));
    return StableHash.add(hash, next == NO_NODE ? -1 : nodes.offset(next));
  }

  /// Told of each range.
  @FunctionalInterface
  public interface RangeVisitor {
    void range(long offsetBytes, long lengthBytes, boolean isUsed);
  }

  /// Told of each free range.
  @FunctionalInterface
  public interface FreeVisitor {
    void free(long offsetBytes);
  }
}
