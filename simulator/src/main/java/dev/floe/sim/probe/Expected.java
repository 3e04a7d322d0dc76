package dev.floe.sim.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a kind of run has to see: each point with the number of seeds in which it must have been seen
/// at least once. Fewer runs promise nothing about it.
///
/// The file `expected.txt` has lines `profile seeds point`, with `-` for a point that the profile
/// cannot see; `*` stands for every point of the profile that has no line of its own.
///
/// @param seeds by point; 0 when it is not expected
/// @param others for points without a number of their own; 0 when they are not expected
public record Expected(SortedMap<String, Long> seeds, long others) {
  private static final String FILE = "expected.txt";
  private static final int WORDS = 3;

  public Expected {
    seeds = Collections.unmodifiableSortedMap(new TreeMap<>(seeds));
  }

  /// All points are expected of any number of runs.
  public static final Expected EVERYTHING = new Expected(Collections.emptySortedMap(), 1);

  /// What the profile of that name has to see.
  public static Expected of(String profile) {
    try (InputStream in = Expected.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException(FILE + " is not on the class path");
      }
      return parse(profile, new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Reads the lines of a file.
  ///
  /// @throws IllegalArgumentException naming the line that is none
  static Expected parse(String profile, List<String> lines) {
    SortedMap<String, Long> seeds = new TreeMap<>();
    long others = 0;
    for (String line : lines) {
      String[] words = line.strip().split("\\s+", -1);
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (words.length != WORDS || !words[1].matches("-|[1-9][0-9]*")) {
        throw new IllegalArgumentException(
            "'"
                + line
                + "' is not 'profile seeds point', for example 'fleet 16 peer.circuit-open'");
      }
      if (words[0].equals(profile)) {
        long count = words[1].equals("-") ? 0 : Long.parseLong(words[1]);
        if (words[2].equals("*")) {
          others = count;
        } else {
          seeds.put(words[2], count);
        }
      }
    }
    return new Expected(seeds, others);
  }

  /// Whether so many runs have to have seen a point.
  public boolean isExpected(String point, long runs) {
    long needed = seeds.getOrDefault(point, others);
    return needed > 0 && runs >= needed;
  }
}
