package dev.floe.store.cli.object;

import dev.floe.core.time.Deadline;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Calls of the operating system that may last for ever and cannot be interrupted, such as opening a
/// named pipe whose other end nobody has, with an end all the same.
final class BlockingCall {
  private BlockingCall() {}

  /// The result of `call`, which runs on a thread of its own.
  ///
  /// A call that is late goes on and its result is never seen: only for processes that end soon.
  ///
  /// @throws RuntimeException what `late` makes, when the deadline passed first
  static <T> T within(Deadline deadline, Callable<T> call, Supplier<RuntimeException> late)
      throws IOException {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofPlatform().daemon().name("floe-blocking-call").start(task);
    try {
      return task.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw late.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw late.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case RuntimeException known -> throw known;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }
}
