package dev.floe.core.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.time.Deadline;
import dev.floe.core.time.FakeTicker;
import dev.floe.core.wire.TestHandlers;
import dev.floe.core.wire.link.MemoryLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class WatchdogTest {
  private final FakeTicker ticker = new FakeTicker();
  private final MemoryLink.Pair pair = MemoryLink.Pair.create("client", "server");
  private final Watchdog.Guard guard = new Watchdog().watch(pair.client());

  @Test
  void endsAReadThatIsLate() throws Exception {
    guard.readBy(Deadline.after(ticker, Duration.ofSeconds(5)));
    Thread mover = Thread.ofVirtual().start(() -> ticker.advance(Duration.ofSeconds(6)));
    assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class);
    mover.join();
    assertThat(guard.hasStruck()).isTrue();
  }

  @Test
  void endsAWriteThatIsLate() {
    guard.writeBy(Deadline.after(ticker, Duration.ofSeconds(5)));
    ticker.advance(Duration.ofSeconds(5));
    ByteBuffer[] more = {ByteBuffer.allocate(1 << 20)};
    assertThatThrownBy(() -> pair.client().write(more)).isInstanceOf(IOException.class);
    assertThat(guard.hasStruck()).isTrue();
  }

  @Test
  void forgetsADeadlineThatWasLifted() throws Exception {
    Watchdog watchdog = new Watchdog();
    MemoryLink.Pair other = MemoryLink.Pair.create("client", "server");
    Watchdog.Guard lifted = watchdog.watch(pair.server());
    Watchdog.Guard late = watchdog.watch(other.server());
    lifted.readBy(Deadline.after(ticker, Duration.ofSeconds(5)));
    lifted.readBy(null);
    late.readBy(Deadline.after(ticker, Duration.ofSeconds(5)));
    ticker.advance(Duration.ofSeconds(6));
    TestHandlers.awaitThat(late::hasStruck);
    assertThat(lifted.hasStruck()).isFalse();
    assertThat(pair.server().isOpen()).isTrue();
    lifted.release();
    guard.release();
  }
}
