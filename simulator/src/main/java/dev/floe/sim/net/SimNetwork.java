package dev.floe.sim.net;

import dev.floe.sim.kernel.Lane;
import dev.floe.sim.kernel.Scheduler;
import dev.floe.sim.kernel.SimRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Delivers messages between named processes.
///
/// A name is an address: a message that was sent to an earlier incarnation reaches the next one. A
/// process that is down gets nothing. Each decision is a function of (seed, link, place of the
/// message on the link). Confined to the thread of the run.
public final class SimNetwork {
  private static final long BASE_DELAY_NANOS = 100_000;

  private final Scheduler scheduler;
  private final SimRandom random;
  private final Map<String, Receiver> processes = new HashMap<>();
  private final Map<String, Link> links = new HashMap<>();
  private final Map<String, Integer> cuts = new HashMap<>();
  private final Map<String, Integer> isolated = new HashMap<>();
  private NetworkFaults faults = NetworkFaults.NONE;

  public SimNetwork(Scheduler scheduler, SimRandom random) {
    this.scheduler = scheduler;
    this.random = random;
  }

  /// Binds a name to a process; binding again replaces it.
  public void bind(String name, Lane lane, Consumer<Object> receiver) {
    processes.put(name, new Receiver(lane, receiver));
  }

  /// Makes a name deaf until it is bound again.
  public void unbind(String name) {
    processes.remove(name);
  }

  /// Sends a message; it may come once, twice, late or never.
  public void send(String from, String to, Object message) {
    Link link = links.computeIfAbsent(from + ">" + to, Link::new);
    long place = link.sent++;
    if (!from.equals(to)) {
      if (isCut(from, to) || random.chance(link.lossStream, place, faults.lossProbability())) {
        return;
      }
      if (random.chance(link.duplicateStream, place, faults.duplicateProbability())) {
        deliverLater(link, ~place, from, to, message);
      }
    }
    deliverLater(link, place, from, to, message);
  }

  /// Changes how bad the network is from now on.
  public void setFaults(NetworkFaults newFaults) {
    faults = newFaults;
  }

  /// Cuts one direction of one link, until as many `mend` calls have come.
  public void cut(String from, String to) {
    cuts.merge(from + ">" + to, 1, Integer::sum);
  }

  /// Takes back one `cut`.
  public void mend(String from, String to) {
    cuts.computeIfPresent(from + ">" + to, (link, count) -> count > 1 ? count - 1 : null);
  }

  /// Cuts a process off from all others, both ways, until as many `rejoin` calls have come.
  public void isolate(String name) {
    isolated.merge(name, 1, Integer::sum);
  }

  /// Takes back one `isolate`.
  public void rejoin(String name) {
    isolated.computeIfPresent(name, (key, count) -> count > 1 ? count - 1 : null);
  }

  /// Ends all cuts and makes the network healthy.
  public void heal() {
    cuts.clear();
    isolated.clear();
    faults = NetworkFaults.NONE;
  }

  private boolean isCut(String from, String to) {
    return isolated.containsKey(from)
        || isolated.containsKey(to)
        || cuts.containsKey(from + ">" + to);
  }

  private void deliverLater(Link link, long place, String from, String to, Object message) {
    long delay = BASE_DELAY_NANOS;
    if (faults.jitterMicros() > 0) {
      delay += random.between(link.delayStream, place, 0, faults.jitterMicros() * 1000);
    }
    if (random.chance(link.tailStream, place, faults.tailProbability())) {
      delay += random.between(link.delayStream, ~place - 1, 0, faults.tailMillis() * 1_000_000);
    }
    long at = scheduler.nanos() + delay;
    if (!faults.mayReorder()) {
      at = Math.max(at, link.lastArrivalNanos);
      link.lastArrivalNanos = at;
    }
    scheduler.after(
        at - scheduler.nanos(),
        "deliver",
        () -> {
          @Nullable Receiver target = processes.get(to);
          if (target != null && !isCut(from, to)) {
            target.lane.deliver(() -> target.receiver.accept(message));
          }
        });
  }

  private record Receiver(Lane lane, Consumer<Object> receiver) {}

  private static final class Link {
    final String lossStream;
    final String duplicateStream;
    final String delayStream;
    final String tailStream;
    long sent;
    long lastArrivalNanos;

    Link(String name) {
      lossStream = "net.loss/" + name;
      duplicateStream = "net.duplicate/" + name;
      delayStream = "net.delay/" + name;
      tailStream = "net.tail/" + name;
    }
  }
}
