package dev.floe.store.client;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.client.transfer.Parallel;
import dev.floe.store.client.transfer.TransferContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads some values together: one look-up for all, then the bytes of several at a time.
final class BatchGet {
  private final TransferContext context;
  private final GetOptions options;

  BatchGet(TransferContext context, GetOptions options) {
    this.context = context;
    this.options = options;
  }

  /// Reads a part of one value.
  GetResult run(GetItem item, GetOperation.Part part) {
    List<Read> reads = List.of(new Read(item));
    group(reads, part);
    return reads.getFirst().result();
  }

  /// Reads all; one result for each item, in order.
  List<GetResult> run(List<GetItem> items) {
    List<Read> reads = items.stream().map(Read::new).toList();
    for (int i = 0; i < reads.size(); i += Limits.ENTRY_COMMANDS_MAX) {
      group(
          reads.subList(i, Math.min(reads.size(), i + Limits.ENTRY_COMMANDS_MAX)),
          GetOperation.Part.ALL);
    }
    return reads.stream().map(Read::result).toList();
  }

  private void group(List<Read> reads, GetOperation.Part part) {
    reads.forEach(Read::parse);
    List<Read> valid = reads.stream().filter(read -> read.key != null).toList();
    long askedAt = context.ticker().nanos();
    Deadline lookUpBy = context.deadline(options.timeout(), 0);
    find(valid, lookUpBy);
    List<Read> found = valid.stream().filter(read -> read.found != null).toList();
    long bytes = found.stream().mapToLong(Read::sizeBytes).sum();
    // A timeout of the caller's counts from the look-up on; the client's own grows with the bytes.
    Deadline deadline =
        options.timeout().isPresent() ? lookUpBy : context.deadline(options.timeout(), bytes);
    if (found.size() == 1) {
      read(found.getFirst(), part, askedAt, deadline);
    } else {
      Parallel.forEach(context.executor(), found, one -> read(one, part, askedAt, deadline));
    }
  }

  private void find(List<Read> reads, Deadline deadline) {
    if (reads.isEmpty()) {
      return;
    }
    List<ObjectKey> keys = new ArrayList<>();
    for (Read read : reads) {
      if (read.key != null) {
        keys.add(read.key);
      }
    }
    try {
      List<Resolution> answers =
          context
              .metadata()
              .resolve(
                  context.options().tenant(),
                  keys,
                  new ReadOptions(options.isStrict(), true),
                  deadline);
      for (int i = 0; i < reads.size(); i++) {
        switch (answers.get(i)) {
          case Resolution.Found found -> reads.get(i).found = found;
          case Resolution.Missing missing -> reads.get(i).fail(missing.toException());
        }
      }
    } catch (FloeException e) {
      reads.forEach(read -> read.fail(e));
    }
  }

  private void read(Read read, GetOperation.Part part, long askedAt, Deadline deadline) {
    ObjectKey key = read.key;
    Resolution.Found found = read.found;
    if (key == null || found == null) {
      return;
    }
    try {
      read.result =
          new GetOperation(context, key, read.item.sink(), part, deadline).run(found, askedAt);
    } catch (FloeException e) {
      read.fail(e);
    } catch (RuntimeException e) {
      read.fail(
          new FloeException(
              ErrorCode.INTERNAL, "the destination of '" + key + "' failed: " + e, e));
    }
  }

  /// One value on its way.
  private static final class Read {
    final GetItem item;
    @Nullable ObjectKey key;
    Resolution.@Nullable Found found;
    @Nullable GetResult result;

    Read(GetItem item) {
      this.item = item;
    }

    void parse() {
      try {
        key = Keys.parse(item.key());
      } catch (FloeException e) {
        fail(e);
      }
    }

    long sizeBytes() {
      return found == null ? 0 : found.sizeBytes();
    }

    void fail(FloeException error) {
      result = new GetResult.Failed(String.valueOf(item.key()), error);
    }

    GetResult result() {
      GetResult known = result;
      if (known == null) {
        throw new IllegalStateException("the get of '" + item.key() + "' has no result");
      }
      return known;
    }
  }
}
