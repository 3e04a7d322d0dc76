package dev.floe.sim.cluster;

import dev.floe.sim.check.Situation;
import dev.floe.sim.kernel.SimRandom;
import java.util.ArrayList;
import java.util.List;

/// Makes faults happen during the chaos of a run, and mends them in the end.
final class Nemesis {
  private final World world;
  private final List<Master> masters;
  private final List<ModelRuntime> runtimes;
  private final List<ClientActor> clients;
  private final SimRandom.Stream random;
  private final List<Runnable> kinds = new ArrayList<>();
  private boolean isOver;

  Nemesis(
      World world, List<Master> masters, List<ModelRuntime> runtimes, List<ClientActor> clients) {
    this.world = world;
    this.masters = masters;
    this.runtimes = runtimes;
    this.clients = clients;
    random = world.random().stream("nemesis");
    SimOptions.Faults faults = world.options().faults();
    addWhen(faults.has(FaultClass.ONE_WAY_CUT), this::cut);
    addWhen(faults.has(FaultClass.ISOLATION), this::isolate);
    addWhen(faults.has(FaultClass.ISOLATION), this::isolateFromMasters);
    addWhen(faults.has(FaultClass.MASTER_KILL), this::killMaster);
    addWhen(faults.has(FaultClass.OLDER_SNAPSHOT), this::killMaster);
    addWhen(faults.has(FaultClass.PAUSE), this::pause);
    addWhen(faults.has(FaultClass.RUNTIME_CRASH), this::killRuntime);
    addWhen(faults.has(FaultClass.CLIENT_CRASH), this::killClient);
    addWhen(faults.has(FaultClass.CLOCK_JUMP), this::jumpClock);
  }

  private void addWhen(boolean isOn, Runnable kind) {
    if (isOn) {
      kinds.add(kind);
    }
  }

  /// Begins: faults from now on.
  void start() {
    world.network().setFaults(world.options().faults().network());
    if (!kinds.isEmpty()) {
      next();
    }
  }

  /// Ends all faults: the network is well, everybody is up and goes on.
  void heal() {
    isOver = true;
    world.network().heal();
    masters.forEach(
        master -> {
          resume(master.process());
          if (!master.isUp()) {
            master.start(0);
          }
        });
    runtimes.forEach(
        runtime -> {
          resume(runtime.process());
          runtime.startUnlessUp();
        });
    clients.forEach(client -> resume(client.process()));
    world.trace().note("nemesis", "healed", 0);
  }

  private void next() {
    long gap = world.options().faults().gapMillis();
    world
        .scheduler()
        .after(
            random.between(gap / 4, gap * 2) * 1_000_000,
            "nemesis",
            () -> {
              if (!isOver) {
                random.pick(kinds).run();
                next();
              }
            });
  }

  private void cut() {
    String from = random.pick(names());
    String to = random.pick(masters).name();
    if (!from.equals(to)) {
      world.network().cut(from, to);
      note("cut " + from + ">" + to);
      later(() -> world.network().mend(from, to));
    }
  }

  private void isolate() {
    String name = random.chance(0.6) ? victim().name() : random.pick(names());
    world.network().isolate(name);
    note("isolate " + name);
    later(() -> world.network().rejoin(name));
  }

  /// Clients still reach it: a deposed leader goes on answering them for as long as it dares.
  private void isolateFromMasters() {
    String name = victim().name();
    note("isolate from masters " + name);
    List<String> others =
        masters.stream().map(Master::name).filter(other -> !other.equals(name)).toList();
    for (String other : others) {
      world.network().cut(name, other);
      world.network().cut(other, name);
    }
    later(
        () ->
            others.forEach(
                other -> {
                  world.network().mend(name, other);
                  world.network().mend(other, name);
                }));
  }

  private void killMaster() {
    Master master = victim();
    if (!master.isUp()) {
      return;
    }
    note("kill " + master.name());
    master.kill();
    int back = world.options().faults().has(FaultClass.OLDER_SNAPSHOT) ? 1 : 0;
    later(
        () -> {
          if (!master.isUp()) {
            master.start(back);
          }
        });
  }

  private void pause() {
    World.SimProcess process = random.chance(0.5) ? victim().process() : random.pick(processes());
    if (!process.lane().isPaused()) {
      note("pause " + process.name());
      process.lane().pause();
      later(() -> resume(process));
    }
  }

  private void resume(World.SimProcess process) {
    if (process.lane().isPaused()) {
      world.oracles().situations().hit(Situation.PAUSED_PROCESS_RETURNED);
      note("resume " + process.name());
      process.lane().resume();
    }
  }

  private void killRuntime() {
    ModelRuntime runtime = random.pick(runtimes);
    if (runtime.isUp()) {
      note("kill " + runtime.process().name());
      runtime.kill();
      later(runtime::startUnlessUp);
    }
  }

  private void killClient() {
    ClientActor client = random.pick(clients);
    if (client.isUp() && !client.process().lane().isPaused()) {
      note("kill " + client.process().name());
      client.kill();
      later(
          () -> {
            if (!client.isUp()) {
              client.start();
            }
          });
    }
  }

  private void jumpClock() {
    long millis = random.between(-8_000, 5_000);
    Master master = victim();
    note("clock of " + master.name() + " " + millis + " ms");
    master.shiftClock(millis);
  }

  /// Mostly the leader.
  private Master victim() {
    if (random.chance(0.7)) {
      for (Master master : masters) {
        if (master.isUp() && master.log().isLeader()) {
          return master;
        }
      }
    }
    return random.pick(masters);
  }

  private List<World.SimProcess> processes() {
    List<World.SimProcess> all = new ArrayList<>();
    masters.forEach(master -> all.add(master.process()));
    runtimes.forEach(runtime -> all.add(runtime.process()));
    clients.forEach(client -> all.add(client.process()));
    return all;
  }

  private List<String> names() {
    return processes().stream().map(World.SimProcess::name).toList();
  }

  private void later(Runnable mend) {
    world
        .scheduler()
        .after(
            random.logBetween(30, 6_000) * 1_000_000,
            "mend",
            () -> {
              if (!isOver) {
                mend.run();
              }
            });
  }

  private void note(String what) {
    world.trace().note("nemesis", "fault", 0, 0, what);
  }
}
