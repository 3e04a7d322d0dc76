package dev.floe.sim.explain;

import dev.floe.meta.log.MetaLog;
import org.jspecify.annotations.Nullable;

/// Says what a master is.
public final class Roles {
  private Roles() {}

  /// One line.
  ///
  /// @param role by its own view; null when it does not serve
  /// @param isAlive whether its process runs
  public static String line(String name, MetaLog.@Nullable Leadership role, boolean isAlive) {
    if (role == null) {
      return "  " + name + (isAlive ? " is starting\n" : " is down\n");
    }
    return "  " + name + " " + what(name, role) + " in term " + role.term() + "\n";
  }

  private static String what(String name, MetaLog.Leadership role) {
    String leader = role.leaderNode();
    if (role.isLeaderReady()) {
      return "leads";
    }
    return leader == null || leader.equals(name) ? "knows no leader" : "follows " + leader;
  }
}
