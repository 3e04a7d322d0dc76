package dev.floe.sim.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.RouteVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one client, the only one that touches these keys, knows of a key; and which answers it may
/// get. An answer that the model does not foresee is a command that was lost or took effect twice,
/// or a read of the past.
final class KeyModel {
  private final String base;
  private int generation;
  private State state = State.ABSENT;
  private @Nullable RouteVersion version;
  private List<Long> tokens = List.of();

  enum State {
    ABSENT,
    WRITING,
    PRESENT
  }

  KeyModel(String base) {
    this.base = base;
  }

  String name() {
    return base + "." + generation;
  }

  State state() {
    return state;
  }

  @Nullable RouteVersion version() {
    return version;
  }

  List<Long> tokens() {
    return tokens;
  }

  /// The outcome of a command is not known: the key is given up and another takes its place.
  void forget() {
    generation++;
    state = State.ABSENT;
    version = null;
    tokens = List.of();
  }

  void putStartAnswered(MetadataReply reply) {
    switch (state) {
      case ABSENT -> {
        if (!(reply instanceof MetadataReply.PutStarted started)) {
          throw wrong("put start", reply);
        }
        state = State.WRITING;
        version = started.version();
        tokens = started.targets().stream().map(t -> t.replica().id()).toList();
      }
      case WRITING -> requireFailure("put start", reply, ErrorCode.WRITE_IN_PROGRESS);
      case PRESENT -> requireFailure("put start", reply, ErrorCode.ALREADY_EXISTS);
    }
  }

  void putEndAnswered(MetadataReply reply) {
    requireDone("put end", reply);
    state = State.PRESENT;
  }

  void putRevokeAnswered(MetadataReply reply) {
    requireDone("put revoke", reply);
    state = State.ABSENT;
    version = null;
  }

  void removeAnswered(MetadataReply reply) {
    switch (state) {
      case ABSENT -> requireFailure("remove", reply, ErrorCode.NOT_FOUND);
      case WRITING -> requireFailure("remove", reply, ErrorCode.NOT_READY);
      case PRESENT -> {
        if (reply instanceof MetadataReply.Failed failed && failed.code() == ErrorCode.HAS_LEASE) {
          // A new leader does not know which read leases its predecessor gave.
          return;
        }
        requireDone("remove", reply);
        state = State.ABSENT;
        version = null;
      }
    }
  }

  void existAnswered(boolean isThere) {
    if (isThere != (state == State.PRESENT)) {
      throw new AssertionError(
          "STALE_READ: key " + name() + " is " + state + " but exist says " + isThere);
    }
  }

  private void requireDone(String what, MetadataReply reply) {
    if (!(reply instanceof MetadataReply.Done)) {
      throw wrong(what, reply);
    }
  }

  private void requireFailure(String what, MetadataReply reply, ErrorCode code) {
    if (!(reply instanceof MetadataReply.Failed failed) || failed.code() != code) {
      throw wrong(what, reply);
    }
  }

  private AssertionError wrong(String what, MetadataReply reply) {
    return new AssertionError(
        "EXACTLY_ONCE: "
            + what
            + " of "
            + name()
            + ", which is "
            + state
            + ", was answered with "
            + reply);
  }
}
