package dev.floe.store.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void showsShareSizeAndRateAndErasesItself() {
    TestTerminal test = new TestTerminal(true);
    try (ProgressBar bar = new ProgressBar(test.terminal(), nanos::get, "put k", 4 << 20)) {
      nanos.addAndGet(1_000_000_000);
      bar.reach(1 << 20);
    }
    assertThat(test.err())
        .contains("put k [#######.......................]  25 % of 4.00 MiB, 1.00 MiB/s")
        .endsWith("\r\u001b[K");
  }

  @Test
  void staysSilentForQuickTransfers() {
    TestTerminal test = new TestTerminal(true);
    try (ProgressBar bar = new ProgressBar(test.terminal(), nanos::get, "put k", 10)) {
      bar.reach(10);
    }
    assertThat(test.err()).isEmpty();
  }

  @Test
  void staysSilentWhenNobodyWatches() {
    TestTerminal test = new TestTerminal(false);
    try (ProgressBar bar = new ProgressBar(test.terminal(), nanos::get, "put k", 10)) {
      nanos.addAndGet(1_000_000_000);
      bar.reach(5);
    }
    assertThat(test.err()).isEmpty();
  }
}
