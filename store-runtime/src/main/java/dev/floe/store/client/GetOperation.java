package dev.floe.store.client;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.client.transfer.ReadLease;
import dev.floe.store.client.transfer.ReadProgress;
import dev.floe.store.client.transfer.ReplicaReader;
import dev.floe.store.client.transfer.TransferContext;
import dev.floe.store.client.value.ValueSink;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One read of an object or of a part of it: the only way in which bytes reach a caller.
///
/// It goes from replica to replica, on with what is verified already, and looks the object up once
/// more when none was left. When the whole did not match the object's checksum, it reads from each
/// replica alone. An object that was replaced meanwhile is read from its beginning in its new version:
/// no byte of two versions ever comes together.
final class GetOperation {
  private static final int LOOKUPS_MAX = 2;

  private final TransferContext context;
  private final ObjectKey key;
  private final ValueSink sink;
  private final Part part;
  private final Deadline deadline;
  private List<FloeException> failures = new ArrayList<>();

  GetOperation(
      TransferContext context, ObjectKey key, ValueSink sink, Part part, Deadline deadline) {
    this.context = context;
    this.key = key;
    this.sink = sink;
    this.part = part;
    this.deadline = deadline;
  }

  /// Which bytes of an object.
  ///
  /// @param length -1 for all from `from` on
  record Part(long from, long length) {
    static final Part ALL = new Part(0, -1);
  }

  /// Reads with a look-up that was made a moment ago.
  ///
  /// @param askedAtNanos before that look-up
  GetResult.Loaded run(Resolution.Found first, long askedAtNanos) {
    sink.begin(lengthIn(first));
    boolean isDone = false;
    try {
      GetResult.Loaded loaded = read(first, askedAtNanos);
      sink.commit();
      isDone = true;
      context.counters().gets.increment();
      context.counters().getBytes.add(loaded.receivedBytes());
      return loaded;
    } finally {
      if (!isDone) {
        sink.abort();
      }
    }
  }

