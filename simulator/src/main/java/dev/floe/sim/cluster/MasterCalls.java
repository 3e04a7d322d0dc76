package dev.floe.sim.cluster;

import dev.floe.meta.command.SessionCommand;
import dev.floe.sim.kernel.SimRandom;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How clients and runtimes talk to the masters: any master first, then the leader they are told
/// of, and again until a deadline.
final class MasterCalls {
  private static final long ATTEMPT_MILLIS = 400;
  private static final long PAUSE_MILLIS = 30;

  private final Caller caller;
  private final List<String> masters;
  private final SimRandom.Stream random;
  private @Nullable String leader;

  MasterCalls(Caller caller, List<String> masters, SimRandom.Stream random) {
    this.caller = caller;
    this.masters = masters;
    this.random = random;
  }

  /// Sends a command until it is answered; `onAnswer` gets null when the deadline passed and the
  /// outcome is unknown. Every answer is from the log, so it holds for all attempts.
  void submit(
      Supplier<SessionCommand> command,
      long timeoutMillis,
      Consumer<CallMessage.@Nullable Submitted> onAnswer) {
    attempt(
        call -> new CallMessage.Submit(call, caller.name(), command.get()),
        deadline(timeoutMillis),
        reply -> onAnswer.accept(reply instanceof CallMessage.Submitted answer ? answer : null));
  }

  /// Asks until there is an answer; `onAnswer` gets null when the deadline passed.
  void read(
      LongFunction<CallMessage> request,
      long timeoutMillis,
      Consumer<CallMessage.@Nullable Reply> onAnswer) {
    attempt(request, deadline(timeoutMillis), onAnswer);
  }

  /// Sends one message to the master that seems to lead, and forgets it.
  void tell(LongFunction<CallMessage> message) {
    caller.ask(target(), message, ATTEMPT_MILLIS, reply -> {}, () -> {});
  }

  private long deadline(long timeoutMillis) {
    return caller.lane().nanos() + timeoutMillis * 1_000_000;
  }

  private void attempt(
      LongFunction<CallMessage> request,
      long deadlineNanos,
      Consumer<CallMessage.@Nullable Reply> onAnswer) {
    if (caller.lane().nanos() >= deadlineNanos) {
      onAnswer.accept(null);
      return;
    }
    String target = target();
    caller.ask(
        target,
        request,
        ATTEMPT_MILLIS,
        reply -> {
          if (reply instanceof CallMessage.Refused refused && isRetried(refused)) {
            leader = target.equals(refused.leader()) ? null : refused.leader();
            caller
                .lane()
                .after(
                    PAUSE_MILLIS * 1_000_000,
                    "retry pause",
                    () -> attempt(request, deadlineNanos, onAnswer));
          } else {
            leader = target;
            onAnswer.accept(reply);
          }
        },
        () -> {
          leader = null;
          attempt(request, deadlineNanos, onAnswer);
        });
  }

  private static boolean isRetried(CallMessage.Refused refused) {
    return switch (refused.code()) {
      case NOT_LEADER, UNAVAILABLE, OVERLOADED -> true;
      default -> false;
    };
  }

  private String target() {
    String known = leader;
    return known != null ? known : random.pick(masters);
  }
}
