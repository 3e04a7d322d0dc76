package dev.floe.store.client;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RuntimeId;
import dev.floe.store.client.transfer.Parallel;
import dev.floe.store.client.transfer.TransferContext;
import dev.floe.store.client.transfer.ValueWriter;
import dev.floe.store.client.value.ValueSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Puts some values together: begins all with one call to the masters, moves the bytes of several
/// at a time, and ends all with one call. Each value fails or succeeds by itself.
///
/// One replica that holds all bytes is enough for a success. A value that no replica took is revoked
/// and put again on runtimes that have not failed it, until the deadline, the attempts or the runtimes
/// are used up.
final class PutOperation {
  /// About a second in all.
  private static final int SPACE_ATTEMPTS_MAX = 14;

  private static final int SPACE_PAUSE_MILLIS_MAX = 200;

  private final TransferContext context;
  private final PutOptions options;
  private final Deadline deadline;

  PutOperation(TransferContext context, PutOptions options, Deadline deadline) {
    this.context = context;
    this.options = options;
    this.deadline = deadline;
  }

  /// A value that is to be put; its key and size are valid, and no other has its key.
  static final class Item {
    final ObjectKey key;
    final ValueSource source;
    private MetadataReply.@Nullable PutStarted started;
    private ValueWriter.@Nullable Outcome written;
    private @Nullable PutResult result;

    /// Runtimes that did not take the bytes, and why the first attempt failed.
    private final Set<RuntimeId> failedOn = new HashSet<>();

    private @Nullable FloeException firstFailure;

    Item(ObjectKey key, ValueSource source) {
      this.key = key;
      this.source = source;
    }

    PutResult result() {
      PutResult known = result;
      if (known == null) {
        throw new IllegalStateException("the put of '" + key + "' has no result");
      }
      return known;
    }

    private void fail(FloeException error) {
      result = new PutResult.Failed(key.value(), error);
    }

    /// Fails for what the first attempt met; `also` is why there was no further one.
    private void failAtLast(FloeException also) {
      FloeException first = firstFailure;
      if (first == null) {
        fail(also);
        return;
      }
      first.addSuppressed(also);
      fail(first);
    }

    private boolean foundNoSpace() {
      return result instanceof PutResult.Failed failed
          && failed.error().code() == ErrorCode.NO_SPACE;
    }

    private FloeException failure() {
      if (result instanceof PutResult.Failed failed) {
        return failed.error();
      }
      throw new IllegalStateException("the put of '" + key + "' has not failed");
    }

    private boolean isWorthAnotherTry() {
      return written != null && written.isWorthAnotherTry();
    }

    /// Makes it an item that was not begun, after the masters have given its write up.
    private void startOver() {
      ValueWriter.Outcome attempt = written;
      if (attempt != null) {
        failedOn.addAll(attempt.lostOn());
        firstFailure = firstFailure == null ? attempt.failures().getFirst() : firstFailure;
      }
      started = null;
      written = null;
    }
  }

  /// Puts all; afterwards each has its result.
  void run(List<Item> items) {
    begin(items, items.stream().map(item -> options.placement()).toList());
    awaitSpace(items);
    move(items.stream().filter(item -> item.started != null).toList());
    for (int attempt = 2; attempt <= Limits.PUT_ATTEMPTS_MAX && !deadline.isExpired(); attempt++) {
      List<Item> failed = items.stream().filter(Item::isWorthAnotherTry).toList();
      if (failed.isEmpty()) {
        break;
      }
      putElsewhere(failed);
    }
    end(items.stream().filter(item -> item.started != null).toList());
  }

  /// Tries again for a while where memory is full: the masters make room when a write finds none.
  private void awaitSpace(List<Item> items) {
    for (int attempt = 1;
        attempt <= SPACE_ATTEMPTS_MAX && deadline.remainingMillis() > SPACE_PAUSE_MILLIS_MAX;
        attempt++) {
      List<Item> full = items.stream().filter(Item::foundNoSpace).toList();
      if (full.isEmpty()) {
        return;
      }
      Probe.sometimes("put.waits-for-space");
      try {
        context.pause(attempt, deadline, full.getFirst().failure());
      } catch (FloeException interrupted) {
        // The others go on to their own end, which gives their writes up.
        context.ignored(interrupted);
        return;
      }
      full.forEach(item -> item.result = null);
      begin(full, full.stream().map(item -> options.placement()).toList());
    }
  }

