package dev.floe.sim.cluster;

import dev.floe.meta.model.ObjectId;
import dev.floe.sim.check.Invariant;
import dev.floe.sim.check.Oracles;
import dev.floe.sim.check.Violation;
import dev.floe.sim.kernel.Scheduler;
import dev.floe.sim.kernel.SimRandom;
import dev.floe.sim.kernel.Trace;
import dev.floe.sim.net.SimNetwork;
import dev.floe.sim.vthread.Halt;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One run: start, chaos, heal, quiesce, final checks.
public final class Simulation {
  private static final int EVENTS_KEPT = 30;
  private static final long MILLI = 1_000_000;
  private static final long HEAL_MILLIS = 60_000;
  private static final long STEPS_MAX = 400_000;

  private final World world;
  private final List<Master> masters = new ArrayList<>();
  private final List<ModelRuntime> runtimes = new ArrayList<>();
  private final List<ClientActor> clients = new ArrayList<>();

  private Simulation(SimOptions options, @Nullable Consumer<String> sink) {
    Trace trace = new Trace(EVENTS_KEPT, sink);
    Scheduler scheduler = new Scheduler(trace);
    SimRandom random = new SimRandom(options.seed());
    world =
        new World(
            options,
            random,
            scheduler,
            trace,
            new SimNetwork(scheduler, random),
            Oracles.of(options.times().state(), scheduler));
    build();
  }

  /// Runs a seed to its end.
  public static RunResult run(SimOptions options) {
    return run(options, null);
  }

  /// Runs a seed to its end.
  ///
  /// @param sink gets every event as a line, or null; a `Halt` that it throws ends the run there
  public static RunResult run(SimOptions options, @Nullable Consumer<String> sink) {
    Simulation simulation = new Simulation(options, sink);
    RunResult.Failure failure = null;
    try {
      simulation.phases();
    } catch (Violation e) {
      failure = simulation.failure(e.invariant(), e, e);
    } catch (Halt e) {
      failure = simulation.halted(e);
    } catch (RuntimeException e) {
      failure = simulation.failure(Invariant.UNEXPECTED_EXCEPTION, e, e);
    }
    Trace trace = simulation.world.trace();
    List<Long> hashes = new ArrayList<>(trace.checkpoints());
    hashes.add(trace.hash());
    return new RunResult(
        options, trace.steps(), hashes, simulation.world.oracles().situations(), failure);
  }

  private RunResult.Failure failure(Invariant invariant, RuntimeException e, Throwable cause) {
    return new RunResult.Failure(
        invariant,
        invariant == Invariant.UNEXPECTED_EXCEPTION ? e.toString() : String.valueOf(e.getMessage()),
        world.trace().steps(),
        world.scheduler().nanos(),
        world.trace().lastEvents(),
        invariant == Invariant.UNEXPECTED_EXCEPTION ? cause : null);
  }

  private RunResult.Failure halted(Halt halt) {
    StringBuilder state = new StringBuilder();
    for (Master master : masters) {
      state.append("  ").append(master.describe()).append('\n');
    }
    for (ClientActor client : clients) {
      state.append("  ").append(client.describe()).append('\n');
    }
    return new RunResult.Failure(
        Invariant.UNEXPECTED_EXCEPTION,
        state.toString(),
        world.trace().steps(),
        world.scheduler().nanos(),
        world.trace().lastEvents(),
        halt);
  }

  private void build() {
    SimOptions.Shape shape = world.options().shape();
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= shape.masters(); i++) {
      names.add("m" + i);
    }
    for (String name : names) {
      List<String> others = names.stream().filter(other -> !other.equals(name)).toList();
      masters.add(new Master(world, world.newProcess(name), others));
    }
    for (int i = 1; i <= shape.runtimes(); i++) {
      runtimes.add(new ModelRuntime(world, world.newProcess("s" + i), names));
    }
    ClientActor.PutNumbers putNumbers = new ClientActor.PutNumbers();
    for (int i = 1; i <= shape.clients(); i++) {
      clients.add(new ClientActor(world, world.newProcess("c" + i), names, putNumbers));
    }
  }

  private void phases() {
    Nemesis nemesis = new Nemesis(world, masters, runtimes, clients);
    masters.forEach(master -> master.start(0));
    runtimes.forEach(ModelRuntime::startUnlessUp);
    runFor(1_000);
    clients.forEach(ClientActor::start);
    nemesis.start();
    long chaosEnd = world.scheduler().nanos() + world.options().faults().chaosMillis() * MILLI;
    runUntil(chaosEnd, () -> clients.stream().allMatch(ClientActor::isIdle));
    nemesis.heal();
    await("a leader that serves", () -> masters.stream().anyMatch(this::serves));
    await("all runtimes registered", () -> runtimes.stream().allMatch(ModelRuntime::isServing));
    runFor(1_000);
    clients.forEach(ClientActor::stop);
    await("all operations ended", () -> clients.stream().allMatch(ClientActor::isIdle));
    clients.forEach(ClientActor::kill);
    await("nothing abandoned left", this::isQuiet);
    await("all masters at the same index", this::isConverged);
    finalChecks();
  }

  private boolean serves(Master master) {
    return master.log().isLeaderReady() && master.log().hasLease();
  }

  private boolean isQuiet() {
    Master leader = leader();
    if (leader == null) {
      return false;
    }
    // What is left of the sessions is the runtimes' own.
    return leader.state().view().totals().abandonedBytes() == 0
        && leader.state().view().totals().writing() == 0
        && runtimes.stream().allMatch(ModelRuntime::isServing);
  }

  private boolean isConverged() {
    long index = masters.getFirst().log().appliedIndex();
    return masters.stream()
        .allMatch(master -> master.isUp() && master.log().appliedIndex() == index);
  }

  private @Nullable Master leader() {
    return masters.stream().filter(this::serves).findFirst().orElse(null);
  }

  private void finalChecks() {
    Oracles oracles = world.oracles();
    for (Master master : masters) {
      oracles.commands().checkAll(master.state().view());
    }
    oracles.clients().checkReplies();
    oracles.history().check(oracles.commands().timeline());
    Auditor auditor = new Auditor(world, masters.stream().map(Master::name).toList());
    List<ObjectId> keys = oracles.commands().timeline().keys();
    auditor.start(keys);
    await("the audit of all objects", auditor::isDone);
  }

  private void await(String what, BooleanSupplier condition) {
    long end = world.scheduler().nanos() + HEAL_MILLIS * MILLI;
    if (!runUntil(end, condition)) {
      throw new Violation(
          what.equals("nothing abandoned left") ? Invariant.LEAK : Invariant.LIVENESS,
          what + " did not come within " + HEAL_MILLIS + " ms after all faults had ended");
    }
  }

  private void runFor(long millis) {
    runUntil(world.scheduler().nanos() + millis * MILLI, () -> false);
  }

  private boolean runUntil(long untilNanos, BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (!world.scheduler().step(untilNanos)) {
        return false;
      }
      if (world.trace().steps() > STEPS_MAX) {
        throw new Violation(
            Invariant.LIVENESS, "more than " + STEPS_MAX + " events: something goes in circles");
      }
    }
    return true;
  }
}
