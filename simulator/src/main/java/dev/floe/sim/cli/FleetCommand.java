package dev.floe.sim.cli;

import dev.floe.sim.fleet.FleetMain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// The simulator of whole clusters; has its own commands.
@Command(
    name = "fleet",
    description =
        "Runs whole clusters of production masters, stores and clients, over real Ratis or a model"
            + " log: run, replay, check-determinism; without arguments it explains them.")
final class FleetCommand implements Callable<Integer> {
  @Unmatched List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    return FleetMain.run(arguments, System.out);
  }
}
