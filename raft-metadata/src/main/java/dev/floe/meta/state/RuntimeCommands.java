package dev.floe.meta.state;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.probe.Probe;
import dev.floe.meta.command.MetadataCommand.MountSegment;
import dev.floe.meta.command.MetadataCommand.RegisterRuntime;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataCommand.UnmountSegment;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.Done;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.place.RangeAllocator;
import dev.floe.meta.state.table.SegmentSlot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The commands about runtimes and their segments.
final class RuntimeCommands {
  private final StateParts parts;
  private final RouteDrops drops;

  RuntimeCommands(StateParts parts, RouteDrops drops) {
    this.parts = parts;
    this.drops = drops;
  }

  /// Registering is a sign of life: the runtime is ALIVE afterwards.
  MetadataReply register(RegisterRuntime command) {
    Map<String, String> labels;
    try {
      labels = RuntimeRecord.checkedLabels(command.labels());
    } catch (FloeException e) {
      return new Failed(e.code(), "runtime " + command.runtime() + ": " + e.getMessage());
    }
    RuntimeRecord before = parts.runtimes.get(command.runtime());
    if (before == null && parts.runtimes.count() >= Limits.SEGMENTS_MAX) {
      return new Failed(
          ErrorCode.OVERLOADED,
          "there are "
              + parts.runtimes.count()
              + " runtimes, the limit; runtime "
              + command.runtime()
              + " is not registered; stop a runtime that is not needed, its place is free when its"
              + " lease has ended");
    }
    boolean isSameProcess = before != null && before.incarnation().equals(command.incarnation());
    Failed refusal = before == null || isSameProcess ? null : checkTakeover(before, command);
    if (refusal != null) {
      return refusal;
    }
    if (before != null && !isSameProcess) {
      dropSegments(command.runtime());
    }
    long epoch = before != null && isSameProcess ? before.epoch() : parts.takeEpoch();
    parts.runtimes.put(
        new RuntimeRecord(
            command.runtime(),
            command.process(),
            epoch,
            RuntimeState.ALIVE,
            command.dataEndpoint(),
            labels));
    return new MetadataReply.RuntimeRegistered(epoch);
  }

  /// Whether somebody would lose something: a runtime without a segment has not begun, or has left.
  private boolean isServing(RuntimeRecord runtime) {
    return runtime.state() == RuntimeState.ALIVE && !parts.segments.of(runtime.id()).isEmpty();
  }

  /// A later holder of its data directory proves that a process has ended. An earlier one is dead
  /// itself, and this is a late copy of what it sent.
  private @Nullable Failed checkTakeover(RuntimeRecord before, RegisterRuntime command) {
    if (command.process().isEarlierThan(before.process())) {
      Probe.sometimes("runtime.late-registration-of-a-dead-process");
      return outlived(before, command.process());
    }
    boolean isProven = before.process().isEarlierThan(command.process());
    return isServing(before) && !isProven ? inUse(before, command.leasedMillis()) : null;
  }

  private static Failed outlived(RuntimeRecord holder, RuntimeProcess earlier) {
    return new Failed(
        ErrorCode.STALE_EPOCH,
        "runtime "
            + holder.id()
            + " is registered by start "
            + holder.process().start()
            + " on its data directory, at "
            + holder.dataEndpoint()
            + "; this is start "
            + earlier.start()
            + ", which has ended, or the directory was set back to an older copy: then start it"
            + " again after the lease of the other has ended");
  }

  private static Failed inUse(RuntimeRecord holder, long leasedMillis) {
    String wait =
        leasedMillis > 0
            ? "wait " + (leasedMillis + 999) / 1000 + " s until its lease ends if it has stopped"
            : "wait until its lease ends if it has stopped";
    return new Failed(
        ErrorCode.RUNTIME_IN_USE,
        "runtime "
            + holder.id()
            + " is in use: a process at "
            + holder.dataEndpoint()
            + " with another data directory, or a copy of this one, has a lease under this id; stop it, or "
            + wait
            + ", or give this store an id of its own",
        Math.max(0, leasedMillis));
  }

