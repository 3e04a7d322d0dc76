package dev.floe.sim.check;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.state.StateConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which objects there are, from nothing but commands and their replies.
final class ObjectModel {
  private final TreeMap<String, Held> objects = new TreeMap<>();

  /// What is being written to take the place of a readable object.
  private final TreeMap<String, Held> replacing = new TreeMap<>();

  private final Map<String, RouteVersion> lastVersions = new HashMap<>();
  private final SpaceModel space;
  private final StateConfig config;
  private final Situations situations;
  private long lastToken;

  /// An object as the model holds it.
  static final class Held {
    final ObjectId id;
    final RouteVersion version;
    final long sizeBytes;
    final @Nullable SessionId writer;
    final long startMillis;
    final SoftPin softPin;
    String group;
    boolean isHardPinned;
    long softPinnedUntilMillis;
    final Set<Long> tokens = new HashSet<>();
    boolean isActive;
    long checksum;
    List<Replica> replicas;

    Held(
        ObjectId id,
        RouteVersion version,
        MetadataCommand.PutStart command,
        @Nullable SessionId writer,
        long startMillis,
        List<Replica> replicas) {
      this.id = id;
      this.version = version;
      this.sizeBytes = command.sizeBytes();
      this.writer = writer;
      this.startMillis = startMillis;
      this.softPin = command.options().softPin();
      this.group = command.options().group();
      this.isHardPinned = command.options().isHardPinned();
      this.replicas = replicas;
      replicas.forEach(replica -> tokens.add(replica.id()));
    }

    /// When a write at 8 MiB/s has all its bytes: its timeouts begin there.
    long dueMillis() {
      return startMillis + ((1000 * sizeBytes) >> 23);
    }
  }

  /// Who asks, and when.
  record Asked(@Nullable SessionId session, long nowMillis) {}

  ObjectModel(SpaceModel space, StateConfig config, Situations situations) {
    this.space = space;
    this.config = config;
    this.situations = situations;
  }

  @Nullable Held get(ObjectId id) {
    return objects.get(id.toString());
  }

  /// What is to take the object's place, or null.
  @Nullable Held replacing(ObjectId id) {
    return replacing.get(id.toString());
  }

  List<Held> all() {
    return List.copyOf(objects.values());
  }

  /// All unfinished writes, also of objects that are readable meanwhile.
  List<Held> unfinished() {
    List<Held> unfinished =
        new ArrayList<>(objects.values().stream().filter(held -> !held.isActive).toList());
    unfinished.addAll(replacing.values());
    return unfinished;
  }

  /// @return the new write when one began
  @Nullable Held putStart(MetadataCommand.PutStart command, Asked asked, MetadataReply reply) {
    Held before = get(command.id());
    boolean isFree = before == null || isFree(before, command, asked);
    if (reply instanceof MetadataReply.Failed failed) {
      boolean isRight =
          switch (failed.code()) {
            case ALREADY_EXISTS ->
                before != null && before.isActive && !command.options().replaces();
            case INVALID_ARGUMENT ->
                !isFree && before != null && before.isActive && command.options().replaces();
            case WRITE_IN_PROGRESS -> !isFree && before != null && !before.isActive;
            case NO_SPACE, NOT_ENOUGH_RUNTIMES -> isFree;
            default -> false;
          };
      Violation.unless(
          isRight, Invariant.COMMAND_SEMANTICS, () -> command + " was answered " + reply);
      if (failed.code() == ErrorCode.NO_SPACE) {
        situations.hit(Situation.NO_SPACE_ANSWERED);
      }
      return null;
    }
    if (!(reply instanceof MetadataReply.PutStarted started) || !isFree) {
      throw new Violation(Invariant.COMMAND_SEMANTICS, command + " was answered " + reply);
    }
    Held unfinished = before == null || !before.isActive ? before : replacing(command.id());
    if (unfinished != null) {
      situations.hit(
          command.options().replaces()
              ? Situation.WRITE_TAKEN_OVER_BY_A_REPLACING_ONE
              : Situation.WRITE_TAKEN_OVER_AFTER_DISCARD_TIMEOUT);
      abandon(unfinished, releaseMillis(unfinished));
    }
    return begin(command, asked, started);
  }

