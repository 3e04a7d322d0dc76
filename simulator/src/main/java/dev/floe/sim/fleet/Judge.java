package dev.floe.sim.fleet;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RouteVersion;
import dev.floe.sim.check.AnswerOracle;
import dev.floe.sim.check.Invariant;
import dev.floe.sim.check.Payload;
import dev.floe.sim.check.RegisterOperation;
import dev.floe.sim.check.Violation;
import dev.floe.store.client.GetResult;
import dev.floe.store.client.PutResult;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Tells the oracles what one worker asked and was answered, and ends the run when an answer is
/// wrong.
final class Judge {
  private static final long LEASE_MARGIN_NANOS = FleetWorld.READ_TTL.toNanos() / 5;

  private final FleetWorld world;
  private final String name;
  private final WorkTally tally = new WorkTally();

  Judge(FleetWorld world, String name) {
    this.world = world;
    this.name = name;
  }

  /// A put under way.
  record Put(String key, Payload payload, AnswerOracle.Call call, RegisterOperation ifUnknown) {}

  /// A read under way; `from` is the first byte asked for.
  record Read(String key, int from, AnswerOracle.Call call) {}

  /// A removal under way.
  record Removal(
      String key, boolean isForced, AnswerOracle.Call call, RegisterOperation ifUnknown) {}

  /// A listing of all hot keys under way.
  record Listing(Map<String, AnswerOracle.Call> calls) {}

  WorkTally tally() {
    return tally;
  }

  private long now() {
    return world.simulation().nanos();
  }

  private AnswerOracle.Call call(String key, String what) {
    world.log().called(name, key, what);
    return world.answers().begin(ObjectId.of(key), now());
  }

  private void answered(String what, AnswerOracle.Call call, long detail) {
    tally.done(what, now());
    world.log().answered(name, call.id().key().value(), what, call.beganNanos());
    world.simulation().message(name, what, call.id().hashCode() * 31L + detail);
  }

  private void history(AnswerOracle.Call call, RegisterOperation operation) {
    world.history().add(call.id(), operation);
  }

  private void read(AnswerOracle.Call call, long value, String what) {
    history(call, RegisterOperation.read(call.beganNanos(), now(), value, name + " " + what));
  }

  // --- puts ---

  Put put(String key, int size) {
    AnswerOracle.Call call = call(key, "puts " + size + " bytes");
    Payload payload = world.puts().begin(call.id(), size);
    RegisterOperation unknown =
        RegisterOperation.put(call.beganNanos(), 0, payload.id(), false, name + " put?");
    return new Put(key, payload, call, world.open(call.id(), unknown));
  }

  void ended(Put put, PutResult.Present result) {
    world.settle(put.ifUnknown);
    switch (result) {
      case PutResult.Stored stored -> {
        answered("stored", put.call, stored.version().index());
        world.judge(
            () -> {
              world.answers().stored(put.call, stored.version(), now());
              world.puts().bind(put.call.id(), stored.version(), put.payload);
            });
        history(
            put.call,
            RegisterOperation.put(
                put.call.beganNanos(), now(), put.payload.id(), true, name + " put"));
      }
      case PutResult.AlreadyExists exists -> {
        answered("existed-already", put.call, 0);
        world.judge(() -> world.answers().exists(put.call, now()));
        read(put.call, RegisterOperation.SOME, "put: exists");
      }
    }
  }

  void failed(Put put, FloeException error) {
    failed(put.call, error);
    if (!isUncertain(error.code())) {
      world.settle(put.ifUnknown);
    }
  }

  /// An interrupted caller is not told whether its command had been sent.
  private static boolean isUncertain(ErrorCode code) {
    return code == ErrorCode.UNKNOWN_OUTCOME || code == ErrorCode.CANCELLED;
  }

  // --- reads ---

  Read read(String key, int from) {
    return new Read(key, from, call(key, "asks"));
  }

  void got(Read read, GetResult.Loaded loaded, byte[] into) {
    answered("got", read.call, loaded.version().index());
    byte[] bytes = Arrays.copyOf(into, Math.toIntExact(loaded.receivedBytes()));
    world.judge(() -> judgeBytes(read, loaded, bytes));
  }

  private void judgeBytes(Read read, GetResult.Loaded loaded, byte[] bytes) {
    ObjectId id = read.call.id();
    Payload payload = world.puts().find(id, loaded.sizeBytes(), read.from, bytes);
    if (payload == null) {
      throw new Violation(
          Invariant.WRONG_BYTES,
          bytes.length
              + " bytes from "
              + read.from
              + " of "
              + loaded
              + " are of no put of "
              + id
              + ": "
              + world.puts().describe(bytes));
    }
    world.answers().found(read.call, loaded.version(), now());
    if (bytes.length >= 8) {
      world.puts().bind(id, loaded.version(), payload);
      read(read.call, payload.id(), "get");
    } else {
      read(read.call, RegisterOperation.SOME, "get of few bytes");
    }
  }