  /// Gives the writes of some items up and begins them again on other runtimes; those for which there
  /// is none stay as they are.
  private void putElsewhere(List<Item> items) {
    OtherRuntimes others = new OtherRuntimes(context, options, deadline);
    List<Item> movable = new ArrayList<>();
    List<MetadataCommand.Placement> placements = new ArrayList<>();
    for (Item item : items) {
      Set<RuntimeId> failed = new HashSet<>(item.failedOn);
      ValueWriter.Outcome written = item.written;
      if (written != null) {
        failed.addAll(written.lostOn());
      }
      Optional<MetadataCommand.Placement> placement = others.without(failed);
      if (placement.isPresent()) {
        movable.add(item);
        placements.add(placement.get());
      }
    }
    List<Item> free = new ArrayList<>();
    List<MetadataCommand.Placement> places = new ArrayList<>();
    List<MetadataReply> replies = giveUp(movable);
    for (int i = 0; i < replies.size(); i++) {
      // One that is refused, say because another took the key by force, keeps no other back.
      if (replies.get(i) instanceof MetadataReply.Done) {
        free.add(movable.get(i));
        places.add(placements.get(i));
      }
    }
    if (!free.isEmpty()) {
      Probe.sometimes("put.goes-to-other-runtimes");
      context.counters().retries.add(free.size());
      free.forEach(Item::startOver);
      begin(free, places);
      move(free.stream().filter(item -> item.started != null).toList());
    }
  }

  /// Revokes begun writes; a reply for each, `Done` when its key is free, or none at all when no
  /// master confirmed them.
  private List<MetadataReply> giveUp(List<Item> items) {
    List<MetadataCommand.Client> revokes = new ArrayList<>();
    items.forEach(item -> addRevoke(revokes, item));
    if (revokes.isEmpty()) {
      return List.of();
    }
    try {
      return context.metadata().submit(revokes, deadline);
    } catch (FloeException e) {
      context.ignored(e);
      return List.of();
    }
  }

