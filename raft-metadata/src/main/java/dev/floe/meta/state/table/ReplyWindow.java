package dev.floe.meta.state.table;

import dev.floe.meta.command.MetadataReply;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The replies of one session that its client may not have yet, by sequence. Hard state; on the
/// applying thread.
///
/// Commands come nearly in the order of their sequences and their replies are forgotten from the
/// front, so sorted arrays with a moving start do: both ends cost O(1), a late sequence a shift.
final class ReplyWindow {
  private static final int INITIAL = 2;

  private long[] sequences;
  private long[] hashes;
  private @Nullable MetadataReply[] replies;
  private int start;
  private int end;

  ReplyWindow() {
    sequences = new long[INITIAL];
    hashes = new long[INITIAL];
    replies = new MetadataReply[INITIAL];
  }

  /// A copy that changes on its own.
  ReplyWindow(ReplyWindow other) {
    sequences = Arrays.copyOfRange(other.sequences, other.start, other.end);
    hashes = Arrays.copyOfRange(other.hashes, other.start, other.end);
    replies = Arrays.copyOfRange(other.replies, other.start, other.end);
    end = sequences.length;
  }

  @Nullable MetadataReply get(long sequence) {
    int place = Arrays.binarySearch(sequences, start, end, sequence);
    return place < 0 ? null : replies[place];
  }

  /// Adds the reply of a sequence that has none.
  ///
  /// @param hash the reply's part of the state's digest
  /// @return false when there is one already
  boolean add(long sequence, MetadataReply reply, long hash) {
    int found = Arrays.binarySearch(sequences, start, end, sequence);
    if (found >= 0) {
      return false;
    }
    int place = -found - 1;
    if (end == sequences.length) {
      place -= start;
      makeRoom();
    }
    System.arraycopy(sequences, place, sequences, place + 1, end - place);
    System.arraycopy(hashes, place, hashes, place + 1, end - place);
    System.arraycopy(replies, place, replies, place + 1, end - place);
    sequences[place] = sequence;
    hashes[place] = hash;
    replies[place] = reply;
    end++;
    return true;
  }

  /// Forgets all replies of sequences below `sequence`.
  ///
  /// @return the sum of their hashes
  long forgetBelow(long sequence) {
    long sum = 0;
    while (start < end && sequences[start] < sequence) {
      sum += hashes[start];
      replies[start] = null;
      start++;
    }
    if (start == end) {
      start = 0;
      end = 0;
    }
    return sum;
  }

  /// The sum of all hashes. O(replies).
  long hash() {
    long sum = 0;
    for (int i = start; i < end; i++) {
      sum += hashes[i];
    }
    return sum;
  }

  /// The replies by sequence, as they are now.
  SortedMap<Long, MetadataReply> toMap() {
    SortedMap<Long, MetadataReply> map = new TreeMap<>();
    for (int i = start; i < end; i++) {
      map.put(sequences[i], replies[i]);
    }
    return map;
  }

  /// Moves the content to the front of arrays with at least one free place.
  private void makeRoom() {
    int count = end - start;
    int capacity = Math.max(INITIAL, count < sequences.length / 2 ? sequences.length : count * 2);
    long[] movedSequences = new long[capacity];
    long[] movedHashes = new long[capacity];
    @Nullable MetadataReply[] movedReplies = new MetadataReply[capacity];
    System.arraycopy(sequences, start, movedSequences, 0, count);
    System.arraycopy(hashes, start, movedHashes, 0, count);
    System.arraycopy(replies, start, movedReplies, 0, count);
    sequences = movedSequences;
    hashes = movedHashes;
    replies = movedReplies;
    start = 0;
    end = count;
  }
}
