package dev.floe.store.client.transfer;

import dev.floe.core.error.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Works on the items of a batch, some at a time, until all are done.
public final class Parallel {
  private Parallel() {}

  /// Returns when the work on all items is done.
  ///
  /// @param work must not throw for what an item may bring; what it throws is a defect
  public static <T> void forEach(ExecutorService executor, List<T> items, Consumer<T> work) {
    AtomicInteger next = new AtomicInteger();
    Runnable worker =
        () -> {
          for (int i = next.getAndIncrement(); i < items.size(); i = next.getAndIncrement()) {
            work.accept(items.get(i));
          }
        };
    int workers = Math.min(items.size(), Limits.BATCH_VALUES_IN_FLIGHT_MAX);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      running.add(executor.submit(worker));
    }
    for (Future<?> one : running) {
      Uninterrupted.run(one::get);
    }
  }
}
