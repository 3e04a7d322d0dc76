package dev.floe.sim.cluster;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.sim.check.Payload;
import dev.floe.sim.check.Situation;
import dev.floe.store.segment.RangeTable;
import dev.floe.store.segment.TokenRange;
import java.util.Arrays;
import java.util.function.Consumer;

/// The memory of one segment behind the production range table. A request holds its guard for a
/// while, as a real one does while bytes come over the network: half of them are moved at its begin
/// and half at its end.
final class RuntimeMemory {
  /// Bytes of every chunk of a value but the last.
  static final int CHUNK_BYTES = 4096;

  private final World world;
  private final World.SimProcess process;
  private final byte[] bytes;
  private final RangeTable table;

  RuntimeMemory(World world, World.SimProcess process) {
    this.world = world;
    this.process = process;
    bytes = new byte[world.options().shape().segmentBytes()];
    table = new RangeTable(bytes.length);
  }

  /// The segment has a new number: what was written under the old one is forgotten.
  void remount() {
    table.forgetAll();
  }

  void serve(CallMessage.DataRequest request, Consumer<CallMessage.Reply> answer) {
    try {
      switch (request) {
        case CallMessage.WriteChunk write -> write(write, answer);
        case CallMessage.ReadBytes read -> read(read, answer);
      }
    } catch (FloeException e) {
      refused(request, e.code(), answer);
    }
  }

  private void refused(
      CallMessage.DataRequest request, ErrorCode code, Consumer<CallMessage.Reply> answer) {
    boolean isWrite = request instanceof CallMessage.WriteChunk;
    if (code == ErrorCode.STALE_TOKEN) {
      world
          .oracles()
          .situations()
          .hit(isWrite ? Situation.ZOMBIE_WRITE_FENCED : Situation.STALE_READ_FENCED);
      if (isWrite && world.options().has(Mutant.RUNTIME_TAKES_STALE_WRITES)) {
        stored((CallMessage.WriteChunk) request, answer);
        return;
      }
      if (!isWrite && world.options().has(Mutant.RUNTIME_SERVES_WRONG_TOKENS)) {
        CallMessage.ReadBytes read = (CallMessage.ReadBytes) request;
        served(read, copy(read, read.length()), answer);
        return;
      }
    }
    answer.accept(
        isWrite && code == ErrorCode.ALREADY_EXISTS
            ? new CallMessage.Stored(request.call())
            : new CallMessage.Refused(request.call(), code, null));
  }

  private void write(CallMessage.WriteChunk request, Consumer<CallMessage.Reply> answer) {
    byte[] chunk = request.bytes().array();
    RangeTable.WriteGuard guard =
        table.beginWrite(
            request.range(),
            CHUNK_BYTES,
            request.at(),
            chunk.length,
            (int) Payload.checksum(chunk));
    int target = at(request.range(), request.at());
    int half = chunk.length / 2;
    System.arraycopy(chunk, 0, bytes, target, half);
    process
        .lane()
        .after(
            transferNanos(),
            "chunk",
            () -> {
              System.arraycopy(chunk, half, bytes, target + half, chunk.length - half);
              try (guard) {
                guard.commit();
              } catch (FloeException e) {
                refused(request, e.code(), answer);
                return;
              }
              noteStored(request);
              answer.accept(new CallMessage.Stored(request.call()));
            });
  }

  private void stored(CallMessage.WriteChunk request, Consumer<CallMessage.Reply> answer) {
    byte[] chunk = request.bytes().array();
    System.arraycopy(chunk, 0, bytes, at(request.range(), request.at()), chunk.length);
    noteStored(request);
    answer.accept(new CallMessage.Stored(request.call()));
  }

  private void noteStored(CallMessage.WriteChunk request) {
    world
        .oracles()
        .data()
        .stored(
            request.segment(),
            at(request.range(), request.at()),
            request.bytes().length(),
            request.range().token());
  }

  private void read(CallMessage.ReadBytes request, Consumer<CallMessage.Reply> answer) {
    RangeTable.ReadGuard guard = table.beginRead(request.range(), request.at(), request.length());
    int half = request.length() / 2;
    byte[] first = copy(request, half);
    process
        .lane()
        .after(
            transferNanos(),
            "chunk",
            () -> {
              byte[] all = copy(request, request.length());
              System.arraycopy(first, 0, all, 0, half);
              guard.close();
              served(request, all, answer);
            });
  }

  private void served(
      CallMessage.ReadBytes request, byte[] served, Consumer<CallMessage.Reply> answer) {
    world.oracles().data().served(request.range().token(), request.at(), served);
    answer.accept(new CallMessage.Bytes(request.call(), new CallMessage.ChunkBytes(served)));
  }

  private byte[] copy(CallMessage.ReadBytes request, int length) {
    int from = at(request.range(), request.at());
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  private static int at(TokenRange range, int within) {
    return Math.toIntExact(range.offset() + within);
  }

  private long transferNanos() {
    return process.random().chance(0.02)
        ? process.random().between(1_000_000, 300_000_000)
        : process.random().between(10_000, 1_000_000);
  }
}
