package dev.floe.core.wire.frame;

import java.util.concurrent.atomic.AtomicInteger;

/// Starts the readers of connections: platform daemon threads while they are few, virtual threads
/// beyond a bound.
///
/// A small round trip costs about three times as much through a virtual reader (it takes the poller's
/// detour), but thousands of platform threads would cost memory.
final class ReaderThreads {
  private final int platformMax;
  private final AtomicInteger platform = new AtomicInteger();

  ReaderThreads(int platformMax) {
    this.platformMax = platformMax;
  }

  /// Starts `reader` on a thread of its own.
  void start(String name, Runnable reader) {
    if (platform.incrementAndGet() > platformMax) {
      platform.decrementAndGet();
      Thread.ofVirtual().name(name).start(reader);
      return;
    }
    boolean started = false;
    try {
      Thread.ofPlatform()
          .daemon()
          .name(name)
          .start(
              () -> {
                try {
                  reader.run();
                } finally {
                  platform.decrementAndGet();
                }
              });
      started = true;
    } finally {
      if (!started) {
        platform.decrementAndGet();
      }
    }
  }
}