  void found(Read read, RouteVersion version, String what) {
    answered(what, read.call, version.index());
    world.judge(() -> world.answers().found(read.call, version, now()));
    read(read.call, RegisterOperation.SOME, what);
  }

  void leased(Read read, RouteVersion version, long leaseMillis) {
    found(read, version, "leased");
    if (leaseMillis > 0) {
      world.answers().leased(read.call, version, read.call.beganNanos() + leaseMillis * 1_000_000);
    }
  }

  void existed(Read read, boolean isThere) {
    if (isThere) {
      answered("exists", read.call, 1);
      world.judge(() -> world.answers().exists(read.call, now()));
      read(read.call, RegisterOperation.SOME, "exists");
    } else {
      missing(read);
    }
  }

  private void missing(Read read) {
    answered("missing", read.call, 0);
    world.judge(() -> world.answers().missing(read.call, now()));
    read(read.call, 0, "missing");
  }

  void failed(Read read, FloeException error) {
    if (error.code() == ErrorCode.NOT_FOUND) {
      missing(read);
    } else {
      failed(read.call, error);
    }
  }

  Listing list() {
    Map<String, AnswerOracle.Call> calls = new java.util.TreeMap<>();
    for (int i = 0; i < world.draw().knobs().hotKeys(); i++) {
      calls.put("hot-" + i, call("hot-" + i, "lists"));
    }
    return new Listing(calls);
  }

  void listed(Listing listing, List<MetadataApi.ListPage.Entry> entries) {
    Map<String, RouteVersion> found = new HashMap<>();
    entries.forEach(entry -> found.put(entry.key().value(), entry.version()));
    listing.calls.forEach(
        (key, call) -> {
          RouteVersion version = found.get(key);
          if (version == null) {
            missing(new Read(key, 0, call));
          } else {
            found(new Read(key, 0, call), version, "listed");
          }
        });
  }

  // --- removals ---

  Removal remove(String key, boolean isForced) {
    AnswerOracle.Call call = call(key, isForced ? "removes by force" : "removes");
    RegisterOperation unknown =
        RegisterOperation.remove(
            call.beganNanos(), 0, RegisterOperation.ANY, false, name + " remove?");
    return new Removal(key, isForced, call, world.open(call.id(), unknown));
  }

  void ended(Removal removal, boolean wasThere) {
    world.settle(removal.ifUnknown);
    if (!wasThere) {
      missing(new Read(removal.key, 0, removal.call));
      return;
    }
    answered("removed", removal.call, 1);
    // By force an unfinished write may have been what was there.
    long needs = removal.isForced ? RegisterOperation.ANY : RegisterOperation.SOME;
    if (!removal.isForced) {
      world.judge(() -> world.answers().removed(removal.call, now(), false, LEASE_MARGIN_NANOS));
    }
    history(
        removal.call,
        RegisterOperation.remove(removal.call.beganNanos(), now(), needs, true, name + " remove"));
  }

  void failed(Removal removal, FloeException error) {
    failed(removal.call, error);
    if (!isUncertain(error.code())) {
      world.settle(removal.ifUnknown);
    }
    if (error.code() == ErrorCode.HAS_LEASE) {
      world.judge(() -> world.answers().exists(removal.call, now()));
      read(removal.call, RegisterOperation.SOME, "remove: leased");
    }
  }

  // --- errors ---

  /// A call about several keys failed.
  void failed(FloeException error) {
    tally.failed(error.code());
    world.judge(() -> world.liveness().failed(name, error.code(), now()));
  }

  private void failed(AnswerOracle.Call call, FloeException error) {
    world.log().answered(name, call.id().key().value(), "error " + error.code(), call.beganNanos());
    failed(error);
    world.simulation().message(name, "error " + error.code(), error.code().name().hashCode());
    if (!isExpected(error.code())) {
      world
          .simulation()
          .fail(
              new AssertionError(
                  "CLIENT: " + name + " got an error that no fault explains", error));
    }
  }

  private static boolean isExpected(ErrorCode code) {
    return switch (code) {
      case UNAVAILABLE,
          DEADLINE_EXCEEDED,
          UNKNOWN_OUTCOME,
          CANCELLED,
          WRITE_IN_PROGRESS,
          NO_SPACE,
          NOT_ENOUGH_RUNTIMES,
          CONNECTION_LOST,
          CIRCUIT_OPEN,
          OVERLOADED,
          STALE_TOKEN,
          SEGMENT_NOT_FOUND,
          NOT_FOUND,
          NOT_READY,
          HAS_LEASE,
          INVALID_ARGUMENT ->
          true;
      default -> false;
    };
  }
}
