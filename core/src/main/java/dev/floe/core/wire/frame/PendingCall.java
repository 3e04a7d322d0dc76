package dev.floe.core.wire.frame;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Connection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One request that waits for its answer.
///
/// Exactly one party moves it out of `WAITING`: the reader, which then owns the target's buffer until
/// it settles the call, or the caller, which gives up. So a caller that gave up knows that the buffer
/// is its own again.
final class PendingCall implements Connection.PendingReply {
  private enum State {
    WAITING,
    FILLING,
    SETTLED
  }

  private final ClientConnection connection;
  private final long requestId;
  private final Connection.Call call;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final CountDownLatch settled = new CountDownLatch(1);
  private Connection.@Nullable Reply reply;
  private volatile @Nullable FloeException failure;
  private volatile boolean isAnswered;

  PendingCall(ClientConnection connection, long requestId, Connection.Call call) {
    this.connection = connection;
    this.requestId = requestId;
    this.call = call;
  }

  int type() {
    return call.type();
  }

  long requestId() {
    return requestId;
  }

  Connection.ReplyTarget target() {
    return call.target();
  }

  /// Called by the reader when the answer's first bytes have come: false when the caller gave up.
  boolean beginFilling() {
    return state.compareAndSet(State.WAITING, State.FILLING);
  }

  /// Called by the reader after `beginFilling`, when it will not touch the target any more.
  void succeed(ByteString message, int bodyBytes) {
    isAnswered = true;
    reply = new Connection.Reply(message, bodyBytes);
    settle();
  }

  /// Called by the reader after `beginFilling`, when the other side's answer is complete but is an
  /// error, or could not be taken.
  void answerWithError(FloeException why) {
    isAnswered = true;
    failure = why;
    settle();
  }

  /// Called by the reader after `beginFilling`: what it calls on every way out.
  void failUnlessSettled(FloeException why) {
    if (state.get() == State.FILLING) {
      failure = why;
      settle();
    }
  }

  /// Fails the call unless its answer has begun to arrive, in which case the reader will settle it.
  boolean failIfWaiting(FloeException why) {
    if (!state.compareAndSet(State.WAITING, State.SETTLED)) {
      return false;
    }
    failure = why;
    settled.countDown();
    return true;
  }

  private void settle() {
    state.set(State.SETTLED);
    settled.countDown();
  }

  @Override
  public Connection.Reply await() {
    try {
      long nanos = call.deadline().remainingNanos();
      while (!settled.await(nanos, TimeUnit.NANOSECONDS)) {
        nanos = call.deadline().remainingNanos();
        if (nanos == 0) {
          giveUp(lateError());
          break;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      giveUp(
          new FloeException(
              ErrorCode.CANCELLED,
              "interrupted while waiting for "
                  + describe()
                  + "; the request may have been executed",
              e));
    }
    return outcome();
  }

  @Override
  public boolean isAnswered() {
    return isAnswered;
  }

  /// Ends the call now and returns when nobody touches its buffer any more.
  void giveUp(FloeException why) {
    connection.forget(this);
    if (!failIfWaiting(why) && state.get() == State.FILLING) {
      connection.breakBecause(
          new FloeException(
              ErrorCode.CONNECTION_LOST,
              "the connection to "
                  + connection.remote()
                  + " was closed because a caller stopped waiting in the middle of its reply"));
      awaitReader();
      if (!isAnswered) {
        failure = why;
      }
    }
  }

  private void awaitReader() {
    boolean wasInterrupted = false;
    while (true) {
      try {
        settled.await();
        break;
      } catch (InterruptedException e) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Connection.Reply outcome() {
    FloeException why = failure;
    if (why != null) {
      // A fresh exception shows the stack of the caller; the reader's is its cause.
      throw new FloeException(why.code(), why.getMessage(), why.context(), why);
    }
    Connection.Reply answer = reply;
    if (answer == null) {
      throw new IllegalStateException("a settled call has neither reply nor failure");
    }
    return answer;
  }

  FloeException lateError() {
    return new FloeException(
        ErrorCode.DEADLINE_EXCEEDED,
        "no reply to " + describe() + " within the deadline; the request may have been executed");
  }

  private String describe() {
    return String.format("request type 0x%04x of %s", call.type(), connection.remote());
  }
}
