package dev.floe.store.client;

import dev.floe.core.buffer.BufferPool;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import dev.floe.core.error.Limits;
import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.client.transfer.ClientOptions;
import dev.floe.store.client.transfer.InFlightBytes;
import dev.floe.store.client.transfer.TransferContext;
import dev.floe.store.client.transfer.TransferCounters;
import dev.floe.store.client.value.ArraySink;
import dev.floe.store.client.value.ValueSink;
import dev.floe.store.client.value.ValueSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Stores and reads whole values: the library that programs use. Safe for many threads.
///
/// Objects are immutable: a key that has a value keeps it until it is removed. Every call ends by a
/// deadline. Errors are `FloeException`s; in batches each item has its own result.
///
/// Bytes do not go through the Java heap unless they come from there or go there.
public final class StoreClient implements AutoCloseable {
  /// Keys that are asked about at a time.
  private static final int LEADING_CHUNK = 512;

  private final TransferContext context;
  private final ExecutorService executor;
  private final TransferCounters counters = new TransferCounters();

  /// A client over the given masters, connections and buffers, which stay their owner's to close.
  ///
  /// @param buffers for values that do not lie in memory off the heap; their largest class holds a
  ///     chunk
  public StoreClient(
      MetadataApi metadata,
      PeerPool peers,
      BufferPool buffers,
      Sources sources,
      ClientOptions options) {
    this.executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("floe-client-", 0).factory());
    this.context =
        new TransferContext(
            metadata,
            peers::send,
            buffers,
            executor,
            new TransferContext.Shared(
                sources.ticker(),
                sources.random(),
                new InFlightBytes(options.transfer().inFlightBytesMax()),
                counters),
            options);
  }

  /// Where a client gets time and chance from.
  ///
  /// @param random spreads reads over replicas
  public record Sources(Ticker ticker, RandomGenerator random) {}

  /// Stores one copy of some bytes; see `put(String, ValueSource, PutOptions)`.
  public PutResult.Present put(String key, byte[] value) {
    return put(key, ValueSource.of(value), PutOptions.DEFAULT);
  }

  /// Stores a value.
  ///
  /// When this returns, the masters have recorded the value and at least one replica holds all bytes.
  ///
  /// @return `Stored`, or `AlreadyExists` when the key had a value
  /// @throws FloeException `INVALID_KEY`, `INVALID_SIZE`, `WRITE_IN_PROGRESS` (another writes the key),
  ///     `NO_SPACE`, `NOT_ENOUGH_RUNTIMES`, the first replica's error when no replica took the bytes,
  ///     `UNKNOWN_OUTCOME` when no master confirmed the end and none could be asked: it was
  ///     stored if `stat` shows the version that the error's context has under `version`
  public PutResult.Present put(String key, ValueSource source, PutOptions options) {
    return switch (batchPut(List.of(new PutItem(key, source)), options).getFirst()) {
      case PutResult.Present present -> present;
      case PutResult.Failed failed -> throw failed.error();
    };
  }

  /// Stores the content of a file.
  public PutResult.Present putFile(String key, Path file, PutOptions options) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return put(key, ValueSource.of(channel, 0, channel.size()), options);
    } catch (IOException e) {
      throw new FloeException(ErrorCode.IO_ERROR, file + " cannot be read: " + IoReason.of(e), e);
    }
  }

  /// Stores several values; each fails or succeeds by itself.
  ///
  /// A key that comes twice is stored once: the later items fail with `DUPLICATE_IN_BATCH` before
  /// anything is sent.
  ///
  /// @return one result for each item, in order
  public List<PutResult> batchPut(List<PutItem> items, PutOptions options) {
    List<@Nullable PutResult> results = new ArrayList<>();
    List<PutOperation.Item> valid = new ArrayList<>();
    Set<ObjectKey> seen = new HashSet<>();
    long bytes = 0;
    for (PutItem item : items) {
      try {
        ObjectKey key = Keys.parse(item.key());
        long size = Keys.checkSize(key, item.source().sizeBytes());
        if (!seen.add(key)) {
          throw new FloeException(
              ErrorCode.DUPLICATE_IN_BATCH,
              "'" + key + "' comes more than once in this batch; only the first is stored");
        }
        valid.add(new PutOperation.Item(key, item.source()));
        results.add(null);
        bytes += size;
      } catch (FloeException e) {
        results.add(new PutResult.Failed(String.valueOf(item.key()), e));
      }
    }
    PutOperation operation =
        new PutOperation(context, options, context.deadline(options.timeout(), bytes));
    for (int i = 0; i < valid.size(); i += Limits.ENTRY_COMMANDS_MAX) {
      operation.run(valid.subList(i, Math.min(valid.size(), i + Limits.ENTRY_COMMANDS_MAX)));
    }
    return merge(results, valid.stream().map(PutOperation.Item::result).toList());
  }

  /// Reads a value into an array of its own; at most 2 GiB - 1.
  public byte[] get(String key) {
    ArraySink sink = new ArraySink();
    get(key, sink, GetOptions.DEFAULT);
    return sink.bytes();
  }

  /// Reads a value; the destination is filled when this returns, and only then.
  ///
  /// @throws FloeException `NOT_FOUND`, `NOT_READY` (being written), `TOO_LARGE` (does not fit),
  ///     `CORRUPT` (the bytes of every replica were wrong), `UNAVAILABLE` (no replica could be read),
  ///     `DEADLINE_EXCEEDED`
  public GetResult.Loaded get(String key, ValueSink sink, GetOptions options) {
    return get(key, sink, GetOperation.Part.ALL, options);
  }

  /// Reads a part of a value. The way is covered by checksums, the object's own is not compared.
  ///
  /// @throws FloeException as `get`, and `INVALID_ARGUMENT` when the bytes are not within the value
  public GetResult.Loaded getRange(
      String key, long offset, long length, ValueSink sink, GetOptions options) {
    if (offset < 0 || length < 0) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "bytes " + offset + "+" + length + " of '" + key + "': neither may be negative");
    }
    return get(key, sink, new GetOperation.Part(offset, length), options);
  }

  /// Reads several values; each fails or succeeds by itself.
  ///
  /// @return one result for each item, in order
  public List<GetResult> batchGet(List<GetItem> items, GetOptions options) {
    return new BatchGet(context, options).run(items);
  }

  /// Removes an object.
  ///
  /// @param isForced also when it is being read or written
  /// @return whether there was one
  /// @throws FloeException `HAS_LEASE` or `NOT_READY` when it is in use and not forced,
  ///     `UNKNOWN_OUTCOME`
  public boolean remove(String key, boolean isForced) {
    ObjectId id = new ObjectId(context.options().tenant(), Keys.parse(key));
    return switch (context
        .metadata()
        .submit(new MetadataCommand.Remove(id, isForced), callDeadline())) {
      case MetadataReply.Failed failed when failed.code() == ErrorCode.NOT_FOUND -> false;
      case MetadataReply.Failed failed -> throw failed.toException();
      case MetadataReply other -> true;
    };
  }

  /// Whether a key can be read; does not keep it from being evicted.
  public boolean exist(String key) {
    return exist(Collections.singletonList(key)).getFirst();
  }

  /// Whether each key can be read.
  public List<Boolean> exist(List<String> keys) {
    Deadline deadline = callDeadline();
    List<ObjectKey> parsed = keys.stream().map(Keys::parse).toList();
    List<Boolean> all = new ArrayList<>();
    for (int i = 0; i < parsed.size(); i += Limits.BATCH_ITEMS_MAX) {
      all.addAll(
          context
              .metadata()
              .exist(
                  context.options().tenant(),
                  parsed.subList(i, Math.min(parsed.size(), i + Limits.BATCH_ITEMS_MAX)),
                  ReadOptions.PEEK,
                  deadline));
    }
    return all;
  }

  /// How many keys from the first on can be read, up to the first that cannot: how much of a chain of
  /// blocks is there. Keeps none from being evicted, and asks for no more than is needed.
  ///
  /// @param keys in the order of the chain; a key may come more than once
  public int leading(List<String> keys) {
    Deadline deadline = callDeadline();
    List<ObjectKey> parsed = keys.stream().map(Keys::parse).toList();
    for (int from = 0; from < parsed.size(); from += LEADING_CHUNK) {
      List<Boolean> readable =
          context
              .metadata()
              .exist(
                  context.options().tenant(),
                  parsed.subList(from, Math.min(parsed.size(), from + LEADING_CHUNK)),
                  ReadOptions.PEEK,
                  deadline);
      int missing = readable.indexOf(false);
      if (missing >= 0) {
        return from + missing;
      }
    }
    return parsed.size();
  }

  /// The readable objects whose key starts with `prefix`, in key order.
  public ObjectListing list(String prefix) {
    return new ObjectListing(
        token ->
            context
                .metadata()
                .list(
                    context.options().tenant(),
                    prefix,
                    token,
                    Limits.LIST_PAGE_MAX,
                    callDeadline()));
  }

  /// What the masters know of an object, or empty when it cannot be read. A strict read, so it
  /// tells what became of a put with unknown outcome: compare the version with the one in that
  /// error's context.
  public Optional<ObjectStat> stat(String key) {
    ObjectKey parsed = Keys.parse(key);
    Resolution answer =
        context
            .metadata()
            .resolve(
                context.options().tenant(),
                List.of(parsed),
                new ReadOptions(true, false),
                callDeadline())
            .getFirst();
    return switch (answer) {
      case Resolution.Found found ->
          Optional.of(
              new ObjectStat(
                  parsed, found.version(), found.sizeBytes(), found.checksum(), found.replicas()));
      case Resolution.Missing missing -> Optional.empty();
    };
  }

  /// Bytes of requests that are under way now.
  public long inFlightBytes() {
    return context.inFlightBytes();
  }

  /// What this client has done and met.
  public ClientStats stats() {
    return new ClientStats(counters);
  }

  /// Waits for the transfers under way; masters and connections stay open.
  @Override
  public void close() {
    executor.close();
  }

  private GetResult.Loaded get(
      String key, ValueSink sink, GetOperation.Part part, GetOptions options) {
    return switch (new BatchGet(context, options).run(new GetItem(key, sink), part)) {
      case GetResult.Loaded loaded -> loaded;
      case GetResult.Failed failed -> throw failed.error();
    };
  }

  private Deadline callDeadline() {
    return context.deadline(Optional.empty(), 0);
  }

  private static <T> List<T> merge(List<@Nullable T> known, List<T> rest) {
    List<T> merged = new ArrayList<>();
    int next = 0;
    for (T one : known) {
      merged.add(one != null ? one : rest.get(next++));
    }
    return merged;
  }
}