  private boolean isFree(Held before, MetadataCommand.PutStart command, Asked asked) {
    if (command.options().replaces()) {
      String group = command.options().group();
      return !before.isActive || group.isEmpty() || group.equals(before.group);
    }
    return !before.isActive
        && asked.nowMillis() - waitsFrom(before, asked) >= config.putDiscardMillis();
  }

  private Held begin(
      MetadataCommand.PutStart command, Asked asked, MetadataReply.PutStarted started) {
    List<Replica> replicas = new ArrayList<>();
    Set<Object> runtimes = new HashSet<>();
    for (MetadataReply.ReplicaTarget target : started.targets()) {
      Replica replica = target.replica();
      Violation.unless(
          replica.id() > lastToken
              && runtimes.add(SpaceModel.range(replica).runtime())
              && SpaceModel.range(replica).lengthBytes() >= Math.max(1, command.sizeBytes()),
          Invariant.COMMAND_SEMANTICS,
          () -> command + " got " + replica + " after token " + lastToken);
      lastToken = replica.id();
      if (space.allocate(replica, asked.nowMillis())) {
        situations.hit(Situation.QUARANTINED_SPACE_RELEASED);
      }
      replicas.add(replica);
    }
    Violation.unless(
        !replicas.isEmpty() && replicas.size() <= command.placement().replicaCount(),
        Invariant.COMMAND_SEMANTICS,
        () -> command + " got " + replicas);
    RouteVersion last = lastVersions.put(command.id().toString(), started.version());
    Violation.unless(
        last == null || started.version().compareTo(last) > 0,
        Invariant.VERSION_GROWS,
        () -> command.id() + " had version " + last + " and now has " + started.version());
    Held made =
        new Held(
            command.id(), started.version(), command, asked.session(), asked.nowMillis(), replicas);
    Held readable = get(command.id());
    if (readable == null) {
      objects.put(command.id().toString(), made);
    } else {
      made.group = readable.group;
      made.isHardPinned |= readable.isHardPinned;
      replacing.put(command.id().toString(), made);
    }
    return made;
  }

  /// The write that tokens are of: the unfinished one when any is its, else the object's.
  private @Nullable Held named(ObjectId id, List<Long> tokens) {
    Held next = replacing(id);
    return next != null && tokens.stream().anyMatch(next.tokens::contains) ? next : get(id);
  }

  /// @return the object when it became readable now
  @Nullable Held putEnd(MetadataCommand.PutEnd command, MetadataReply reply, long nowMillis) {
    Held held = named(command.id(), command.replicaIds());
    boolean isCurrent = held != null && held.tokens.containsAll(command.replicaIds());
    if (reply instanceof MetadataReply.Failed failed) {
      situations.hit(Situation.LATE_PUT_END_REFUSED);
      boolean isRight =
          switch (failed.code()) {
            case NOT_FOUND -> held == null;
            case STALE_TOKEN -> held != null && !(isCurrent && isEndable(held, command));
            case INVALID_ARGUMENT ->
                held != null && held.isActive && held.checksum != command.checksum();
            default -> false;
          };
      Violation.unless(isRight, Invariant.TOKEN_SAFETY, () -> command + " was answered " + reply);
      return null;
    }
    if (held == null
        || !isCurrent
        || !isEndable(held, command)
        || !(reply instanceof MetadataReply.Done)) {
      throw new Violation(
          Invariant.TOKEN_SAFETY,
          command + " was answered " + reply + " but the current write has " + tokens(held));
    }
    if (held.isActive) {
      return null;
    }
    List<Replica> kept = new ArrayList<>();
    for (Replica replica : held.replicas) {
      if (command.replicaIds().contains(replica.id())) {
        kept.add(replica);
      } else {
        situations.hit(Situation.PUT_ENDED_WITH_FEWER_REPLICAS);
        space.quarantine(replica, givenUpMillis(held));
      }
    }
    held.replicas = kept;
    held.isActive = true;
    held.checksum = command.checksum();
    Held replaced = get(held.id);
    long pinnedBefore = 0;
    if (replaced != null && replaced != held) {
      situations.hit(Situation.OBJECT_REPLACED);
      pinnedBefore = replaced.softPinnedUntilMillis;
      replaced.replicas.forEach(space::free);
      replacing.remove(held.id.toString());
      objects.put(held.id.toString(), held);
    }
    held.softPinnedUntilMillis =
        switch (held.softPin) {
          case SoftPin.Preserve _ -> pinnedBefore > nowMillis ? pinnedBefore : 0;
          case SoftPin.Disable _ -> 0;
          case SoftPin.Enable enable -> nowMillis + enable.ttlMillis();
        };
    return held;
  }

