package dev.floe.store.client.transfer;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.model.ObjectKey;
import java.util.List;

/// The leader's promise not to evict an object while it is read; renewed by looking it up again.
///
/// It keeps long reads from failing, it does not make them right: tokens and checksums do.
public final class ReadLease {
  private final TransferContext context;
  private final ObjectKey key;
  private final Resolution.Found found;
  private long renewAtNanos;
  private boolean isGranted;

  /// @param askedAtNanos before the look-up that found it
  public ReadLease(
      TransferContext context, ObjectKey key, Resolution.Found found, long askedAtNanos) {
    this.context = context;
    this.key = key;
    this.found = found;
    granted(found.leaseMillis(), askedAtNanos);
  }

  private void granted(long millis, long askedAtNanos) {
    isGranted = millis > 0;
    renewAtNanos = askedAtNanos + millis * 500_000;
  }

  /// Renews when half of the time is over.
  ///
  /// @throws FloeException `STALE_TOKEN` when the object has been replaced or removed
  public void renewIfDue(Deadline deadline) {
    long now = context.ticker().nanos();
    if (!isGranted || now - renewAtNanos < 0) {
      return;
    }
    Resolution answer;
    try {
      answer =
          context
              .metadata()
              .resolve(
                  context.options().tenant(),
                  List.of(key),
                  MetadataApi.ReadOptions.DEFAULT,
                  deadline.atMost(context.options().times().chunk()))
              .getFirst();
    } catch (FloeException e) {
      // No master answers: the bytes may still be there, and their token tells.
      context.ignored(e);
      granted(found.leaseMillis(), now);
      return;
    }
    if (answer instanceof Resolution.Found again && again.version().equals(found.version())) {
      granted(again.leaseMillis(), now);
      return;
    }
    throw new FloeException(
        ErrorCode.STALE_TOKEN, "'" + key + "' was replaced or removed while it was read");
  }
}
