package dev.floe.sim.cli;

import dev.floe.sim.ratis.RatisSimMain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// The simulator over real Ratis and real masters instead of the model log; has its own commands.
@Command(
    name = "ratis",
    description =
        "Runs real masters with real Ratis: run, replay, check-determinism; without arguments it"
            + " explains them.")
final class RatisCommand implements Callable<Integer> {
  @Unmatched List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    return RatisSimMain.run(arguments, System.out);
  }
}
