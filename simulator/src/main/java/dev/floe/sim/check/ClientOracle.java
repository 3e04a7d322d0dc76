package dev.floe.sim.check;

import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Checks what clients are told against the log: the witness of linearizability.
///
/// Each answer names the log index it was given at. An answer must be what the log says at that
/// index, and that index must not be below any index that some client had seen before the call
/// began.
public final class ClientOracle {
  private final CommandOracle commands;
  private final List<Acked> acked = new ArrayList<>();
  private long seenIndex;

  private record Acked(SessionId session, long sequence, MetadataReply reply, long floor) {}

  public ClientOracle(CommandOracle commands) {
    this.commands = commands;
  }

  /// The highest index that any client has seen; take it when a call begins.
  public long floor() {
    return seenIndex;
  }

  /// A client got the reply to a command. Whether the log agrees is checked at the end, because a
  /// leader that answers too early is not wrong yet.
  public void replied(
      SessionId session, long sequence, MetadataReply reply, long floor, long index) {
    acked.add(new Acked(session, sequence, reply, floor));
    seenIndex = Math.max(seenIndex, index);
  }

  /// A client was told at `readIndex` that a key has this version, or none.
  public void resolved(ObjectId id, @Nullable RouteVersion version, long floor, long readIndex) {
    checkOrder("the read of " + id, floor, readIndex);
    RouteVersion right = commands.timeline().versionAt(id, readIndex);
    Violation.unless(
        version == null ? right == null : version.equals(right),
        Invariant.LINEARIZABILITY,
        () ->
            "a read of "
                + id
                + " at index "
                + readIndex
                + " saw "
                + (version == null ? "nothing" : "version " + version)
                + ", the log says "
                + right);
  }

  /// A client was told at `readIndex` whether a key is readable.
  public void existed(ObjectId id, boolean exists, long floor, long readIndex) {
    checkOrder("the check of " + id, floor, readIndex);
    RouteVersion right = commands.timeline().versionAt(id, readIndex);
    Violation.unless(
        exists == (right != null),
        Invariant.LINEARIZABILITY,
        () ->
            "exist of "
                + id
                + " at index "
                + readIndex
                + " was "
                + exists
                + ", the log says "
                + right);
  }

  /// A client was given all readable keys with a prefix at `readIndex`.
  public void listed(String prefix, Map<String, RouteVersion> found, long floor, long readIndex) {
    checkOrder("the listing of " + prefix, floor, readIndex);
    Map<String, RouteVersion> right = new TreeMap<>();
    for (ObjectId id : commands.timeline().keys()) {
      RouteVersion version = commands.timeline().versionAt(id, readIndex);
      if (version != null && id.key().value().startsWith(prefix)) {
        right.put(id.key().value(), version);
      }
    }
    Violation.unless(
        right.equals(found),
        Invariant.LINEARIZABILITY,
        () ->
            "a listing of "
                + prefix
                + " at index "
                + readIndex
                + " is "
                + found
                + ", not "
                + right);
  }

  /// Checks every reply that a client got against the log.
  public void checkReplies() {
    for (Acked ack : acked) {
      MetadataReply inLog = commands.replyTo(ack.session, ack.sequence);
      Violation.unless(
          ack.reply.equals(inLog),
          Invariant.ACKED_DURABILITY,
          () ->
              String.format(
                  "a client got %s to command %d of session %s, the log says %s",
                  ack.reply, ack.sequence, ack.session, inLog));
      long index = commands.effectIndex(ack.session, ack.sequence);
      Violation.unless(
          index > ack.floor,
          Invariant.LINEARIZABILITY,
          () ->
              String.format(
                  "command %d of session %s took effect at index %d, but began after index %d was seen",
                  ack.sequence, ack.session, index, ack.floor));
    }
  }

  private void checkOrder(String what, long floor, long readIndex) {
    Violation.unless(
        readIndex >= floor,
        Invariant.LINEARIZABILITY,
        () ->
            what + " was served at index " + readIndex + " but began after " + floor + " was seen");
    seenIndex = Math.max(seenIndex, readIndex);
  }
}
