package dev.floe.meta.log;

import java.util.List;

/// The masters that take part in the group, by a configuration in the log.
///
/// @param nodes their ids, sorted
public record Membership(List<String> nodes) {
  public Membership {
    nodes = nodes.stream().sorted().distinct().toList();
  }

  /// Whether a master takes part.
  public boolean contains(String node) {
    return nodes.contains(node);
  }
}
