package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import dev.floe.core.time.Ticker;
import dev.floe.store.client.GetItem;
import dev.floe.store.client.GetOptions;
import dev.floe.store.client.GetResult;
import dev.floe.store.client.PutItem;
import dev.floe.store.client.PutOptions;
import dev.floe.store.client.PutResult;
import dev.floe.store.client.StoreClient;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.client.value.ValueSource;
import dev.floe.store.local.QuickstartReport.Phase;
import dev.floe.store.local.SampleFiles.SampleFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Moves files into a cluster and back, a batch at a time, and compares what comes back with the
/// files themselves.
///
/// Only transfers are timed; mapping files, clearing memory and comparing are not.
final class SampleTransfer {
  private static final int BATCH_FILES = 128;
  private static final long BATCH_BYTES = 256L << 20;

  private final StoreClient client;
  private final SampleFiles files;
  private final Ticker ticker;

  SampleTransfer(StoreClient client, SampleFiles files, Ticker ticker) {
    this.client = client;
    this.files = files;
    this.ticker = ticker;
  }

  /// Stores all files.
  ///
  /// @throws FloeException the first error of any of them
  Phase put(PutOptions options) {
    long nanos = 0;
    for (List<SampleFile> batch : batches()) {
      try (Arena arena = Arena.ofShared()) {
        List<PutItem> items = new ArrayList<>();
        for (SampleFile file : batch) {
          items.add(new PutItem(file.key().value(), ValueSource.of(map(file, arena))));
        }
        long start = ticker.nanos();
        List<PutResult> results = client.batchPut(items, options);
        nanos += ticker.nanos() - start;
        results.forEach(SampleTransfer::checkStored);
      }
    }
    return new Phase(files.totalBytes(), nanos);
  }

  private static void checkStored(PutResult result) {
    switch (result) {
      case PutResult.Stored stored -> {}
      case PutResult.AlreadyExists old ->
          throw new FloeException(
              ErrorCode.ALREADY_EXISTS, "'" + old.key() + "' is in the cluster already");
      case PutResult.Failed failed -> throw failed.error();
    }
  }

  /// Reads all files back.
  ///
  /// @param mismatches gets a line for every file that did not come back as it is on disk
  Phase getAndCompare(GetOptions options, List<String> mismatches) {
    long nanos = 0;
    for (List<SampleFile> batch : batches()) {
      try (Arena arena = Arena.ofShared()) {
        List<MemorySegment> targets = new ArrayList<>();
        List<GetItem> items = new ArrayList<>();
        for (SampleFile file : batch) {
          MemorySegment target = arena.allocate(Math.max(1, file.sizeBytes()), 64);
          targets.add(target.asSlice(0, file.sizeBytes()));
          items.add(new GetItem(file.key().value(), ValueSink.of(targets.getLast())));
        }
        long start = ticker.nanos();
        List<GetResult> results = client.batchGet(items, options);
        nanos += ticker.nanos() - start;
        for (int i = 0; i < batch.size(); i++) {
          compare(batch.get(i), results.get(i), targets.get(i), arena, mismatches);
        }
      }
    }
    return new Phase(files.totalBytes(), nanos);
  }

  private static void compare(
      SampleFile file,
      GetResult result,
      MemorySegment target,
      Arena arena,
      List<String> mismatches) {
    switch (result) {
      case GetResult.Failed failed ->
          mismatches.add(file.key() + ": " + failed.error().getMessage());
      case GetResult.Loaded loaded -> {
        long at = map(file, arena).mismatch(target);
        if (loaded.receivedBytes() != file.sizeBytes() || at >= 0) {
          mismatches.add(
              file.key()
                  + ": "
                  + loaded.receivedBytes()
                  + " of "
                  + file.sizeBytes()
                  + " bytes came, the first difference is at byte "
                  + at);
        }
      }
    }
  }

  private static MemorySegment map(SampleFile file, Arena arena) {
    try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ)) {
      if (channel.size() != file.sizeBytes()) {
        throw new FloeException(
            ErrorCode.IO_ERROR,
            file.path() + " changed its size meanwhile; run it again when nobody writes there");
      }
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, file.sizeBytes(), arena);
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR, file.path() + " cannot be read: " + IoReason.of(e), e);
    }
  }

  private List<List<SampleFile>> batches() {
    List<List<SampleFile>> batches = new ArrayList<>();
    List<SampleFile> batch = new ArrayList<>();
    long bytes = 0;
    for (SampleFile file : files.files()) {
      boolean isFull =
          batch.size() == BATCH_FILES || (bytes + file.sizeBytes() > BATCH_BYTES && bytes > 0);
      if (isFull) {
        batches.add(batch);
        batch = new ArrayList<>();
        bytes = 0;
      }
      batch.add(file);
      bytes += file.sizeBytes();
    }
    batches.add(batch);
    return batches;
  }
}
