package dev.floe.sim.member;

import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.log.MasterAddress;
import org.jspecify.annotations.Nullable;

/// A master as an operator of the group sees it: a machine with a process now and then.
public interface Member {
  MasterAddress address();

  /// The log of its running process, or null.
  @Nullable MaintainedLog logOrNull();

  /// Whether it leads and serves, by its own view.
  boolean isLeader();

  /// Runs something on a thread of its process, with which it may die.
  void act(Runnable work);

  /// It is about to be removed: its process may end by itself from now on.
  void leaving();

  /// Ends its process and gives the machine an empty disk; the next life joins the group.
  void wipe();

  /// Starts its process.
  void startAgain() throws InterruptedException;
}
