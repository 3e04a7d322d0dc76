package dev.floe.meta.state;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataCommand.Strategy;
import dev.floe.meta.command.MetadataCommand.Victim;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.PutStarted;
import dev.floe.meta.command.MetadataReply.RuntimeRegistered;
import dev.floe.meta.command.MetadataReply.SegmentMounted;
import dev.floe.meta.command.MetadataReply.SessionOpened;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.model.TenantId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Random entries over few names, so that commands meet: valid, invalid, repeated, out of order,
/// with tokens and epochs that are over, and with time that jumps.
final class RandomCommands {
  private static final List<RuntimeId> RUNTIMES =
      List.of(new RuntimeId("a"), new RuntimeId("b"), new RuntimeId("c"));

  private final Random random;
  private long nowMillis = 1_000_000;
  private long index;
  private final Map<SessionId, Long> sequences = new HashMap<>();
  private final Map<ObjectId, List<List<Long>>> tokens = new HashMap<>();
  private final List<Victim> versions = new ArrayList<>();
  private final List<RuntimeEpoch> epochs = new ArrayList<>();
  private final List<SegmentId> segments = new ArrayList<>();
  private final List<SessionId> sessions = new ArrayList<>();

  RandomCommands(long seed) {
    random = new Random(seed);
    epochs.add(new RuntimeEpoch(RUNTIMES.getFirst(), 1));
    segments.add(new SegmentId(1));
    sessions.add(new SessionId(0, 1));
  }

  CommandBatch nextBatch(int commandsMax) {
    nowMillis +=
        switch (random.nextInt(30)) {
          case 0 -> -100_000;
          case 1 -> 40_000;
          case 2 -> 650_000;
          default -> random.nextInt(3000);
        };
    List<SessionCommand> commands = new ArrayList<>();
    for (int i = random.nextInt(commandsMax); i >= 0; i--) {
      commands.add(guarded(command()));
    }
    return new CommandBatch(nowMillis, commands);
  }

  /// Learns names from what was answered.
  void learn(long appliedIndex, CommandBatch batch, List<MetadataReply> replies) {
    index = appliedIndex;
    for (int i = 0; i < replies.size(); i++) {
      MetadataCommand command = batch.commands().get(i).command();
      switch (replies.get(i)) {
        case PutStarted started when command instanceof MetadataCommand.PutStart start -> {
          versions.add(new Victim(start.id(), started.version()));
          tokens
              .computeIfAbsent(start.id(), _ -> new ArrayList<>())
              .add(StateDriver.tokens(started));
        }
        case RuntimeRegistered registered
            when command instanceof MetadataCommand.RegisterRuntime register ->
            epochs.add(new RuntimeEpoch(register.runtime(), registered.epoch()));
        case SessionOpened opened -> sessions.add(opened.session());
        case SegmentMounted mounted -> segments.add(mounted.segment());
        default -> {}
      }
    }
  }

  private SessionCommand guarded(MetadataCommand command) {
    int kind = random.nextInt(20);
    if (command instanceof MetadataCommand.Leader ? kind > 0 : kind == 0) {
      return SessionCommand.unguarded(command);
    }
    SessionId session = session();
    long last = sequences.getOrDefault(session, 0L);
    long sequence =
        switch (random.nextInt(12)) {
          case 0 -> random.nextLong(last + 2);
          case 1 -> last + 3;
          default -> last + 1;
        };
    sequences.put(session, Math.max(last, sequence));
    long answeredBelow = random.nextInt(4) == 0 ? random.nextLong(sequence + 2) : 1;
    return new SessionCommand(session, sequence, answeredBelow, command);
  }

  private MetadataCommand command() {
    return switch (random.nextInt(43)) {
      case 0, 1 -> new MetadataCommand.OpenSession(new SessionId(random.nextInt(3), 9));
      case 2, 3 -> new MetadataCommand.CloseSession(session());
      case 4, 5 -> register();
      case 6, 7, 8 -> mount();
      case 9 -> {
        RuntimeEpoch epoch = epoch();
        yield new MetadataCommand.UnmountSegment(epoch.runtime(), epoch.epoch(), lately(segments));
      }
      case 10, 11 ->
          new MetadataCommand.Remove(object(), random.nextBoolean(), random.nextInt(5) - 3L);
      case 12, 13, 14 -> revoke();
      case 15, 16, 17, 18, 19, 20, 21, 22, 23 -> end();
      case 24 -> new MetadataCommand.SuspectRuntimes(List.of(epoch(), epoch()));
      case 25 -> new MetadataCommand.ReviveRuntimes(List.of(epoch(), epoch()));
      case 26 -> new MetadataCommand.ExpireRuntimes(List.of(epoch(), epoch()));
      case 27 ->
          new MetadataCommand.ExpireSessions(
              List.of(session(), session()), index - random.nextInt(20));
      case 28, 29 -> new MetadataCommand.Tick(0, 0);
      case 30 -> new MetadataCommand.Barrier();
      case 31, 32 -> evict();
      default -> start();
    };
  }

