package dev.floe.store.cli.shell;

import dev.floe.core.time.Ticker;
import dev.floe.store.cli.text.Printable;
import dev.floe.store.config.ByteSize;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/// One line on standard error that shows how far a transfer is; silent when nobody watches.
///
/// Any number of threads may report. The line appears after a short while, so that small values do
/// not flicker, and is erased at the end.
public final class ProgressBar implements AutoCloseable {
  private static final int WIDTH = 30;
  private static final long FIRST_AFTER_NANOS = 300_000_000;
  private static final long EVERY_NANOS = 100_000_000;

  private final Terminal terminal;
  private final Ticker ticker;
  private final String what;
  private final long totalBytes;
  private final long startNanos;
  private final AtomicLong nextDrawNanos;
  private volatile boolean isDrawn;

  public ProgressBar(Terminal terminal, Ticker ticker, String what, long totalBytes) {
    this.terminal = terminal;
    this.ticker = ticker;
    this.what = what;
    this.totalBytes = totalBytes;
    this.startNanos = ticker.nanos();
    this.nextDrawNanos = new AtomicLong(startNanos + FIRST_AFTER_NANOS);
  }

  /// Tells how many bytes are done; fewer than before after a new attempt.
  public void reach(long done) {
    if (!terminal.isErrTerminal()) {
      return;
    }
    long now = ticker.nanos();
    long due = nextDrawNanos.get();
    if (now - due >= 0 && nextDrawNanos.compareAndSet(due, now + EVERY_NANOS)) {
      isDrawn = true;
      PrintStream err = terminal.err();
      err.print("\r" + line(done, now - startNanos) + "\u001b[K");
      err.flush();
    }
  }

  private String line(long done, long nanos) {
    double share = totalBytes == 0 ? 1 : Math.min(1, (double) done / totalBytes);
    int full = (int) (share * WIDTH);
    double perSecond = nanos == 0 ? 0 : done * 1e9 / nanos;
    return String.format(
        Locale.ROOT,
        "%s [%s%s] %3.0f %% of %s, %s/s",
        Printable.of(what),
        "#".repeat(full),
        ".".repeat(WIDTH - full),
        share * 100,
        ByteSize.rounded(totalBytes),
        ByteSize.rounded((long) perSecond));
  }

  /// Erases the line.
  @Override
  public void close() {
    if (isDrawn) {
      terminal.err().print("\r\u001b[K");
      terminal.err().flush();
    }
  }
}