  private long lengthIn(Resolution.Found found) {
    long length = part.length < 0 ? found.sizeBytes() - part.from : part.length;
    if (part.from < 0 || length < 0 || part.from > found.sizeBytes() - length) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "bytes "
              + part.from
              + "+"
              + part.length
              + " are not within '"
              + key
              + "', which has "
              + found.sizeBytes());
    }
    return length;
  }

  private GetResult.Loaded read(Resolution.Found first, long askedAtNanos) {
    ReadProgress progress = progressIn(first);
    Resolution.Found found = first;
    long askedAt = askedAtNanos;
    int versions = 1;
    int lookups = 1;
    while (true) {
      failures = new ArrayList<>();
      if (readFromAny(found, progress, new ReadLease(context, key, found, askedAt))) {
        return new GetResult.Loaded(
            key, found.version(), found.sizeBytes(), found.checksum(), lengthIn(found));
      }
      if (deadline.isExpired()) {
        throw failed(found);
      }
      Probe.sometimes("get.looks-up-again");
      context.counters().refreshes.increment();
      askedAt = context.ticker().nanos();
      Resolution.Found again = lookUpAgain(found, lookups);
      if (again.version().equals(found.version())) {
        if (lookups == LOOKUPS_MAX) {
          throw failed(found);
        }
        lookups++;
      } else {
        if (versions == Limits.READ_VERSIONS_MAX) {
          throw failed(found);
        }
        versions++;
        lookups = 1;
        progress = begunAnew(again, progress);
      }
      found = again;
    }
  }

  /// The last look-up only tells whether the object was replaced: when no master answers it, what the
  /// replicas said is what there is to tell.
  private Resolution.Found lookUpAgain(Resolution.Found before, int lookups) {
    try {
      return lookUp();
    } catch (FloeException e) {
      boolean isGone = e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.NOT_READY;
      if (lookups < LOOKUPS_MAX || isGone) {
        throw e;
      }
      throw failed(before);
    }
  }

  private ReadProgress progressIn(Resolution.Found found) {
    return new ReadProgress(sink, part.from, part.from + lengthIn(found));
  }

  /// Forgets what came of the version before.
  private ReadProgress begunAnew(Resolution.Found again, ReadProgress before) {
    if (!before.restart()) {
      throw new FloeException(
          ErrorCode.UNAVAILABLE,
          "'" + key + "' was replaced after a part of it had gone into the channel; get it again");
    }
    ReadProgress progress = progressIn(again);
    if (progress.end() != before.end()) {
      sink.begin(lengthIn(again));
    }
    return progress;
  }

  private Resolution.Found lookUp() {
    Resolution answer =
        context
            .metadata()
            .resolve(
                context.options().tenant(), List.of(key), MetadataApi.ReadOptions.DEFAULT, deadline)
            .getFirst();
    return switch (answer) {
      case Resolution.Found found -> found;
      case Resolution.Missing missing -> throw missing.toException();
    };
  }

  /// Tries all replicas; true when every byte is there and right.
  private boolean readFromAny(Resolution.Found found, ReadProgress progress, ReadLease lease) {
    List<ReplicaTarget> replicas = inTurn(found.replicas());
    for (ReplicaTarget replica : replicas) {
      FloeException failure = readFrom(replica, found, progress, lease);
      if (failure == null) {
        if (isRight(found, progress)) {
          return true;
        }
        noteMismatch(found, progress);
        return readFromEachAlone(
            progress.isAllFrom(replica)
                ? replicas.stream().filter(other -> !other.equals(replica)).toList()
                : replicas,
            found,
            progress,
            lease);
      }
      note(replica, failure);
    }
    return false;
  }

  /// @param replicas without the one whose bytes are known to be wrong
  private boolean readFromEachAlone(
      List<ReplicaTarget> replicas,
      Resolution.Found found,
      ReadProgress progress,
      ReadLease lease) {
    for (ReplicaTarget replica : replicas) {
      restartOrGiveUp(progress);
      FloeException failure = readFrom(replica, found, progress, lease);
      if (failure == null && isRight(found, progress)) {
        return true;
      }
      if (failure == null) {
        noteMismatch(found, progress);
      } else {
        note(replica, failure);
      }
    }
    restartOrGiveUp(progress);
    return false;
  }

  private void restartOrGiveUp(ReadProgress progress) {
    if (!progress.restart()) {
      throw new FloeException(
          ErrorCode.CORRUPT,
          "'"
              + key
              + "' did not match its checksum, and a part of it has gone into the channel already");
    }
  }

  private @Nullable FloeException readFrom(
      ReplicaTarget replica, Resolution.Found found, ReadProgress progress, ReadLease lease) {
    long before = progress.position();
    try {
      new ReplicaReader(context, replica, found.sizeBytes(), deadline)
          .read(progress, () -> lease.renewIfDue(deadline));
      return null;
    } catch (FloeException e) {
      if (progress.sinkFailure() != null || e.code() == ErrorCode.CANCELLED) {
        throw e;
      }
      return e;
    } finally {
      if (progress.position() > before) {
        progress.cameFrom(replica);
      }
    }
  }

  private boolean isRight(Resolution.Found found, ReadProgress progress) {
    boolean isWhole = part.from == 0 && progress.end() == found.sizeBytes();
    return !isWhole || progress.checksum() == found.checksum();
  }

  private void noteMismatch(Resolution.Found found, ReadProgress progress) {
    context.counters().checksumMismatches.increment();
    failures.add(
        new FloeException(
            ErrorCode.CHECKSUM_MISMATCH,
            "all "
                + found.sizeBytes()
                + " bytes came from replicas "
                + progress.contributors()
                + ", but with CRC32C "
                + Long.toHexString(progress.checksum())
                + " instead of "
                + Long.toHexString(found.checksum())));
  }

  private void note(ReplicaTarget replica, FloeException failure) {
    context.count(failure);
    Probe.sometimes("get.goes-to-another-replica");
    context.counters().failovers.increment();
    failures.add(
        new FloeException(
            failure.code(),
            "replica "
                + replica.replica().id()
                + " at "
                + replica.endpoint()
                + ": "
                + failure.getMessage(),
            failure));
  }

  private FloeException failed(Resolution.Found found) {
    boolean allWrong =
        !failures.isEmpty()
            && failures.stream().allMatch(f -> f.code() == ErrorCode.CHECKSUM_MISMATCH);
    ErrorCode code =
        allWrong
            ? ErrorCode.CORRUPT
            : deadline.isExpired() ? ErrorCode.DEADLINE_EXCEEDED : ErrorCode.UNAVAILABLE;
    StringBuilder why = new StringBuilder();
    failures.forEach(f -> why.append("; ").append(f.getMessage()));
    FloeException error =
        new FloeException(
            code,
            "none of the "
                + found.replicas().size()
                + " replicas of '"
                + key
                + "' could be read"
                + why);
    failures.forEach(error::addSuppressed);
    return error;
  }

  private List<ReplicaTarget> inTurn(List<ReplicaTarget> replicas) {
    if (replicas.size() < 2) {
      return replicas;
    }
    int first = context.random(replicas.size());
    List<ReplicaTarget> turned = new ArrayList<>(replicas.subList(first, replicas.size()));
    turned.addAll(replicas.subList(0, first));
    return turned;
  }
}
