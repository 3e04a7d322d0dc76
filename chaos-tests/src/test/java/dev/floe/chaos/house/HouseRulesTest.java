package dev.floe.chaos.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What no compiler checks about the source: rooms have signs, files stay small, nothing is left half done.
class HouseRulesTest {
  private static final int LINES_MAX = 500;
  private static final int CLASSES_MAX = 20;

  /// Packages that are to be split, and how large they may be until then.
  private static final Map<String, Integer> LARGER_PACKAGES =
      Map.of(
          "dev/floe/meta/model", 22,
          "dev/floe/sim/cluster", 33,
          "dev/floe/sim/fleet", 25,
          "dev/floe/sim/check", 26);

  private static final List<String> MODULES =
      List.of(
          "core",
          "raft-metadata",
          "nof-bindings",
          "store-runtime",
          "simulator",
          "chaos-tests",
          "benchmarks");

  @Test
  void everyPackageSaysWhatItIsFor() throws IOException {
    List<Path> silent = new ArrayList<>();
    for (Path file : sources("main")) {
      Path sign = file.resolveSibling("package-info.java");
      if (!Files.exists(sign)) {
        silent.add(file);
      }
    }
    assertThat(silent).as("files in packages without package-info.java").isEmpty();
  }

  @Test
  void noSourceFileIsLongerThanAReaderBears() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path file : sources("main")) {
      int lines = Files.readAllLines(file).size();
      if (lines > LINES_MAX) {
        tooLong.add(file + ": " + lines);
      }
    }
    assertThat(tooLong).as("files over %d lines: each is more than one thing", LINES_MAX).isEmpty();
  }

  @Test
  void noPackageHoldsMoreThanANewcomerRemembers() throws IOException {
    Map<Path, Integer> sizes = new TreeMap<>();
    for (Path file : sources("main")) {
      if (!file.endsWith("package-info.java")) {
        sizes.merge(file.getParent(), 1, Integer::sum);
      }
    }
    List<String> tooLarge = new ArrayList<>();
    sizes.forEach(
        (folder, size) -> {
          int max =
              LARGER_PACKAGES.entrySet().stream()
                  .filter(larger -> folder.endsWith(larger.getKey()))
                  .mapToInt(Map.Entry::getValue)
                  .findFirst()
                  .orElse(CLASSES_MAX);
          if (size > max) {
            tooLarge.add(folder + ": " + size + ", at most " + max);
          }
        });
    assertThat(tooLarge).as("packages of too many classes: split them").isEmpty();
  }

  @Test
  void nothingIsLeftForLaterWithoutATrackedReason() throws IOException {
    List<String> marks = List.of("TO" + "DO", "FIX" + "ME", "XX" + "X:", "@Dis" + "abled");
    List<String> found = new ArrayList<>();
    for (String kind : List.of("main", "test")) {
      for (Path file : sources(kind)) {
        String text = Files.readString(file);
        marks.stream().filter(text::contains).forEach(mark -> found.add(file + ": " + mark));
      }
    }
    assertThat(found).isEmpty();
  }

  private static List<Path> sources(String kind) throws IOException {
    Path root = Path.of("..").toAbsolutePath().normalize();
    List<Path> files = new ArrayList<>();
    for (String module : MODULES) {
      Path folder = root.resolve(module).resolve("src").resolve(kind).resolve("java");
      if (Files.isDirectory(folder)) {
        try (Stream<Path> tree = Files.walk(folder)) {
          tree.filter(f -> f.toString().endsWith(".java")).forEach(files::add);
        }
      }
    }
    assertThat(files).as("no %s sources under %s", kind, root).isNotEmpty();
    return files;
  }
}
