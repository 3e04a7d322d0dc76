package dev.floe.meta.client;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Retryability;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.FrameType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Sends a request to the leader, whoever that is: starts with the last one known, follows hints,
/// and goes round the configured masters. Soft state: the leader it believes in.
final class MasterCaller {
  private static final int REDIRECTS_AT_ONCE = 3;

  private final List<Endpoint> masters;
  private final MasterCalls calls;
  private final RetryPolicy policy;
  private final RandomGenerator random;
  private final AtomicInteger turn = new AtomicInteger();
  private volatile @Nullable Endpoint leader;

  MasterCaller(
      List<Endpoint> masters, MasterCalls calls, RetryPolicy policy, RandomGenerator random) {
    this.masters = List.copyOf(masters);
    this.calls = calls;
    this.policy = policy;
    this.random = random;
    this.turn.set(random.nextInt(masters.size()));
  }

  /// Calls until an answer that does not depend on who answers.
  ///
  /// @throws FloeException what a leader answered; `UNKNOWN_OUTCOME` when the deadline passed and
  ///     the request may have been executed, or a write was refused after an attempt that may have
  ///     been; `UNAVAILABLE` when it certainly was not
  Answer call(int type, ByteString header, Deadline deadline) {
    boolean mayBeExecuted = false;
    FloeException last = null;
    Set<Endpoint> strangers = new HashSet<>();
    for (int attempt = 1; !deadline.isExpired(); attempt++) {
      Endpoint target = target();
      try {
        Deadline bounded = deadline.atMost(policy.attemptMax());
        ByteString reply = calls.call(target, Connection.Call.of(type, header, bounded)).header();
        leader = target;
        if (mayBeExecuted) {
          Probe.sometimes("client.answered-after-an-uncertain-attempt");
        }
        return new Answer(reply, mayBeExecuted);
      } catch (FloeException e) {
        // One wrong address among the masters' keeps nobody from the right ones.
        boolean isStranger =
            e.code() == ErrorCode.PROTOCOL_VIOLATION
                && strangers.add(target)
                && !strangers.containsAll(masters);
        if (!isStranger && !isWorthRetrying(e.code())) {
          throw mayBeExecuted && type == FrameType.META_SUBMIT ? afterUncertainty(e) : e;
        }
        mayBeExecuted |= isStranger || isUncertain(e.code());
        last = e;
        // Two masters that name each other must not be asked in a tight loop.
        if (!redirect(target, e) || attempt % REDIRECTS_AT_ONCE == 0) {
          pause(attempt, deadline);
        }
      }
    }
    throw gaveUp(mayBeExecuted, last);
  }

  /// One call to one master, for what any master answers.
  ByteString callOne(Endpoint master, int type, ByteString header, Deadline deadline) {
    Deadline bounded = deadline.atMost(policy.attemptMax());
    return calls.call(master, Connection.Call.of(type, header, bounded)).header();
  }

  List<Endpoint> masters() {
    return masters;
  }

  private Endpoint target() {
    Endpoint known = Probe.buggify("client.asks-any-master") ? null : leader;
    return known != null
        ? known
        : masters.get(Math.floorMod(turn.getAndIncrement(), masters.size()));
  }

  private static boolean isWorthRetrying(ErrorCode code) {
    return switch (code) {
      case NOT_LEADER,
          UNAVAILABLE,
          OVERLOADED,
          CONNECTION_LOST,
          CIRCUIT_OPEN,
          DEADLINE_EXCEEDED,
          UNKNOWN_OUTCOME ->
          true;
      default -> false;
    };
  }

  /// A local timeout and one that the other side reports look the same, so both are uncertain.
  private static boolean isUncertain(ErrorCode code) {
    return code.retryability() == Retryability.UNKNOWN_OUTCOME;
  }

  /// A refusal says nothing about the attempts before it.
  private static FloeException afterUncertainty(FloeException refusal) {
    return new FloeException(
        ErrorCode.UNKNOWN_OUTCOME,
        "an earlier attempt of the request may have been executed, a later one was refused; read"
            + " the object to find out whether it took effect ("
            + refusal.getMessage()
            + ")",
        refusal);
  }

  /// Learns from an error where to go next.
  ///
  /// @return whether it named another master, which can be asked at once
  private boolean redirect(Endpoint asked, FloeException error) {
    String hint = error.code() == ErrorCode.NOT_LEADER ? error.context().get("leader") : null;
    if (hint != null && !Endpoint.parse(hint).equals(asked)) {
      leader = Endpoint.parse(hint);
      return true;
    }
    if (error.code() != ErrorCode.OVERLOADED && asked.equals(leader)) {
      leader = null;
    }
    return false;
  }

  private void pause(int attempt, Deadline deadline) {
    long nanos = Math.min(policy.pauseNanos(attempt, random), deadline.remainingNanos());
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FloeException(ErrorCode.CANCELLED, "the caller was interrupted", e);
    }
  }

  private FloeException gaveUp(boolean mayBeExecuted, @Nullable FloeException last) {
    String why = last == null ? "no time was left" : String.valueOf(last.getMessage());
    return mayBeExecuted
        ? new FloeException(
            ErrorCode.UNKNOWN_OUTCOME,
            "the deadline passed after the request had been sent; read the object to find out"
                + " whether it took effect ("
                + why
                + ")",
            last)
        : new FloeException(
            ErrorCode.UNAVAILABLE,
            "no leader among the masters " + masters + " answered in time (" + why + ")",
            last);
  }

  /// A response.
  ///
  /// @param isAfterUncertainty whether an earlier attempt of the same request may have been
  ///     executed
  record Answer(ByteString header, boolean isAfterUncertainty) {}
}
