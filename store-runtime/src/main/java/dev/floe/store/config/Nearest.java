package dev.floe.store.config;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// Finds what somebody meant to type.
final class Nearest {
  private Nearest() {}

  /// The known word closest to `word`, or null when none is close: more than a third of its letters
  /// (at least 2) would have to change.
  static @Nullable String of(String word, Collection<String> known) {
    String best = null;
    int bestDistance = Math.max(2, word.length() / 3) + 1;
    for (String candidate : known) {
      int distance = distance(word, candidate);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }

  /// Edits (insert, delete, replace, swap of neighbours) between two words.
  static int distance(String a, String b) {
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + cost);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      beforeLast = last;
      last = row;
    }
    return last[b.length()];
  }
}
