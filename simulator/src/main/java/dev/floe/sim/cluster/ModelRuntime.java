package dev.floe.sim.cluster;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A store runtime: registers, mounts, renews, and serves its memory.
///
/// The object stands for the machine; a crash takes the memory, and the next life is another
/// incarnation on the same data directory. What was held over a lost lease stays in memory, under
/// segments that nobody names any more.
final class ModelRuntime {
  private static final long CALL_MILLIS = 2_000;
  private static final long RETRY_MILLIS = 100;

  private final World world;
  private final World.SimProcess process;
  private final List<String> masters;
  private final RuntimeId id;
  private final SessionId directory;
  private final Map<String, RuntimeMemory> memories = new HashMap<>();
  private final Map<SegmentId, RuntimeMemory> mounted = new HashMap<>();
  private Caller caller;
  private MasterCalls calls;
  private @Nullable ClientSession session;
  private long joins;

  /// Kept on the data directory.
  private long starts;

  private SessionId incarnation;
  private long epoch;
  private boolean isUp;

  ModelRuntime(World world, World.SimProcess process, List<String> masters) {
    this.world = world;
    this.process = process;
    this.masters = masters;
    this.id = new RuntimeId(process.name());
    this.directory = new SessionId(1, process.name().hashCode());
    caller = new Caller(process.name(), process.lane(), world.network());
    calls = new MasterCalls(caller, masters, process.random());
    incarnation = newName();
  }

  World.SimProcess process() {
    return process;
  }

  boolean isUp() {
    return isUp;
  }

  /// Whether it is registered and all its segments are mounted.
  boolean isServing() {
    return isUp && epoch > 0 && mounted.size() == world.options().shape().segmentsPerRuntime();
  }

  /// Begins a life with empty memory.
  void start() {
    isUp = true;
    starts++;
    caller = new Caller(process.name(), process.lane(), world.network());
    calls = new MasterCalls(caller, masters, process.random());
    incarnation = newName();
    memories.clear();
    for (int i = 0; i < world.options().shape().segmentsPerRuntime(); i++) {
      memories.put("m" + i, new RuntimeMemory(world, process));
    }
    world.network().bind(process.name(), process.lane(), this::receive);
    joinAnew();
  }

  /// Ends a life: the memory is lost.
  void kill() {
    isUp = false;
    epoch = 0;
    mounted.clear();
    process.lane().kill();
    world.network().unbind(process.name());
  }

  private SessionId newName() {
    return new SessionId(process.random().nextLong(), process.random().nextLong());
  }

  private void joinAnew() {
    epoch = 0;
    mounted.clear();
    session = null;
    long mine = ++joins;
    MetadataCommand.OpenSession open = new MetadataCommand.OpenSession(newName());
    calls.submit(
        () -> SessionCommand.unguarded(open),
        CALL_MILLIS,
        answer -> {
          if (mine != joins) {
            return;
          }
          if (answer != null && answer.reply() instanceof MetadataReply.SessionOpened opened) {
            session = new ClientSession(opened.session());
            register();
          } else {
            later(this::joinAnew);
          }
        });
  }

  private void register() {
    submit(
        new MetadataCommand.RegisterRuntime(
            id,
            new RuntimeProcess(incarnation, directory, starts),
            new Endpoint(process.name(), 1),
            Map.of()),
        reply -> {
          if (reply instanceof MetadataReply.RuntimeRegistered registered) {
            epoch = registered.epoch();
            world.trace().note(process.name(), "registered", epoch);
            mount(new ArrayList<>(memories.keySet().stream().sorted().toList()));
            renew(epoch);
          } else {
            later(this::joinAnew);
          }
        });
  }

  private void mount(List<String> names) {
    if (names.isEmpty()) {
      return;
    }
    String segmentName = names.removeFirst();
    long mine = epoch;
    submit(
        new MetadataCommand.MountSegment(
            id, epoch, segmentName, world.options().shape().segmentBytes()),
        reply -> {
          if (mine != epoch) {
            return;
          }
          if (reply instanceof MetadataReply.SegmentMounted segment) {
            RuntimeMemory memory = memory(segmentName);
            memory.remount();
            mounted.put(segment.segment(), memory);
            mount(names);
          } else if (isGone(reply)) {
            restart();
          } else {
            later(this::joinAnew);
          }
        });
  }

  private RuntimeMemory memory(String segmentName) {
    RuntimeMemory memory = memories.get(segmentName);
    if (memory == null) {
      throw new IllegalStateException(process.name() + " has no memory " + segmentName);
    }
    return memory;
  }

  private static boolean isGone(@Nullable MetadataReply reply) {
    return reply instanceof MetadataReply.Failed failed && failed.code() == ErrorCode.STALE_EPOCH;
  }

  private void renew(long mine) {
    process
        .lane()
        .after(
            world.options().times().leaseMillis() / 4 * 1_000_000,
            "renew",
            () -> {
              if (mine == epoch) {
                calls.read(
                    call -> new CallMessage.RenewRuntime(call, process.name(), id, mine),
                    world.options().times().leaseMillis() / 2,
                    answer -> renewed(mine, answer));
              }
            });
  }

  private void renewed(long mine, CallMessage.@Nullable Reply answer) {
    if (mine != epoch) {
      return;
    }
    if (answer instanceof CallMessage.Refused refused) {
      if (refused.code() == ErrorCode.STALE_EPOCH) {
        restart();
      } else {
        world.trace().note(process.name(), "lease lost", epoch);
        joinAnew();
      }
    } else {
      SessionId open = session().id();
      calls.tell(call -> new CallMessage.RenewSession(call, process.name(), open));
      renew(mine);
    }
  }

  /// Another process has registered under this name: this one stops, and its supervisor starts it
  /// again.
  private void restart() {
    world.trace().note(process.name(), "replaced", epoch);
    kill();
    world.scheduler().after(RETRY_MILLIS * 1_000_000, "supervisor", this::startUnlessUp);
  }

  void startUnlessUp() {
    if (!isUp) {
      start();
    }
  }

  private void submit(MetadataCommand.Client command, Consumer<@Nullable MetadataReply> onReply) {
    ClientSession mine = session();
    long sequence = mine.begin();
    calls.submit(
        mine.guarded(sequence, command),
        CALL_MILLIS,
        answer -> {
          mine.end(sequence);
          onReply.accept(answer == null ? null : answer.reply());
        });
  }

  private ClientSession session() {
    ClientSession mine = session;
    if (mine == null) {
      throw new IllegalStateException(process.name() + " has no open session");
    }
    return mine;
  }

  private void later(Runnable action) {
    process.lane().after(RETRY_MILLIS * 1_000_000, "runtime retry", action);
  }

  private void receive(Object message) {
    if (!(message instanceof CallMessage.DataRequest request)) {
      caller.receive(message);
      return;
    }
    RuntimeMemory memory = mounted.get(request.segment());
    Consumer<CallMessage.Reply> answer =
        reply -> world.network().send(process.name(), request.from(), reply);
    if (memory == null) {
      answer.accept(new CallMessage.Refused(request.call(), ErrorCode.SEGMENT_NOT_FOUND, null));
    } else {
      memory.serve(request, answer);
    }
  }
}