  MetadataReply mount(MountSegment command) {
    Failed refusal = checkEpoch(command.runtime(), command.epoch());
    if (refusal == null) {
      refusal = checkShape(command);
    }
    if (refusal != null) {
      return refusal;
    }
    Segment before = parts.segments.find(command.runtime(), command.name());
    if (before != null) {
      return before.capacityBytes() == command.capacityBytes()
          ? new MetadataReply.SegmentMounted(before.id())
          : new Failed(
              ErrorCode.ALREADY_EXISTS,
              "segment '"
                  + command.name()
                  + "' of runtime "
                  + command.runtime()
                  + " is mounted with "
                  + before.capacityBytes()
                  + " bytes, not "
                  + command.capacityBytes()
                  + "; unmount it first");
    }
    if (parts.segments.count() >= Limits.SEGMENTS_MAX) {
      return new Failed(
          ErrorCode.OVERLOADED,
          "there are " + parts.segments.count() + " segments, the limit; use fewer, larger ones");
    }
    SegmentId id = new SegmentId(parts.takeSegmentId());
    parts.segments.add(
        new Segment(
            id, command.runtime(), command.epoch(), command.name(), command.capacityBytes()),
        new RangeAllocator(command.capacityBytes(), id.value()));
    return new MetadataReply.SegmentMounted(id);
  }

  private @Nullable Failed checkEpoch(RuntimeId id, long epoch) {
    RuntimeRecord runtime = parts.runtimes.get(id);
    if (runtime == null) {
      return new Failed(
          ErrorCode.RUNTIME_NOT_FOUND, "runtime " + id + " is not registered; register it first");
    }
    return runtime.epoch() == epoch ? null : stale(id, epoch, runtime.epoch());
  }

  private static @Nullable Failed checkShape(MountSegment command) {
    if (command.capacityBytes() < 1 || command.capacityBytes() > Limits.SEGMENT_BYTES_MAX) {
      return new Failed(
          ErrorCode.INVALID_SIZE,
          "the capacity of segment '"
              + command.name()
              + "', "
              + command.capacityBytes()
              + " bytes, is not in 1.."
              + Limits.SEGMENT_BYTES_MAX);
    }
    int nameBytes = command.name().getBytes(StandardCharsets.UTF_8).length;
    if (nameBytes < 1 || nameBytes > Limits.LABEL_BYTES_MAX) {
      return new Failed(
          ErrorCode.INVALID_ARGUMENT,
          "a segment name of " + nameBytes + " bytes, allowed are 1 to " + Limits.LABEL_BYTES_MAX);
    }
    return null;
  }

  MetadataReply unmount(UnmountSegment command) {
    SegmentSlot slot = parts.segments.get(command.segment());
    if (slot == null) {
      return Done.INSTANCE;
    }
    Segment segment = slot.segment();
    if (!segment.runtime().equals(command.runtime())) {
      return new Failed(
          ErrorCode.SEGMENT_NOT_FOUND,
          segment.id()
              + " belongs to runtime "
              + segment.runtime()
              + ", not to "
              + command.runtime());
    }
    if (segment.epoch() != command.epoch()) {
      return stale(command.runtime(), command.epoch(), segment.epoch());
    }
    drops.dropSegment(segment.id());
    return Done.INSTANCE;
  }

  /// Moves the runtimes that are in the state `from` at the named epoch to the state `to`.
  MetadataReply move(List<RuntimeEpoch> named, RuntimeState from, RuntimeState to) {
    for (RuntimeEpoch one : named) {
      RuntimeRecord runtime = find(one, from);
      if (runtime != null) {
        parts.runtimes.put(runtime.withState(to));
      }
    }
    return Done.INSTANCE;
  }

  MetadataReply expire(List<RuntimeEpoch> named) {
    for (RuntimeEpoch one : named) {
      if (find(one, RuntimeState.SUSPECTED) != null) {
        dropSegments(one.runtime());
        parts.runtimes.remove(one.runtime());
      }
    }
    return Done.INSTANCE;
  }

  private @Nullable RuntimeRecord find(RuntimeEpoch named, RuntimeState state) {
    RuntimeRecord runtime = parts.runtimes.get(named.runtime());
    return runtime != null && runtime.epoch() == named.epoch() && runtime.state() == state
        ? runtime
        : null;
  }

  private void dropSegments(RuntimeId runtime) {
    parts.segments.of(runtime).forEach(slot -> drops.dropSegment(slot.id()));
  }

  private static Failed stale(RuntimeId runtime, long named, long current) {
    return new Failed(
        ErrorCode.STALE_EPOCH,
        "runtime "
            + runtime
            + " is at epoch "
            + current
            + ", the command names "
            + named
            + "; another process registered under this id, or it was registered anew, or the"
            + " masters were set back to an older backup; start the store again if no other process is to"
            + " have this id");
  }
}
