package dev.floe.meta.state;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.Limits;
import dev.floe.core.probe.Probe;
import dev.floe.meta.command.MetadataCommand.PutStart;
import dev.floe.meta.command.MetadataReply.Failed;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Why a write may not begin or go on: each check gives the refusal, or null.
final class WriteChecks {
  private static final long CHECKSUM_MAX = 0xFFFF_FFFFL;

  private final StateConfig config;

  WriteChecks(StateConfig config) {
    this.config = config;
  }

  /// Whether what a write asks for is possible at all.
  static @Nullable Failed arguments(PutStart command) {
    if (command.sizeBytes() < 0 || command.sizeBytes() > Limits.OBJECT_BYTES_MAX) {
      return new Failed(
          ErrorCode.INVALID_SIZE,
          "the size of "
              + command.id()
              + ", "
              + command.sizeBytes()
              + " bytes, is not in 0.."
              + Limits.OBJECT_BYTES_MAX);
    }
    int count = command.placement().replicaCount();
    if (count < 1 || count > Limits.REPLICAS_MAX) {
      return invalid(count + " replicas asked for, allowed are 1 to " + Limits.REPLICAS_MAX);
    }
    int groupBytes = command.options().group().getBytes(StandardCharsets.UTF_8).length;
    if (groupBytes > Limits.GROUP_BYTES_MAX) {
      return invalid(
          "the group of "
              + command.id()
              + " has a name of "
              + groupBytes
              + " bytes, the limit is "
              + Limits.GROUP_BYTES_MAX
              + "; shorten it or use its hash");
    }
    return command.options().softPin() instanceof SoftPin.Enable(long ttlMillis)
            && (ttlMillis < 1 || ttlMillis > Limits.SOFT_PIN_MILLIS_MAX)
        ? invalid(
            "a soft pin of "
                + ttlMillis
                + " ms asked for, allowed are 1 to "
                + Limits.SOFT_PIN_MILLIS_MAX
                + " ms")
        : null;
  }

  /// Whether the object that is there lets a session begin a write.
  @Nullable Failed takeover(
      long nowMillis, ObjectRoute before, SessionId asking, PutStart command) {
    return switch (before.state()) {
      case ACTIVE ->
          command.options().replaces()
              ? sameGroup(before, command.options().group())
              : new Failed(ErrorCode.ALREADY_EXISTS, "object " + before.id() + " exists already");
      case DELETING ->
          new Failed(ErrorCode.NOT_READY, "object " + before.id() + " is being removed");
      case WRITING -> command.options().replaces() ? null : stillWritten(nowMillis, before, asking);
    };
  }

  private static @Nullable Failed sameGroup(ObjectRoute before, String group) {
    String own = before.retention().group();
    return group.isEmpty() || group.equals(own)
        ? null
        : invalid(
            "object "
                + before.id()
                + (own.isEmpty() ? " has no group" : " is of group '" + own + "'")
                + " for as long as it exists, not of '"
                + group
                + "'; leave the group out, or remove the object first");
  }

  private @Nullable Failed stillWritten(long nowMillis, ObjectRoute before, SessionId asking) {
    long age = nowMillis - before.write().startMillis();
    long waitMillis = config.discardMillis(before.current(), asking) - nowMillis;
    if (waitMillis <= 0) {
      Probe.sometimes("write.taken-over-from-a-silent-writer");
      return null;
    }
    return new Failed(
        ErrorCode.WRITE_IN_PROGRESS,
        "object "
            + before.id()
            + " has been written for "
            + age
            + " ms; the write can be taken over in "
            + waitMillis
            + " ms");
  }

  static @Nullable Failed checksum(long checksum) {
    return checksum < 0 || checksum > CHECKSUM_MAX
        ? invalid("checksum " + checksum + " is not an unsigned 32-bit value")
        : null;
  }

  /// Whether the tokens are some of those of one of the route's writes (any, when there is no
  /// route).
  static @Nullable Failed tokens(@Nullable ObjectRoute route, List<Long> tokens) {
    if (tokens.isEmpty()) {
      return invalid("no replica is named; name at least one token");
    }
    ObjectVersion version = route == null ? null : versionOf(route, tokens);
    Set<Long> seen = new HashSet<>();
    for (long token : tokens) {
      if (!seen.add(token)) {
        return new Failed(ErrorCode.STALE_TOKEN, "token " + token + " is named twice");
      }
      if (route != null && version != null && !version.write().hasToken(token)) {
        Probe.sometimes("write.end-or-revoke-with-an-old-token");
        return new Failed(
            ErrorCode.STALE_TOKEN,
            "token "
                + token
                + " is not of the current write of "
                + route.id()
                + ", version "
                + version.write().version());
      }
    }
    return null;
  }

  /// The version that tokens belong to; the current one when they are of none.
  static ObjectVersion versionOf(ObjectRoute route, List<Long> tokens) {
    ObjectVersion next = route.next();
    return next != null && next.write().hasAnyToken(tokens) ? next : route.current();
  }

  /// Whether tokens (that belong to a write of the route) are those of its unfinished one.
  static boolean isUnfinished(ObjectRoute route, List<Long> tokens) {
    ObjectVersion unfinished = route.unfinished();
    return unfinished != null && unfinished.write().hasAnyToken(tokens);
  }

  /// Whether a route is there to be completed.
  static @Nullable Failed present(@Nullable ObjectRoute route, Object id) {
    return route == null || route.state() == RouteState.DELETING
        ? new Failed(
            ErrorCode.NOT_FOUND,
            "object "
                + id
                + " is not there: its write was given up or timed out, or it was removed")
        : null;
  }

  private static Failed invalid(String message) {
    return new Failed(ErrorCode.INVALID_ARGUMENT, message);
  }
}
