package dev.floe.sim.check;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.SegmentId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which runtimes are registered with which segments.
final class RuntimeModel {
  private final Map<RuntimeId, Long> lastEpochs = new HashMap<>();
  private final TreeMap<RuntimeId, Registered> runtimes = new TreeMap<>();
  private final Situations situations;
  private long lastSegment;

  static final class Registered {
    final RuntimeProcess process;
    final long epoch;
    RuntimeState state = RuntimeState.ALIVE;
    final TreeMap<SegmentId, Mounted> segments = new TreeMap<>();

    Registered(RuntimeProcess process, long epoch) {
      this.process = process;
      this.epoch = epoch;
    }
  }

  /// A segment as it was mounted.
  record Mounted(String name, long capacityBytes) {}

  RuntimeModel(Situations situations) {
    this.situations = situations;
  }

  @Nullable Registered get(RuntimeId id) {
    return runtimes.get(id);
  }

  /// How a process is refused the place of the one that is registered; null when it gets it.
  private static @Nullable ErrorCode refusal(Registered before, RuntimeProcess process) {
    if (before.process.incarnation().equals(process.incarnation())) {
      return null;
    }
    boolean isOnItsDirectory = before.process.directory().equals(process.directory());
    if (isOnItsDirectory && process.start() < before.process.start()) {
      return ErrorCode.STALE_EPOCH;
    }
    boolean isLater = isOnItsDirectory && process.start() > before.process.start();
    boolean isServing = before.state == RuntimeState.ALIVE && !before.segments.isEmpty();
    return isServing && !isLater ? ErrorCode.RUNTIME_IN_USE : null;
  }

  /// @return the segments that went
  List<SegmentId> register(MetadataCommand.RegisterRuntime command, MetadataReply reply) {
    Registered before = runtimes.get(command.runtime());
    ErrorCode refusal = before == null ? null : refusal(before, command.process());
    if (reply instanceof MetadataReply.Failed failed && failed.code() == refusal) {
      return List.of();
    }
    if (refusal != null || !(reply instanceof MetadataReply.RuntimeRegistered registered)) {
      throw new Violation(Invariant.COMMAND_SEMANTICS, command + " was answered " + reply);
    }
    if (before != null && before.process.incarnation().equals(command.incarnation())) {
      Violation.unless(
          registered.epoch() == before.epoch,
          Invariant.COMMAND_SEMANTICS,
          () -> command + " repeats epoch " + before.epoch + " but was answered " + reply);
      before.state = RuntimeState.ALIVE;
      return List.of();
    }
    long last = lastEpochs.getOrDefault(command.runtime(), 0L);
    Violation.unless(
        registered.epoch() > last,
        Invariant.COMMAND_SEMANTICS,
        () -> command + " must get an epoch above " + last + " but was answered " + reply);
    lastEpochs.put(command.runtime(), registered.epoch());
    runtimes.put(command.runtime(), new Registered(command.process(), registered.epoch()));
    if (before == null) {
      return List.of();
    }
    situations.hit(Situation.RUNTIME_REPLACED_BY_NEW_INCARNATION);
    return List.copyOf(before.segments.keySet());
  }

  /// @return the segment when it is mounted for the first time
  @Nullable SegmentId mount(MetadataCommand.MountSegment command, MetadataReply reply) {
    Registered runtime = runtimes.get(command.runtime());
    if (!(reply instanceof MetadataReply.SegmentMounted mounted)) {
      ErrorCode code = reply instanceof MetadataReply.Failed failed ? failed.code() : null;
      boolean isRight =
          runtime == null
              ? code == ErrorCode.RUNTIME_NOT_FOUND
              : runtime.epoch != command.epoch()
                  ? code == ErrorCode.STALE_EPOCH
                  : code == ErrorCode.ALREADY_EXISTS || code == ErrorCode.INVALID_SIZE;
      Violation.unless(
          isRight, Invariant.COMMAND_SEMANTICS, () -> command + " was answered " + reply);
      return null;
    }
    Violation.unless(
        runtime != null && runtime.epoch == command.epoch(),
        Invariant.COMMAND_SEMANTICS,
        () -> command + " of another epoch was answered " + reply);
    Mounted wanted = new Mounted(command.name(), command.capacityBytes());
    if (runtime == null || wanted.equals(runtime.segments.get(mounted.segment()))) {
      return null;
    }
    Violation.unless(
        mounted.segment().value() > lastSegment,
        Invariant.COMMAND_SEMANTICS,
        () ->
            command
                + " was answered "
                + reply
                + ", but numbers up to "
                + lastSegment
                + " are used");
    lastSegment = mounted.segment().value();
    runtime.segments.put(mounted.segment(), wanted);
    return mounted.segment();
  }

  /// @return whether the segment was there and is gone
  boolean unmount(MetadataCommand.UnmountSegment command, MetadataReply reply) {
    Registered runtime = runtimes.get(command.runtime());
    return reply instanceof MetadataReply.Done
        && runtime != null
        && runtime.epoch == command.epoch()
        && runtime.segments.remove(command.segment()) != null;
  }

  void suspect(MetadataCommand.RuntimeEpoch named) {
    Registered runtime = at(named);
    if (runtime != null && runtime.state == RuntimeState.ALIVE) {
      runtime.state = RuntimeState.SUSPECTED;
      situations.hit(Situation.RUNTIME_SUSPECTED);
    }
  }

  void revive(MetadataCommand.RuntimeEpoch named) {
    Registered runtime = at(named);
    if (runtime != null && runtime.state == RuntimeState.SUSPECTED) {
      runtime.state = RuntimeState.ALIVE;
      situations.hit(Situation.RUNTIME_REVIVED);
    }
  }

  /// @return the segments that went
  List<SegmentId> expire(MetadataCommand.RuntimeEpoch named) {
    Registered runtime = at(named);
    if (runtime == null || runtime.state != RuntimeState.SUSPECTED) {
      return List.of();
    }
    situations.hit(Situation.RUNTIME_EXPIRED);
    runtimes.remove(named.runtime());
    return new ArrayList<>(runtime.segments.keySet());
  }

  Map<RuntimeId, Registered> all() {
    return runtimes;
  }

  private @Nullable Registered at(MetadataCommand.RuntimeEpoch named) {
    Registered runtime = runtimes.get(named.runtime());
    return runtime != null && runtime.epoch == named.epoch() ? runtime : null;
  }
}
