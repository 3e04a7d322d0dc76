package dev.floe.sim.disk;

import dev.floe.sim.disk.Node.DirectoryNode;
import dev.floe.sim.disk.Node.FileNode;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Damages what is on a disk: bit rot, and reads that come from the wrong place.
public final class Damage {
  private final DirectoryNode root;
  private final int sectorBytes;
  private final SplittableRandom random;

  Damage(DirectoryNode root, int sectorBytes, SplittableRandom random) {
    this.root = root;
    this.sectorBytes = sectorBytes;
    this.random = random;
  }

  /// Turns one bit over in one of the files that are not empty.
  ///
  /// @return where, or null when there is no such file
  public @Nullable String rot(Predicate<String> wanted) {
    Map.Entry<String, FileNode> victim = pick(wanted, 1);
    if (victim == null) {
      return null;
    }
    FileData data = victim.getValue().data;
    int offset = random.nextInt(data.durableSize());
    data.rot(offset, random.nextInt(8));
    return victim.getKey() + " at " + offset;
  }

  /// From now on one sector of a file reads as another one, until the machine restarts or the place
  /// is written.
  ///
  /// @return where, or null when no file has two sectors
  public @Nullable String misdirectRead(Predicate<String> wanted) {
    Map.Entry<String, FileNode> victim = pick(wanted, sectorBytes + 1);
    if (victim == null) {
      return null;
    }
    int sectors = (victim.getValue().data.durableSize() + sectorBytes - 1) / sectorBytes;
    int sector = random.nextInt(sectors);
    int instead = (sector + 1 + random.nextInt(sectors - 1)) % sectors;
    victim.getValue().data.misdirectRead(sector, instead, sectorBytes);
    return victim.getKey() + " sector " + sector + " reads as " + instead;
  }

  private Map.@Nullable Entry<String, FileNode> pick(Predicate<String> wanted, int bytesMin) {
    List<Map.Entry<String, FileNode>> candidates =
        files().entrySet().stream()
            .filter(e -> wanted.test(e.getKey()))
            .filter(e -> e.getValue().data.durableSize() >= bytesMin)
            .toList();
    return candidates.isEmpty() ? null : candidates.get(random.nextInt(candidates.size()));
  }

  /// All files by path.
  Map<String, FileNode> files() {
    Map<String, FileNode> all = new TreeMap<>();
    collect("", root, all);
    return all;
  }

  private static void collect(String prefix, DirectoryNode directory, Map<String, FileNode> all) {
    directory.entries.forEach(
        (name, node) -> {
          switch (node) {
            case FileNode file -> all.put(prefix + name, file);
            case DirectoryNode inner -> collect(prefix + name + "/", inner, all);
          }
        });
  }
}
