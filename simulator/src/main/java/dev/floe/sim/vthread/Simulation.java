package dev.floe.sim.vthread;

import dev.floe.sim.agent.SimAgent;
import dev.floe.sim.boot.Hooks;
import dev.floe.sim.boot.SimFiles;
import dev.floe.sim.boot.SimProbes;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A simulated world: processes, their threads, time. The scenario that drives it runs inside, as a
/// process of its own.
///
/// Needs a JVM that was started as `SimJvm` says. One simulation runs in a JVM at a time; many may
/// run after each other. All methods but `run` are for simulated threads.
public final class Simulation {
  private static final Duration STALL = Duration.ofSeconds(60);

  private final SimOptions options;
  private final Seeds seeds;
  private final TraceHash trace;
  private final VirtualScheduler scheduler;
  private final SimKernel kernel;
  private @Nullable Throwable failure;

  private Simulation(SimOptions options) {
    this.options = options;
    this.seeds = new Seeds(options.seed());
    this.trace = new TraceHash(options.sink());
    this.scheduler = new VirtualScheduler(options, trace);
    this.kernel =
        new SimKernel(
            scheduler, options, trace, new Incarnation(scheduler, "shared", new LocalClock()));
  }

  /// Runs a scenario to its end. The run ends when the scenario returns or throws, when `fail` is
  /// called, or at the limit of virtual time.
  ///
  /// @throws IllegalStateException when this JVM lacks the agent, or has a class that the agent
  ///     could not rewrite
  public static Outcome run(SimOptions options, Scenario scenario) {
    if (!Hooks.isAgentLoaded()) {
      throw new IllegalStateException(
          "the simulator's agent is not loaded; start the JVM with the flags of SimJvm");
    }
    checkAgent();
    try {
      JdkThreads.prepare();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before a simulation", e);
    }
    Outcome outcome = new Simulation(options).run(scenario);
    checkAgent();
    return outcome;
  }

  private static void checkAgent() {
    List<String> failures = SimAgent.failures();
    if (!failures.isEmpty()) {
      throw new IllegalStateException("classes that could not be rewritten: " + failures);
    }
  }

  private Outcome run(Scenario scenario) {
    Thread carrier = new Thread(() -> carry(scenario), "sim-carrier");
    long realBefore = System.nanoTime();
    carrier.start();
    awaitEnd(carrier);
    return new Outcome(
        options.seed(),
        trace.value(),
        Duration.ofNanos(scheduler.nanos() - 1_000_000_000L),
        Duration.ofNanos(System.nanoTime() - realBefore),
        scheduler.counters(),
        trace.checkpoints(),
        failure);
  }

