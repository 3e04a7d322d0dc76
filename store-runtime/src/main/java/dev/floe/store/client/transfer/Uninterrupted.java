package dev.floe.store.client.transfer;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/// Waits that end by themselves soon and must not be left early; an interruption is kept for later.
final class Uninterrupted {
  private Uninterrupted() {}

  static <T> T run(Callable<T> wait) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.call();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw new IllegalStateException("a task of the client failed", e.getCause());
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
