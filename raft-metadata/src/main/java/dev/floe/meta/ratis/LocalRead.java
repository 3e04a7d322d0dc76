package dev.floe.meta.ratis;

import dev.floe.meta.state.MetadataView;
import java.util.function.Function;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/// A read of this process on its way through Ratis: carries the function in and its outcome out.
/// What the function throws is kept for the caller and never shown to Ratis.
final class LocalRead<T extends @Nullable Object> implements Message {
  private final Function<MetadataView, T> function;
  private volatile @Nullable Outcome<T> outcome;

  LocalRead(Function<MetadataView, T> function) {
    this.function = function;
  }

  void run(MetadataView view) {
    try {
      outcome = new Outcome.Value<>(function.apply(view));
    } catch (RuntimeException | Error e) {
      outcome = new Outcome.Thrown<>(e);
    }
  }

  void refuse(RuntimeException reason) {
    outcome = new Outcome.Thrown<>(reason);
  }

  @Nullable Outcome<T> outcome() {
    return outcome;
  }

  @Override
  public ByteString getContent() {
    return ByteString.EMPTY;
  }

  /// What the function did.
  sealed interface Outcome<T extends @Nullable Object> {
    record Value<T extends @Nullable Object>(T value) implements Outcome<T> {}

    record Thrown<T extends @Nullable Object>(Throwable error) implements Outcome<T> {}
  }
}
