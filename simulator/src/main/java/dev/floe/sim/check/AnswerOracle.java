package dev.floe.sim.check;

import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RouteVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Checks what a client of values is told against the log, by time: an answer must have been true
/// at some moment between the call and its return.
///
/// A change counts from the moment at which the first master applied it. No reader sees it before,
/// and every leader that still answers has to apply it before its next answer. Versions that were
/// seen or acknowledged before a call began may not be followed by older ones.
public final class AnswerOracle {
  private final Timeline timeline;
  private final Map<ObjectId, RouteVersion> newest = new HashMap<>();
  private final Map<ObjectId, Lease> leases = new HashMap<>();

  /// How long a version was promised to stay.
  private record Lease(RouteVersion version, long untilNanos) {}

  /// A call of a client about one key.
  ///
  /// @param floor the newest version that any client had seen of the key when the call began
  /// @param leased what no plain removal may take away during the call
  public record Call(
      ObjectId id, long beganNanos, @Nullable RouteVersion floor, @Nullable Object leased) {}

  public AnswerOracle(Timeline timeline) {
    this.timeline = timeline;
  }

  /// A client begins a call.
  public Call begin(ObjectId id, long nowNanos) {
    return new Call(id, nowNanos, newest.get(id), leases.get(id));
  }

  /// A put was acknowledged.
  public void stored(Call call, RouteVersion version, long nowNanos) {
    Violation.unless(
        changesUntil(call.id, nowNanos).stream().anyMatch(c -> version.equals(c.version())),
        Invariant.ACKED_DURABILITY,
        () -> "a put of " + call.id + " was acknowledged as " + version + ", the log has it not");
    seen(call, version);
  }

  /// A client got bytes or facts of a version.
  public void found(Call call, RouteVersion version, long nowNanos) {
    require(call, nowNanos, version::equals, "version " + version);
    RouteVersion floor = call.floor;
    Violation.unless(
        floor == null || version.compareTo(floor) >= 0,
        Invariant.LINEARIZABILITY,
        () -> call.id + " was read in version " + version + " after " + floor + " had been seen");
    seen(call, version);
  }

  /// A client was told that there is something, whichever version.
  public void exists(Call call, long nowNanos) {
    require(call, nowNanos, version -> version != null, "something");
  }

  /// A client was told that there is nothing.
  public void missing(Call call, long nowNanos) {
    require(call, nowNanos, version -> version == null, "nothing");
  }

  /// A client was told that it has removed the object.
  ///
  /// @param isForced whether leases did not count
  /// @param leaseMarginNanos how much shorter a lease may be, as clocks differ
  public void removed(Call call, long nowNanos, boolean isForced, long leaseMarginNanos) {
    RouteVersion before = null;
    RouteVersion removed = null;
    long removedNanos = 0;
    int removals = 0;
    for (Timeline.Change change : changesUntil(call.id, nowNanos)) {
      if (change.version() == null && !change.isLoss() && change.atNanos() >= call.beganNanos) {
        removals++;
        removed = before;
        removedNanos = change.atNanos();
      }
      before = change.version();
    }
    // With several removals it cannot be told which one is this call's.
    if (removals == 1 && !isForced) {
      checkLease(call, removed, removedNanos + leaseMarginNanos);
    }
    boolean isRemoved = removals > 0;
    Violation.unless(
        isRemoved,
        Invariant.ACKED_DURABILITY,
        () -> call.id + " was said to be removed, the log has no removal since " + call.beganNanos);
  }

  private static void checkLease(Call call, @Nullable RouteVersion removed, long atNanos) {
    if (call.leased instanceof Lease lease && lease.version.equals(removed)) {
      Violation.unless(
          atNanos >= lease.untilNanos,
          Invariant.READ_LEASE,
          () ->
              String.format(
                  "%s %s was removed at %d ns, but is leased until %d ns",
                  call.id, removed, atNanos, lease.untilNanos));
    }
  }

  /// A client was promised that no plain removal takes this version away for a while.
  public void leased(Call call, RouteVersion version, long untilNanos) {
    leases.merge(
        call.id,
        new Lease(version, untilNanos),
        (old, fresh) -> old.version.equals(version) && old.untilNanos > untilNanos ? old : fresh);
  }

  private void require(
      Call call, long nowNanos, Predicate<@Nullable RouteVersion> right, String answer) {
    RouteVersion current = null;
    boolean holds = false;
    List<Timeline.Change> changes = changesUntil(call.id, nowNanos);
    for (Timeline.Change change : changes) {
      if (change.atNanos() > call.beganNanos) {
        holds |= right.test(current);
      }
      current = change.version();
    }
    boolean isRight = holds || right.test(current);
    Violation.unless(
        isRight,
        Invariant.LINEARIZABILITY,
        () ->
            "a client was told that "
                + call.id
                + " is "
                + answer
                + " by a call from "
                + call.beganNanos
                + " to "
                + nowNanos
                + " ns, the log says "
                + changes);
  }

  private List<Timeline.Change> changesUntil(ObjectId id, long nowNanos) {
    return timeline.changes(id).stream().filter(c -> c.atNanos() <= nowNanos).toList();
  }

  private void seen(Call call, RouteVersion version) {
    newest.merge(call.id, version, (a, b) -> a.compareTo(b) >= 0 ? a : b);
  }
}
