package dev.floe.store.cli.object;

import dev.floe.core.time.Ticker;
import dev.floe.store.cli.shell.ProgressBar;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.client.value.ValueSink;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reports how many bytes a sink has got.
public final class ProgressSink implements ValueSink {
  private final ValueSink sink;
  private final Terminal terminal;
  private final Ticker ticker;
  private final String what;
  private @Nullable ProgressBar bar;

  ProgressSink(ValueSink sink, Terminal terminal, Ticker ticker, String what) {
    this.sink = sink;
    this.terminal = terminal;
    this.ticker = ticker;
    this.what = what;
  }

  @Override
  public void begin(long sizeBytes) {
    sink.begin(sizeBytes);
    erase();
    bar = new ProgressBar(terminal, ticker, what, sizeBytes);
  }

  @Override
  public @Nullable ByteBuffer view(long at, int length) {
    ByteBuffer view = sink.view(at, length);
    if (view != null) {
      reach(at + length);
    }
    return view;
  }

  @Override
  public void write(long at, ByteBuffer verified) {
    long end = at + verified.remaining();
    sink.write(at, verified);
    reach(end);
  }

  private void reach(long bytes) {
    ProgressBar shown = bar;
    if (shown != null) {
      shown.reach(bytes);
    }
  }

  @Override
  public boolean restart() {
    return sink.restart();
  }

  @Override
  public void commit() {
    erase();
    sink.commit();
  }

  @Override
  public void abort() {
    erase();
    sink.abort();
  }

  private void erase() {
    ProgressBar shown = bar;
    if (shown != null) {
      shown.close();
    }
  }
}
