package dev.floe.sim.cluster;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.sim.check.Payload;
import dev.floe.store.segment.TokenRange;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Moves the bytes of one value to or from one replica, chunk by chunk, with retries.
final class ReplicaTransfer {
  private static final long ATTEMPT_MILLIS = 300;
  private static final int ATTEMPTS = 4;

  private final ClientActor client;
  private final ReplicaTarget target;
  private final MemoryRange place;
  private final TokenRange range;
  private final int sizeBytes;

  ReplicaTransfer(ClientActor client, ReplicaTarget target, int sizeBytes) {
    this.client = client;
    this.target = target;
    this.sizeBytes = sizeBytes;
    place =
        switch (target.replica().location()) {
          case MemoryRange memory -> memory;
        };
    range =
        new TokenRange(place.offsetBytes(), place.lengthBytes(), target.replica().id(), sizeBytes);
  }

  /// Writes all bytes; `onEnd` is told whether the replica has them all.
  void write(Payload payload, Consumer<Boolean> onEnd) {
    writeFrom(payload, 0, ATTEMPTS, onEnd);
  }

  private void writeFrom(Payload payload, int at, int attempts, Consumer<Boolean> onEnd) {
    if (attempts == 0) {
      onEnd.accept(false);
      return;
    }
    int length = Math.min(RuntimeMemory.CHUNK_BYTES, sizeBytes - at);
    CallMessage.ChunkBytes bytes = new CallMessage.ChunkBytes(payload.part(at, length));
    client
        .caller()
        .ask(
            target.endpoint().host(),
            call ->
                new CallMessage.WriteChunk(
                    call, client.process().name(), place.segment(), range, at, bytes),
            ATTEMPT_MILLIS,
            reply -> {
              if (reply instanceof CallMessage.Stored) {
                if (at + length < sizeBytes) {
                  writeFrom(payload, at + length, ATTEMPTS, onEnd);
                } else {
                  onEnd.accept(true);
                }
              } else if (isBusy(reply)) {
                pause(() -> writeFrom(payload, at, attempts - 1, onEnd));
              } else {
                onEnd.accept(false);
              }
            },
            () -> writeFrom(payload, at, attempts - 1, onEnd));
  }

  /// Reads all bytes; `onEnd` gets null when this replica cannot give them.
  void read(Consumer<byte @Nullable []> onEnd) {
    readFrom(new byte[sizeBytes], 0, 2, onEnd);
  }

  private void readFrom(byte[] all, int at, int attempts, Consumer<byte @Nullable []> onEnd) {
    if (attempts == 0) {
      onEnd.accept(null);
      return;
    }
    int length = Math.min(RuntimeMemory.CHUNK_BYTES, sizeBytes - at);
    client
        .caller()
        .ask(
            target.endpoint().host(),
            call ->
                new CallMessage.ReadBytes(
                    call, client.process().name(), place.segment(), range, at, length),
            ATTEMPT_MILLIS,
            reply -> {
              if (!(reply instanceof CallMessage.Bytes bytes)) {
                onEnd.accept(null);
                return;
              }
              System.arraycopy(bytes.bytes().array(), 0, all, at, length);
              if (at + length < sizeBytes) {
                readFrom(all, at + length, 2, onEnd);
              } else {
                onEnd.accept(all);
              }
            },
            () -> readFrom(all, at, attempts - 1, onEnd));
  }

  private static boolean isBusy(CallMessage.Reply reply) {
    return reply instanceof CallMessage.Refused refused
        && (refused.code() == ErrorCode.WRITE_IN_PROGRESS || refused.code() == ErrorCode.NOT_READY);
  }

  private void pause(Runnable action) {
    client.process().lane().after(50_000_000, "transfer pause", action);
  }
}