  /// An end must name a replica that is left; a repeated one all that are left.
  private static boolean isEndable(Held held, MetadataCommand.PutEnd command) {
    return held.isActive
        ? held.replicas.stream().allMatch(replica -> command.replicaIds().contains(replica.id()))
        : held.replicas.stream().anyMatch(replica -> command.replicaIds().contains(replica.id()));
  }

  void putRevoke(MetadataCommand.PutRevoke command, MetadataReply reply) {
    Held held = named(command.id(), command.replicaIds());
    boolean isCurrent = held != null && held.tokens.containsAll(command.replicaIds());
    if (reply instanceof MetadataReply.Failed failed) {
      situations.hit(Situation.LATE_PUT_REVOKE_REFUSED);
      boolean isRight =
          switch (failed.code()) {
            case STALE_TOKEN -> held != null && !isCurrent;
            case ALREADY_EXISTS -> held != null && held.isActive;
            default -> false;
          };
      Violation.unless(isRight, Invariant.TOKEN_SAFETY, () -> command + " was answered " + reply);
      return;
    }
    Violation.unless(
        reply instanceof MetadataReply.Done && (held == null || (isCurrent && !held.isActive)),
        Invariant.TOKEN_SAFETY,
        () -> command + " was answered " + reply + " but the current write has " + tokens(held));
    if (held != null) {
      free(held);
    }
  }

  /// @return the object that is no longer readable, or null
  @Nullable Held remove(MetadataCommand.Remove command, MetadataReply reply) {
    Held held = get(command.id());
    if (reply instanceof MetadataReply.Failed failed) {
      boolean isRight =
          switch (failed.code()) {
            case NOT_FOUND -> held == null;
            case NOT_READY ->
                held != null
                    && (!held.isActive || replacing(held.id) != null)
                    && !command.isForced();
            case HAS_LEASE -> held != null && held.isActive && isLeased(command);
            default -> false;
          };
      if (failed.code() == ErrorCode.HAS_LEASE) {
        situations.hit(Situation.REMOVE_REFUSED_BY_READ_LEASE);
      }
      Violation.unless(
          isRight, Invariant.COMMAND_SEMANTICS, () -> command + " was answered " + reply);
      return null;
    }
    if (held == null || !(reply instanceof MetadataReply.Done)) {
      throw new Violation(Invariant.COMMAND_SEMANTICS, command + " was answered " + reply);
    }
    Violation.unless(
        !isLeased(command),
        Invariant.COMMAND_SEMANTICS,
        () -> command + " removed an object that is being read");
    Held next = replacing(held.id);
    Violation.unless(
        command.isForced() || (held.isActive && next == null),
        Invariant.COMMAND_SEMANTICS,
        () -> command + " removed an unfinished write");
    if (next != null) {
      free(next);
    }
    free(held);
    return held.isActive ? held : null;
  }

  /// @return the objects that are no longer readable
  List<Held> evict(MetadataCommand.Evict command, MetadataReply reply, long nowMillis) {
    Map<ObjectId, RouteVersion> proposed = new HashMap<>();
    command.victims().forEach(victim -> proposed.put(victim.id(), victim.version()));
    List<Held> gone = new ArrayList<>();
    for (MetadataCommand.Victim victim : command.victims()) {
      Held held = get(victim.id());
      if (held == null || !held.version.equals(victim.version())) {
        situations.hit(Situation.EVICTION_OF_WHAT_HAS_CHANGED_REFUSED);
        continue;
      }
      List<Held> going =
          groupOf(held).stream().filter(one -> isEvictable(one, command, nowMillis)).toList();
      if (isEvictable(held, command, nowMillis)
          && going.stream().allMatch(one -> one.version.equals(proposed.get(one.id)))) {
        going.forEach(this::free);
        gone.addAll(going);
      }
    }
    if (!gone.isEmpty()) {
      situations.hit(Situation.OBJECT_EVICTED);
    }
    long bytes =
        gone.stream()
            .flatMap(held -> held.replicas.stream())
            .mapToLong(replica -> SpaceModel.range(replica).lengthBytes())
            .sum();
    Violation.unless(
        reply.equals(new MetadataReply.Evicted(gone.size(), bytes)),
        Invariant.COMMAND_SEMANTICS,
        () -> command + " was answered " + reply + ", not " + gone.size() + " and " + bytes);
    return gone;
  }

