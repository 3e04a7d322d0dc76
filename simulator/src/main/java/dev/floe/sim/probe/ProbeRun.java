package dev.floe.sim.probe;

import dev.floe.sim.boot.SimProbes;
import dev.floe.sim.vthread.Seeds;
import java.util.Map;
import java.util.TreeMap;

/// The probes of one run: a site is active in a quarter of all runs and then fires at a quarter of
/// its calls. Confined to the simulation's carrier.
///
/// Whether the n-th call of a site fires depends on seed, site and n alone, so that other sites, and
/// faults that are taken out of a plan, change nothing here.
public final class ProbeRun implements SimProbes {
  private static final long QUARTERS = 4;

  private final long seed;
  private final boolean makesTrouble;
  private final Map<String, Long> calls = new TreeMap<>();
  private final Map<String, Long> fired = new TreeMap<>();
  private final Map<String, Long> seen = new TreeMap<>();

  /// @param makesTrouble false: no site ever fires, situations are counted all the same
  public ProbeRun(long seed, boolean makesTrouble) {
    this.seed = Seeds.mix(seed, 0x9E0BE);
    this.makesTrouble = makesTrouble;
  }

  @Override
  public boolean buggify(String site) {
    if (!isActive(site)) {
      return false;
    }
    long call = calls.merge(site, 1L, Long::sum);
    boolean isFiring =
        Math.floorMod(Seeds.mix(Seeds.mix(seed, site.hashCode()), call), QUARTERS) == 0;
    if (isFiring) {
      fired.merge(site, 1L, Long::sum);
    }
    return isFiring;
  }

  /// Whether a site may fire in this run.
  public boolean isActive(String site) {
    return makesTrouble && Math.floorMod(Seeds.mix(seed + 1, site.hashCode()), QUARTERS) == 0;
  }

  @Override
  public void sometimes(String situation) {
    seen.merge(situation, 1L, Long::sum);
  }

  /// How often each site fired.
  public Map<String, Long> fired() {
    return Map.copyOf(fired);
  }

  /// How often each situation was seen.
  public Map<String, Long> seen() {
    return Map.copyOf(seen);
  }
}