  private void carry(Scenario scenario) {
    Hooks.enter(kernel);
    try {
      JdkThreads.seedThreadLocalRandom(
          Seeds.mix(options.seed(), 1), (int) Seeds.mix(options.seed(), 2));
      spawn(newIncarnation("driver"), "driver", () -> drive(scenario));
      VirtualScheduler.End end = scheduler.loop(options.timeLimit().toNanos());
      switch (end) {
        case STOPPED -> {}
        case LAST_STEP -> {
          if (failure == null) {
            failure = new Halt(trace.steps());
          }
        }
        case TIME_LIMIT ->
            fail(
                new AssertionError(
                    "not finished after " + options.timeLimit() + " of virtual time"));
        case NOTHING_TO_DO ->
            fail(new AssertionError(whyNothingToDo() + ":\n" + describeThreads()));
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      scheduler.close();
      Hooks.leave();
    }
  }

  /// A thread that is not in any queue of ours and yet does not wait is in the hands of a real
  /// thread that is just waking it.
  private String whyNothingToDo() {
    for (SimThread thread : scheduler.threads().living()) {
      if (thread.virtual.getState() == Thread.State.RUNNABLE) {
        return "thread " + thread + " was woken by a thread from outside of the simulation";
      }
    }
    return "every thread waits for ever";
  }

  private void drive(Scenario scenario) {
    try {
      scenario.run(this);
    } catch (Throwable e) {
      fail(e);
    }
    scheduler.stop();
  }

  /// Real time only serves to notice a carrier that hangs, e.g. on a class being initialised.
  private void awaitEnd(Thread carrier) {
    long before = -1;
    while (true) {
      try {
        if (carrier.join(STALL)) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while a simulation ran", e);
      }
      if (scheduler.progress() == before) {
        IllegalStateException stalled =
            new IllegalStateException(
                "the carrier hangs at "
                    + scheduler.nanos()
                    + " ns, in thread "
                    + scheduler.current());
        stalled.setStackTrace(carrier.getStackTrace());
        throw stalled;
      }
      before = scheduler.progress();
    }
  }

  // --- for scenarios ---

  /// Random streams of this run.
  public Seeds seeds() {
    return seeds;
  }

  /// Virtual monotonic time.
  public long nanos() {
    return scheduler.nanos();
  }

  /// Lets virtual time pass for the running thread without letting others run: a call that keeps a
  /// processor busy.
  public void spend(long nanos) {
    scheduler.spend(nanos);
  }

  /// Runs a check that nobody may disturb: while it runs no thread loses the processor where it
  /// synchronises. The check must not wait.
  public void exclusively(Runnable check) {
    kernel.exclusively(check);
  }

  /// Makes simulated files known to rewritten code, for the rest of the run.
  public void mount(SimFiles files) {
    kernel.mount(files);
  }

  /// Lets probes in production code be answered, for the rest of the run.
  public void mount(SimProbes probes) {
    kernel.mount(probes);
  }

  /// A new life of a process.
  public Incarnation newIncarnation(String name) {
    return newIncarnation(name, new LocalClock());
  }

  /// A new life of a process on a machine with clocks of its own.
  public Incarnation newIncarnation(String name, LocalClock clock) {
    return new Incarnation(scheduler, name, clock);
  }

  /// The names of a process's living threads, in the order in which they were made.
  public List<String> threadsOf(Incarnation incarnation) {
    return scheduler.threads().living().stream()
        .filter(thread -> thread.owner == incarnation)
        .map(thread -> thread.name)
        .toList();
  }

  /// Starts a thread in a process.
  public Thread spawn(Incarnation owner, String name, Runnable body) {
    return scheduler.spawn(owner, name, body);
  }

  /// Runs an action in a process, on a thread of its own, after a delay.
  public void after(Incarnation owner, long delayNanos, String what, Runnable action) {
    var _ = scheduler.timer(owner, delayNanos, new SimTimer.Work(what, action, true));
  }

  /// The same, to be cancelled when it is no longer wanted.
  public Alarm alarm(Incarnation owner, long delayNanos, String what, Runnable action) {
    SimTimer timer = scheduler.timer(owner, delayNanos, new SimTimer.Work(what, action, true));
    return () -> {
      var _ = timer.cancel(false);
    };
  }

  /// Runs an action after a delay between two steps of the threads, without one of its own: it must
  /// be short and must not wait.
  public void between(Incarnation owner, long delayNanos, String what, Runnable action) {
    var _ = scheduler.timer(owner, delayNanos, new SimTimer.Work(what, action, false));
  }

  /// Something that happens later unless it is cancelled.
  @FunctionalInterface
  public interface Alarm {
    void cancel();
  }

  /// Ends a process as a power switch does.
  public void kill(Incarnation incarnation) {
    event("kill " + incarnation);
    scheduler.kill(incarnation);
  }

  /// Stops a process until `resume`; what it would have done meanwhile happens then.
  public void pause(Incarnation incarnation) {
    event("pause " + incarnation);
    scheduler.pause(incarnation);
  }

  /// Lets a paused process go on.
  public void resume(Incarnation incarnation) {
    event("resume " + incarnation);
    scheduler.resume(incarnation);
  }

  /// Notes something that happened, in hash and trace.
  public void event(String what) {
    trace.mix(scheduler.nanos());
    trace.mix(what.hashCode());
    trace.line(scheduler.nanos(), "E", what);
  }

  /// Notes a message.
  public void message(String link, String kind, long contentHash) {
    trace.mix(contentHash);
    if (trace.isTraced()) {
      trace.line(scheduler.nanos(), "M", link + " " + kind + " " + Long.toHexString(contentHash));
    }
  }

  /// Ends the run with an error; the first one counts.
  public void fail(Throwable why) {
    if (failure == null) {
      failure = why;
      event("FAIL " + why);
    }
    scheduler.stop();
  }

  /// All living threads with what they do, for an error message.
  public String describeThreads() {
    StringBuilder text = new StringBuilder();
    for (SimThread thread : scheduler.threads().living()) {
      text.append(thread).append(' ').append(thread.virtual.getState()).append('\n');
      StackTraceElement[] stack = thread.virtual.getStackTrace();
      for (int i = 0; i < Math.min(12, stack.length); i++) {
        text.append("    ").append(stack[i]).append('\n');
      }
    }
    return text.toString();
  }

  /// What to do in a simulated world.
  @FunctionalInterface
  public interface Scenario {
    void run(Simulation simulation) throws Exception;
  }

  /// How a run ended.
  ///
  /// @param failure null when the scenario returned; a `Halt` when somebody wanted no more
  public record Outcome(
      long seed,
      long hash,
      Duration virtualTime,
      Duration realTime,
      RunCounters counters,
      List<TraceHash.Checkpoint> checkpoints,
      @Nullable Throwable failure) {}
}