  private boolean isEvictable(Held held, MetadataCommand.Evict command, long nowMillis) {
    return held.isActive
        && replacing(held.id) == null
        && !held.isHardPinned
        && (command.takesSoftPinned() || held.softPinnedUntilMillis <= nowMillis);
  }

  private List<Held> groupOf(Held held) {
    return held.group.isEmpty()
        ? List.of(held)
        : all().stream()
            .filter(
                other ->
                    other.group.equals(held.group) && other.id.tenant().equals(held.id.tenant()))
            .toList();
  }

  private static boolean isLeased(MetadataCommand.Remove command) {
    return command.leasedMillis() > 0 && !command.isForced();
  }

  /// A session ended: its unfinished writes go.
  ///
  /// @param isFreed whether their space is free at once
  void endSession(SessionId session, boolean isFreed) {
    for (Held held : unfinished()) {
      if (session.equals(held.writer)) {
        if (isFreed) {
          situations.hit(Situation.SESSION_CLOSED_WITH_UNFINISHED_WRITE);
          free(held);
        } else {
          abandon(held, givenUpMillis(held));
        }
      }
    }
  }

  /// A segment is gone with its replicas.
  ///
  /// @return the readable objects that went with it
  List<Held> dropSegment(SegmentId segment) {
    List<Held> lost = new ArrayList<>();
    List<Held> every = new ArrayList<>(all());
    every.addAll(replacing.values());
    for (Held held : every) {
      List<Replica> left =
          held.replicas.stream()
              .filter(replica -> !SpaceModel.range(replica).segment().equals(segment))
              .toList();
      if (left.size() == held.replicas.size()) {
        continue;
      }
      held.replicas = left;
      if (left.isEmpty()) {
        forget(held);
        if (held.isActive) {
          situations.hit(Situation.OBJECT_LOST_WITH_ITS_RUNTIMES);
          lost.add(held);
        }
      }
    }
    for (Held held : lost) {
      Held next = replacing.remove(held.id.toString());
      if (next != null) {
        situations.hit(Situation.OBJECT_LOST_WHILE_IT_IS_REPLACED);
        objects.put(held.id.toString(), next);
      }
    }
    space.unmount(segment);
    return lost;
  }

  private void forget(Held held) {
    objects.remove(held.id.toString(), held);
    replacing.remove(held.id.toString(), held);
  }

  /// Time has come for unfinished writes whose release timeout has passed.
  ///
  /// @return the writes that went
  List<Held> release(long nowMillis) {
    List<Held> due =
        unfinished().stream().filter(held -> releaseMillis(held) <= nowMillis).toList();
    due.forEach(this::free);
    return due;
  }

  private long releaseMillis(Held held) {
    return held.dueMillis() + config.putReleaseMillis();
  }

  private long givenUpMillis(Held held) {
    return held.startMillis + config.putReleaseMillis();
  }

  private static long waitsFrom(Held held, Asked asked) {
    return Objects.equals(held.writer, asked.session()) ? held.startMillis : held.dueMillis();
  }

  private void free(Held held) {
    held.replicas.forEach(space::free);
    forget(held);
  }

  private void abandon(Held held, long untilMillis) {
    held.replicas.forEach(replica -> space.quarantine(replica, untilMillis));
    forget(held);
  }

  private static String tokens(@Nullable Held held) {
    return held == null ? "no tokens" : held.tokens + (held.isActive ? " complete" : "");
  }
}
