package dev.floe.sim.wire;

import dev.floe.sim.vthread.Incarnation;
import dev.floe.sim.vthread.Simulation;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Hosts, the directed links between them, and what is wrong with these.
public final class SimNetwork {
  private static final long STALE_NANOS_MAX = 8_000_000_000L;

  private final Simulation simulation;
  private final Incarnation wires;
  private final Map<String, SimHost> hosts = new HashMap<>();
  private final Map<String, SplittableRandom> links = new HashMap<>();

  /// How many faults cut a link now.
  private final TreeMap<String, Integer> cuts = new TreeMap<>();

  private final Map<String, Conditions> linkConditions = new HashMap<>();
  private double staleProbability;
  private Conditions conditions = Conditions.GOOD;
  private Watcher watcher = (from, to, what, sentNanos) -> {};
  private long sent;
  private long lost;

  public SimNetwork(Simulation simulation) {
    this.simulation = simulation;
    this.wires = simulation.newIncarnation("wires");
  }

  /// Puts a process at its address, in the place of an earlier life.
  public void attach(SimHost host) {
    hosts.put(host.name(), host);
  }

  /// The living process at an address, or null.
  @Nullable SimHost hostAt(String name) {
    SimHost host = hosts.get(name);
    return host == null || host.life().isDead() ? null : host;
  }

  // --- faults ---

  /// How messages travel from now on.
  public void setConditions(Conditions now) {
    simulation.event("network " + now);
    conditions = now;
  }

  /// How messages travel on one link from now on; null for as on all others.
  public void setConditions(String from, String to, @Nullable Conditions now) {
    simulation.event("link " + from + ">" + to + " " + now);
    if (now == null) {
      linkConditions.remove(link(from, to));
    } else {
      linkConditions.put(link(from, to), now);
    }
  }

  /// How many of the messages that may come twice come again much later, perhaps to a later life of
  /// the receiver or when their sender is long dead.
  public void setStale(double probability) {
    simulation.event("stale " + probability);
    staleProbability = probability;
  }

  /// Drops everything from one host to another, until `restore` was called as often, or `heal`.
  public void cut(String from, String to) {
    simulation.event("cut " + from + ">" + to);
    var _ = cuts.merge(link(from, to), 1, Integer::sum);
  }

  /// Takes one cut of a link back.
  public void restore(String from, String to) {
    simulation.event("restore " + from + ">" + to);
    var _ = cuts.computeIfPresent(link(from, to), (key, count) -> count > 1 ? count - 1 : null);
  }

  /// Cuts a host off from others, both ways.
  public void isolate(String host, Collection<String> others) {
    for (String other : others) {
      if (!other.equals(host)) {
        cut(host, other);
        cut(other, host);
      }
    }
  }

  /// Ends all that is wrong with the network.
  public void heal() {
    simulation.event("heal");
    cuts.clear();
    linkConditions.clear();
    conditions = Conditions.GOOD;
    staleProbability = 0;
  }

  /// Whether messages from one host to another are dropped now.
  public boolean isCut(String from, String to) {
    return !cuts.isEmpty() && cuts.containsKey(link(from, to));
  }

  // --- travelling ---

  /// Is told of each message that arrives, when it does.
  @FunctionalInterface
  public interface Watcher {
    void arrived(String from, String to, String what, long sentNanos);
  }

  /// Names who is told; it must change nothing in the run.
  public void watch(Watcher now) {
    watcher = now;
  }

  Watcher watcher() {
    return watcher;
  }

  /// Takes a message along a link. Whether it was lost or repeated shows only in how often `arrive`
  /// is called, on a thread of the receiving process.
  ///
  /// @param refused called on the sender when no process is there
  void send(SimHost from, String to, Message message, Consumer<SimHost> arrive, Runnable refused) {
    sent++;
    simulation.message(link(from.name(), to), message.kind(), message.contentHash());
    long sentNanos = simulation.nanos();
    SplittableRandom random = random(from.name(), to);
    Conditions now = conditions(from.name(), to);
    if (staleProbability > 0 && message.isRepeatable()) {
      sendStale(to, random, arrive);
    }
    int copies = message.isRepeatable() && random.nextDouble() < now.duplication() ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      boolean isLost = random.nextDouble() < now.loss();
      long latency = latency(now, random);
      if (isLost || isCut(from.name(), to)) {
        lost++;
        continue;
      }
      SimHost receiver = hostAt(to);
      if (receiver == null) {
        later(from.life(), latency, "refused", refused);
      } else {
        later(
            receiver.life(),
            latency,
            message.kind(),
            () -> {
              if (isCut(from.name(), to)) {
                lost++;
              } else {
                watcher.arrived(from.name(), to, message.kind(), sentNanos);
                arrive.accept(receiver);
              }
            });
      }
    }
  }

  private void sendStale(String to, SplittableRandom random, Consumer<SimHost> arrive) {
    if (random.nextDouble() >= staleProbability) {
      return;
    }
    onWire(
        random.nextLong(STALE_NANOS_MAX),
        "stale",
        () -> {
          SimHost later = hostAt(to);
          if (later != null) {
            later(later.life(), 0, "stale", () -> arrive.accept(later));
          }
        });
  }

  /// A message as the network sees it.
  ///
  /// @param isRepeatable whether it may arrive twice
  record Message(String kind, long contentHash, boolean isRepeatable) {}

  private void later(Incarnation owner, long delayNanos, String what, Runnable action) {
    simulation.after(owner, delayNanos, what, action);
  }

  /// Runs something that belongs to no process, such as bytes under way, and does not wait.
  void onWire(long delayNanos, String what, Runnable action) {
    simulation.between(wires, delayNanos, what, action);
  }

  /// How long a message takes on a link now.
  long latency(String from, String to) {
    return latency(conditions(from, to), random(from, to));
  }

  private static long latency(Conditions conditions, SplittableRandom random) {
    return random.nextDouble() < conditions.slow()
        ? random.nextLong(conditions.slowMaxNanos())
        : conditions.latencyMinNanos()
            + random.nextLong(conditions.latencyMaxNanos() - conditions.latencyMinNanos() + 1);
  }

  Conditions conditions(String from, String to) {
    return linkConditions.isEmpty()
        ? conditions
        : linkConditions.getOrDefault(link(from, to), conditions);
  }

  Simulation simulation() {
    return simulation;
  }

  SplittableRandom random(String from, String to) {
    return links.computeIfAbsent(link(from, to), name -> simulation.seeds().stream("link " + name));
  }

  private static String link(String from, String to) {
    return from + ">" + to;
  }

  /// Messages sent and lost up to now.
  public String statistics() {
    return "messages " + sent + " lost " + lost;
  }
}
