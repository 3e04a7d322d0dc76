package dev.floe.sim.member;

import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.log.Membership;
import dev.floe.sim.vthread.Simulation;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Removes a master from the group, wipes it and adds it again, whatever else happens meanwhile.
///
/// It goes on until it is done: a change whose outcome is not known is looked for, and made again when
/// it did not come about. One change is under way at a time.
public final class MemberChange {
  private static final Duration STEP = Duration.ofSeconds(2);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int MEMBERS_MIN = 3;
  private static final long LOOK_MILLIS = 20;
  private static final long PAUSE_MILLIS = 100;

  private final Simulation simulation;
  private final List<? extends Member> members;
  private boolean isBusy;
  private int done;

  /// @param members all masters
  public MemberChange(Simulation simulation, List<? extends Member> members) {
    this.simulation = simulation;
    this.members = List.copyOf(members);
  }

  /// Takes the only place for changes.
  ///
  /// @return false when another change is under way, or the group too small to do without one
  public boolean begin() {
    boolean isFree = !isBusy && members.size() >= MEMBERS_MIN;
    isBusy = true;
    return isFree;
  }

  /// Gives the place back.
  public void end() {
    isBusy = false;
  }

  /// How many masters were replaced.
  public int done() {
    return done;
  }

  /// Replaces a master; to be called between `begin` and `end`.
  ///
  /// @param millis for which the group does without it
  public void replace(Member victim, long millis) throws InterruptedException {
    String name = victim.address().node();
    simulation.event("remove " + name);
    victim.leaving();
    until(name, false, (log, now) -> log.removeMaster(now, name, deadline()));
    victim.wipe();
    simulation.event("wiped " + name);
    Thread.sleep(millis);
    victim.startAgain();
    until(name, true, (log, now) -> log.addMaster(now, victim.address(), deadline()));
    simulation.event("added " + name);
    done++;
  }

  /// Asks the leader to hand the lead to another master.
  public void handOver(Member from, Member to) {
    MaintainedLog log = from.logOrNull();
    if (log != null && !from.address().equals(to.address())) {
      from.act(
          () -> {
            var _ = log.transferLeadership(to.address().node(), deadline());
          });
    }
  }

  private static Deadline deadline() {
    return Deadline.after(Ticker.system(), STEP);
  }

  private interface Change {
    boolean by(MaintainedLog log, Membership now);
  }

  /// Makes a change until some master knows that a configuration with, or without, the node is
  /// committed.
  private void until(String node, boolean isWanted, Change change) throws InterruptedException {
    long end = simulation.nanos() + LIMIT.toNanos();
    while (!isCommitted(node, isWanted)) {
      if (simulation.nanos() > end) {
        throw new AssertionError(
            "LIVENESS: the members could not be changed within "
                + LIMIT
                + ": "
                + node
                + (isWanted ? " is not added" : " is not removed"));
      }
      Member leader = leaderOrNull();
      if (leader == null) {
        Thread.sleep(PAUSE_MILLIS);
      } else if (!isWanted && leader.address().node().equals(node)) {
        handOver(leader, another(leader));
        Thread.sleep(PAUSE_MILLIS);
      } else {
        attempt(leader, node, isWanted, change);
      }
    }
  }

  private boolean isCommitted(String node, boolean isWanted) {
    for (Member member : members) {
      MaintainedLog log = member.logOrNull();
      if (log != null && member.isLeader()) {
        Membership now = log.membership();
        if (now.contains(node) == isWanted && log.isCommitted(now)) {
          return true;
        }
      }
    }
    return false;
  }

  private @Nullable Member leaderOrNull() {
    return members.stream().filter(Member::isLeader).findFirst().orElse(null);
  }

  private Member another(Member than) {
    int at = members.indexOf(than);
    return members.get((at + 1) % members.size());
  }

  /// One call of the leader; it may die with it.
  private void attempt(Member leader, String node, boolean isWanted, Change change)
      throws InterruptedException {
    MaintainedLog log = leader.logOrNull();
    if (log == null) {
      return;
    }
    boolean[] isOver = new boolean[1];
    leader.act(
        () -> {
          Membership now = log.membership();
          String came;
          try {
            came = now.contains(node) == isWanted ? "is under way" : "" + change.by(log, now);
          } catch (FloeException e) {
            came = e.code().toString();
          }
          simulation.event(leader.address().node() + " changes members " + now + ": " + came);
          isOver[0] = true;
        });
    for (long left = 2 * STEP.toMillis(); left > 0 && !isOver[0]; left -= LOOK_MILLIS) {
      Thread.sleep(LOOK_MILLIS);
    }
    Thread.sleep(PAUSE_MILLIS);
  }
}
