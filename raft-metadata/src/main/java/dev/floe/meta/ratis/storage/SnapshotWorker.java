package dev.floe.meta.ratis.storage;

import dev.floe.core.probe.Probe;
import dev.floe.core.time.Ticker;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.server.protocol.TermIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes snapshots in the background, one at a time, and asks Ratis to purge the log behind each.
///
/// `afterApply` runs on the thread that applies and costs nothing unless a snapshot is due; then it
/// freezes the state, which is quick, and returns. Soft state; the files are `SnapshotFiles`'.
public final class SnapshotWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotWorker.class);

  private final String name;
  private final SnapshotFiles files;
  private final SnapshotTrigger trigger;
  private final Ticker ticker;
  private final Runnable purge;
  private final ExecutorService thread;
  private final AtomicBoolean isWriting = new AtomicBoolean();
  private final AtomicBoolean isRequested = new AtomicBoolean();
  private final AtomicBoolean hasFailed = new AtomicBoolean();
  private final AtomicLong purgeBehind = new AtomicLong(-1);

  /// @param purge asks Ratis to take note of the newest snapshot and purge behind it; called on the
  ///     worker's thread
  public SnapshotWorker(
      String name, SnapshotFiles files, SnapshotTrigger trigger, Ticker ticker, Runnable purge) {
    this.name = name;
    this.files = files;
    this.trigger = trigger;
    this.ticker = ticker;
    this.purge = purge;
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name(name + "-snapshot").factory());
  }

  /// The next applied entry starts a snapshot, whatever the thresholds say.
  public void request() {
    isRequested.set(true);
  }

  /// To be called after each applied entry.
  public void afterApply(TermIndex applied, long entryBytes, Freezer freezer) {
    trigger.applied(entryBytes);
    if (hasFailed.compareAndSet(true, false)) {
      trigger.failed(ticker.nanos());
    }
    long snapshot = purgeBehind.get();
    if (snapshot >= 0 && applied.getIndex() > snapshot && purgeBehind.compareAndSet(snapshot, -1)) {
      // Ratis ignores a request whose snapshot is no older than the last applied entry.
      run(purge);
    }
    if ((isRequested.get()
            || trigger.isDue(ticker.nanos())
            || Probe.buggify("snapshot.far-too-early"))
        && isWriting.compareAndSet(false, true)) {
      isRequested.set(false);
      StateFormat.Frozen frozen = freezer.freeze();
      trigger.captured(ticker.nanos());
      if (!run(() -> write(applied, frozen))) {
        frozen.close();
        isWriting.set(false);
      }
    }
  }

  private boolean run(Runnable task) {
    try {
      thread.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("{}: closing, no more snapshots", name, e);
      return false;
    }
  }

  private void write(TermIndex at, StateFormat.Frozen frozen) {
    try {
      files.write(at, frozen::write);
      LOG.info("{}: snapshot at {} is durable", name, at);
      purgeBehind.set(at.getIndex());
    } catch (NoSuchFileException e) {
      LOG.info("{}: snapshot at {} is dropped, an installed one replaced it", name, at, e);
    } catch (Exception e) {
      LOG.error("{}: snapshot at {} could not be written; it will be tried again", name, at, e);
      hasFailed.set(true);
    } finally {
      frozen.close();
      isWriting.set(false);
    }
  }

  /// Lets a write that is under way end, for a little while, and takes no more.
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      thread.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /// Freezes the state on the thread that applies.
  @FunctionalInterface
  public interface Freezer {
    /// Freezes it as it is now.
    StateFormat.Frozen freeze();
  }
}
