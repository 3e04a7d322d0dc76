package dev.floe.store.cli.object;

import dev.floe.store.cli.shell.ProgressBar;
import dev.floe.store.client.value.ValueSource;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reports how many bytes of a source have been asked for.
public record ProgressSource(ValueSource source, ProgressBar bar) implements ValueSource {
  @Override
  public long sizeBytes() {
    return source.sizeBytes();
  }

  @Override
  public @Nullable ByteBuffer view(long from, int length) {
    ByteBuffer view = source.view(from, length);
    if (view != null) {
      bar.reach(from + length);
    }
    return view;
  }

  @Override
  public void read(long from, ByteBuffer into) {
    long end = from + into.remaining();
    source.read(from, into);
    bar.reach(end);
  }
}
