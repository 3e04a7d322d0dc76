package dev.floe.sim.check;

import dev.floe.core.time.Ticker;
import dev.floe.meta.state.StateConfig;

/// All oracles of one run.
public record Oracles(
    Situations situations,
    StateMachineSafetyOracle log,
    CommandOracle commands,
    ClientOracle clients,
    DataOracle data,
    History history) {
  /// New oracles for a cluster with these timeouts.
  public static Oracles of(StateConfig config, Ticker ticker) {
    Situations situations = new Situations();
    CommandOracle commands = new CommandOracle(config, situations, ticker);
    return new Oracles(
        situations,
        new StateMachineSafetyOracle(),
        commands,
        new ClientOracle(commands),
        new DataOracle(commands),
        new History());
  }
}
