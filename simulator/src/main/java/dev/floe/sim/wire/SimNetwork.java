package dev.floe.sim.wire;

import dev.floe.sim.vthread.Incarnation;
import dev.floe.sim.vthread.Simulation;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Hosts, the directed links between them, and what is wrong with these.
public final class SimNetwork {
  private final Simulation simulation;
  private final Incarnation wires;
  private final Map<String, SimHost> hosts = new HashMap<>();
  private final Map<String, SplittableRandom> links = new HashMap<>();
  private final TreeSet<String> cuts = new TreeSet<>();
  private Conditions conditions = Conditions.GOOD;
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

  /// Drops everything from one host to another, until `heal`.
  public void cut(String from, String to) {
    simulation.event("cut " + from + ">" + to);
    cuts.add(link(from, to));
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

  /// Ends all cuts.
  public void heal() {
    simulation.event("heal");
    cuts.clear();
  }

  boolean isCut(String from, String to) {
    return cuts.contains(link(from, to));
  }

  // --- travelling ---

  /// Takes a message along a link. Whether it was lost or repeated shows only in how often `arrive`
  /// is called, on a thread of the receiving process.
  ///
  /// @param refused called on the sender when no process is there
  void send(SimHost from, String to, Message message, Runnable arrive, Runnable refused) {
    sent++;
    simulation.message(link(from.name(), to), message.kind(), message.contentHash());
    SplittableRandom random = random(from.name(), to);
    int copies = message.isRepeatable() && random.nextDouble() < conditions.duplication() ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      boolean isLost = random.nextDouble() < conditions.loss();
      long latency = latency(random);
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
                arrive.run();
              }
            });
      }
    }
  }

  /// A message as the network sees it.
  ///
  /// @param isRepeatable whether it may arrive twice
  record Message(String kind, long contentHash, boolean isRepeatable) {}

  private void later(Incarnation owner, long delayNanos, String what, Runnable action) {
    simulation.after(owner, delayNanos, what, action);
  }

  /// Runs something that belongs to no process, such as bytes under way.
  void onWire(long delayNanos, String what, Runnable action) {
    later(wires, delayNanos, what, action);
  }

  /// How long a message takes on a link now.
  long latency(SplittableRandom random) {
    return random.nextDouble() < conditions.slow()
        ? random.nextLong(conditions.slowMaxNanos())
        : conditions.latencyMinNanos()
            + random.nextLong(conditions.latencyMaxNanos() - conditions.latencyMinNanos() + 1);
  }

  Conditions conditions() {
    return conditions;
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