  private void begin(List<Item> items, List<MetadataCommand.Placement> placements) {
    List<MetadataCommand.PutStart> commands = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      commands.add(
          new MetadataCommand.PutStart(
              id(item), item.source.sizeBytes(), placements.get(i), options.write()));
    }
    List<MetadataReply> replies;
    try {
      replies = context.metadata().submit(commands, deadline);
    } catch (FloeException e) {
      items.forEach(item -> item.failAtLast(notBegun(item, e)));
      return;
    }
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      switch (replies.get(i)) {
        case MetadataReply.PutStarted started -> item.started = started;
        case MetadataReply.Failed failed when failed.code() == ErrorCode.ALREADY_EXISTS ->
            item.result = new PutResult.AlreadyExists(item.key);
        case MetadataReply.Failed failed -> item.failAtLast(failed.toException());
        case MetadataReply other -> item.fail(unexpected(other));
      }
    }
  }

  /// A write whose beginning is in doubt stores nothing: only its end would.
  private static FloeException notBegun(Item item, FloeException e) {
    if (e.code() != ErrorCode.UNKNOWN_OUTCOME) {
      return e;
    }
    return new FloeException(
        ErrorCode.UNAVAILABLE,
        "no master confirmed the begin of the put of '"
            + item.key
            + "': nothing was stored, but the key may be taken until the write times out",
        e);
  }

  private void move(List<Item> items) {
    if (items.size() == 1) {
      move(items.getFirst());
      return;
    }
    Parallel.forEach(context.executor(), items, this::move);
  }

  private void move(Item item) {
    MetadataReply.PutStarted started = item.started;
    if (started == null) {
      return;
    }
    List<ReplicaTarget> targets =
        started.targets().stream()
            .filter(target -> !item.failedOn.contains(TransferContext.runtimeOf(target)))
            .toList();
    if (targets.isEmpty()) {
      item.written =
          ValueWriter.Outcome.none(
              new FloeException(
                  ErrorCode.NO_SPACE,
                  "no other store has room for the value; start another one or remove objects"));
      return;
    }
    try {
      item.written = new ValueWriter(context, item.source, targets, deadline).write();
    } catch (FloeException e) {
      item.written = ValueWriter.Outcome.none(e);
    } catch (RuntimeException e) {
      item.written =
          ValueWriter.Outcome.none(
              new FloeException(
                  ErrorCode.INTERNAL, "the source of '" + item.key + "' failed: " + e, e));
    }
  }

  private void end(List<Item> items) {
    List<Item> complete = new ArrayList<>();
    List<MetadataCommand.Client> ends = new ArrayList<>();
    List<MetadataCommand.Client> revokes = new ArrayList<>();
    for (Item item : items) {
      ValueWriter.Outcome written = item.written;
      MetadataReply.PutStarted started = item.started;
      if (written == null || started == null) {
        continue;
      }
      if (written.tokens().isEmpty()) {
        item.failAtLast(written.failures().getFirst());
        addRevoke(revokes, item);
      } else {
        complete.add(item);
        ends.add(new MetadataCommand.PutEnd(id(item), written.tokens(), written.checksum()));
      }
    }
    if (!ends.isEmpty()) {
      complete(complete, ends, revokes);
    }
    if (!revokes.isEmpty()) {
      revoke(revokes);
    }
  }

  /// @param revokes gets what certainly was not completed, so that key and space are free at once
  private void complete(
      List<Item> items, List<MetadataCommand.Client> ends, List<MetadataCommand.Client> revokes) {
    List<MetadataReply> replies;
    try {
      replies = context.metadata().submit(ends, deadline);
    } catch (FloeException e) {
      for (Item item : items) {
        if (e.code() == ErrorCode.UNKNOWN_OUTCOME) {
          findOut(item, e);
        } else {
          item.fail(e);
          addRevoke(revokes, item);
        }
      }
      return;
    }
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      switch (replies.get(i)) {
        case MetadataReply.Done done -> stored(item);
        case MetadataReply.Failed failed -> {
          context.count(failed.toException());
          item.fail(failed.toException());
          addRevoke(revokes, item);
        }
        case MetadataReply other -> item.fail(unexpected(other));
      }
    }
  }

  private void addRevoke(List<MetadataCommand.Client> revokes, Item item) {
    MetadataReply.PutStarted started = item.started;
    if (started != null) {
      revokes.add(new MetadataCommand.PutRevoke(id(item), tokens(started)));
    }
  }

  private void stored(Item item) {
    ValueWriter.Outcome written = item.written;
    MetadataReply.PutStarted started = item.started;
    if (written != null && started != null) {
      item.result =
          new PutResult.Stored(
              item.key,
              started.version(),
              item.source.sizeBytes(),
              written.checksum(),
              written.tokens().size());
      context.counters().puts.increment();
      context.counters().putBytes.add(item.source.sizeBytes());
    }
  }

  /// No master confirmed the end: asks whether the object is there in this version.
  private void findOut(Item item, FloeException error) {
    MetadataReply.PutStarted started = item.started;
    if (started == null) {
      item.fail(error);
      return;
    }
    try {
      Resolution answer =
          context
              .metadata()
              .resolve(
                  context.options().tenant(),
                  List.of(item.key),
                  new MetadataApi.ReadOptions(true, false),
                  context.probeDeadline())
              .getFirst();
      if (answer instanceof Resolution.Found found && found.version().equals(started.version())) {
        Probe.sometimes("put.end-found-out-by-reading");
        stored(item);
        return;
      }
    } catch (FloeException e) {
      error.addSuppressed(e);
    }
    String version = started.version().toString();
    item.fail(
        new FloeException(
            ErrorCode.UNKNOWN_OUTCOME,
            "no master confirmed the end of the put of '"
                + item.key
                + "'; it took effect if stat shows version "
                + version
                + " ("
                + error.getMessage()
                + ")",
            Map.of("version", version),
            error));
  }

  /// Gives space back at once that the masters would free after a timeout.
  private void revoke(List<MetadataCommand.Client> revokes) {
    if (Probe.buggify("put.sends-no-revoke")) {
      return;
    }
    try {
      context.metadata().submit(revokes, deadline.isExpired() ? context.probeDeadline() : deadline);
    } catch (FloeException e) {
      context.ignored(e);
    }
  }

  private ObjectId id(Item item) {
    return new ObjectId(context.options().tenant(), item.key);
  }

  private static List<Long> tokens(MetadataReply.PutStarted started) {
    return started.targets().stream().map(target -> target.replica().id()).toList();
  }

  private static FloeException unexpected(MetadataReply reply) {
    return new FloeException(
        ErrorCode.INTERNAL, "a master answered a put with " + reply + ": this is a defect");
  }
}
