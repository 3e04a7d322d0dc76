package dev.floe.sim.plan;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A run, written down.
///
/// @param profile the kind of run
/// @param seed decides what each item does
/// @param schedule the seed of everything below the items: order of threads, delays of messages.
///     The same as `seed` unless a smaller plan needed another one to fail
/// @param settings sizes and knobs by name
/// @param faults in the order of their numbers
/// @param operations of the clients
public record Plan(
    String profile,
    long seed,
    long schedule,
    SortedMap<String, String> settings,
    List<Fault> faults,
    Operations operations) {
  public Plan {
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    faults = List.copyOf(faults);
  }

  /// The same with other faults.
  public Plan withFaults(List<Fault> other) {
    return new Plan(profile, seed, schedule, settings, other, operations);
  }

  /// The same with other operations.
  public Plan withOperations(Operations other) {
    return new Plan(profile, seed, schedule, settings, faults, other);
  }

  /// The same with another order of threads and other delays.
  public Plan withSchedule(long other) {
    return new Plan(profile, seed, other, settings, faults, operations);
  }

  /// The same with one knob changed.
  public Plan with(String name, String value) {
    SortedMap<String, String> changed = new TreeMap<>(settings);
    changed.put(name, value);
    return new Plan(profile, seed, schedule, changed, faults, operations);
  }

  /// The settings in one line.
  public String describe() {
    StringBuilder text = new StringBuilder();
    settings.forEach(
        (name, value) -> text.append(text.isEmpty() ? "" : " ").append(name + "=" + value));
    return text.toString();
  }
}
