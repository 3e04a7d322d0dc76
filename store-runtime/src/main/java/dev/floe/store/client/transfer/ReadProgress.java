package dev.floe.store.client.transfer;

import dev.floe.core.buffer.Checksums;
import dev.floe.core.error.FloeException;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.store.client.value.ValueSink;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// How far a read has come: what is verified and in the destination, and its checksum so far.
///
/// Confined to the thread of its get.
public final class ReadProgress {
  private final ValueSink sink;
  private final long start;
  private final long end;
  private long position;
  private int checksum;

  /// Ids of the replicas that gave what is accepted, whichever look-up named them.
  private final Set<Long> contributors = new TreeSet<>();

  private @Nullable FloeException sinkFailure;

  /// A read of the bytes from `start` to `end` of an object.
  public ReadProgress(ValueSink sink, long start, long end) {
    this.sink = sink;
    this.start = start;
    this.end = end;
    this.position = start;
  }

  /// Up to where the bytes of the object are in their destination.
  public long position() {
    return position;
  }

  /// Where the read ends within the object.
  public long end() {
    return end;
  }

  boolean isDone() {
    return position == end;
  }

  /// CRC32C of everything accepted, unsigned.
  public long checksum() {
    return Integer.toUnsignedLong(checksum);
  }

  /// What the destination threw, which no other replica can mend.
  public @Nullable FloeException sinkFailure() {
    return sinkFailure;
  }

  /// The place in the destination for bytes of the object, or null.
  @Nullable ByteBuffer view(long from, int length) {
    return sink.view(from - start, length);
  }

  /// Takes the next bytes, which matched `bytesChecksum`.
  ///
  /// @param bytes null when they are in the destination already
  void accept(@Nullable ByteBuffer bytes, int length, int bytesChecksum) {
    if (bytes != null) {
      try {
        sink.write(position - start, bytes);
      } catch (FloeException e) {
        sinkFailure = e;
        throw e;
      }
    }
    checksum = Checksums.combine(checksum, bytesChecksum, length);
    position += length;
  }

  /// A replica gave some of what was accepted.
  public void cameFrom(ReplicaTarget replica) {
    contributors.add(replica.replica().id());
  }

  /// Ids of the replicas that gave what was accepted, in order.
  public Set<Long> contributors() {
    return Collections.unmodifiableSet(contributors);
  }

  /// Whether all that was accepted is one replica's, so that what is wrong is wrong there.
  public boolean isAllFrom(ReplicaTarget replica) {
    return contributors.equals(Set.of(replica.replica().id()));
  }

  /// Begins again; false when the destination cannot.
  public boolean restart() {
    if (!sink.restart()) {
      return false;
    }
    position = start;
    checksum = 0;
    contributors.clear();
    return true;
  }
}