  private MetadataCommand register() {
    Map<String, String> labels =
        random.nextInt(10) == 0 ? Map.of("", "bad") : Map.of("zone", "z" + random.nextInt(3));
    return new MetadataCommand.RegisterRuntime(
        pick(RUNTIMES),
        new RuntimeProcess(
            new SessionId(random.nextInt(3), 0),
            new SessionId(random.nextInt(3) / 2, 0),
            random.nextInt(3)),
        new Endpoint("h", 1),
        labels,
        random.nextInt(3));
  }

  private MetadataCommand mount() {
    RuntimeEpoch epoch = epoch();
    long capacity =
        switch (random.nextInt(10)) {
          case 0 -> -random.nextLong(1000);
          case 1 -> random.nextLong(200);
          default -> 16_384L * (1 + random.nextInt(4));
        };
    return new MetadataCommand.MountSegment(
        epoch.runtime(), epoch.epoch(), "m" + random.nextInt(2), capacity);
  }

  private MetadataCommand start() {
    long size =
        switch (random.nextInt(12)) {
          case 0 -> 0;
          case 1 -> random.nextLong();
          case 2 -> random.nextLong(60_000);
          default -> random.nextLong(6000);
        };
    int replicas = random.nextInt(12) == 0 ? random.nextInt(20) - 5 : 1 + random.nextInt(3);
    List<RuntimeId> preferred = random.nextInt(3) == 0 ? List.of(pick(RUNTIMES)) : List.of();
    return new MetadataCommand.PutStart(
        object(),
        size,
        new Placement(replicas, pick(List.of(Strategy.values())), preferred),
        options());
  }

  private MetadataCommand.WriteOptions options() {
    SoftPin softPin =
        switch (random.nextInt(8)) {
          case 0 -> SoftPin.Disable.INSTANCE;
          case 1 -> new SoftPin.Enable(random.nextLong(100_000) - 100);
          case 2 -> new SoftPin.Enable(random.nextLong());
          default -> SoftPin.Preserve.INSTANCE;
        };
    String group =
        switch (random.nextInt(6)) {
          case 0, 1 -> "g" + random.nextInt(2);
          case 2 -> "g".repeat(random.nextInt(400));
          default -> "";
        };
    return new MetadataCommand.WriteOptions(
        random.nextInt(3) == 0,
        pick(List.of(DataType.values())),
        group,
        random.nextInt(5) == 0,
        softPin);
  }

  private MetadataCommand evict() {
    List<Victim> victims = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      victims.add(
          versions.isEmpty() || random.nextInt(6) == 0
              ? new Victim(object(), new RouteVersion(index, random.nextInt(3)))
              : lately(versions));
    }
    return new MetadataCommand.Evict(victims, random.nextInt(3) == 0);
  }

  private MetadataCommand end() {
    ObjectId id = object();
    long checksum = random.nextInt(12) == 0 ? -1 : random.nextInt(2);
    return new MetadataCommand.PutEnd(id, tokensOf(id), checksum);
  }

  private MetadataCommand revoke() {
    ObjectId id = object();
    return new MetadataCommand.PutRevoke(id, tokensOf(id));
  }

  /// Mostly the latest tokens of the object, sometimes a part of them, older ones or nonsense.
  private List<Long> tokensOf(ObjectId id) {
    List<List<Long>> known = tokens.getOrDefault(id, List.of());
    if (known.isEmpty()) {
      return List.of(random.nextLong(50));
    }
    List<Long> latest = new ArrayList<>(known.getLast());
    return switch (random.nextInt(12)) {
      case 0 -> List.of();
      case 1 -> {
        latest.add(latest.getFirst());
        yield latest;
      }
      case 2 -> {
        latest.add(random.nextLong(100));
        yield latest;
      }
      case 3 -> pick(known);
      case 4, 5 -> List.of(pick(latest));
      default -> latest;
    };
  }

  private ObjectId object() {
    TenantId tenant = random.nextInt(4) == 0 ? new TenantId("t") : TenantId.DEFAULT;
    return new ObjectId(tenant, new ObjectKey("k" + random.nextInt(5)));
  }

  private SessionId session() {
    return lately(sessions);
  }

  private RuntimeEpoch epoch() {
    RuntimeEpoch epoch = lately(epochs);
    return random.nextInt(10) == 0 ? new RuntimeEpoch(pick(RUNTIMES), epoch.epoch()) : epoch;
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private <T> T lately(List<T> values) {
    int recent = Math.min(values.size(), 4);
    return values.get(values.size() - 1 - random.nextInt(recent));
  }
}
