package dev.floe.sim.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.sim.kernel.Lane;
import dev.floe.sim.kernel.Scheduler;
import dev.floe.sim.kernel.SimRandom;
import dev.floe.sim.kernel.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SimNetworkTest {
  private final Scheduler scheduler = new Scheduler(new Trace(1, null));
  private final SimNetwork network = new SimNetwork(scheduler, new SimRandom(1));
  private final List<Object> got = new ArrayList<>();

  @BeforeEach
  void bind() {
    network.bind("b", new Lane(scheduler), got::add);
  }

  @Test
  void deliversInOrderOnAHealthyLink() {
    send(100);
    assertThat(got).isEqualTo(numbers(100));
  }

  @Test
  void losesAndDoublesMessagesAtAboutTheAskedRates() {
    network.setFaults(new NetworkFaults(0.2, 0, 50, 0, 0, false));
    send(1000);
    assertThat(got.size()).isBetween(750, 850);
    got.clear();
    network.setFaults(new NetworkFaults(0, 0.2, 50, 0, 0, false));
    send(1000);
    assertThat(got.size()).isBetween(1150, 1250);
  }

  @Test
  void letsMessagesOvertakeOnlyWhenAsked() {
    network.setFaults(new NetworkFaults(0, 0, 5000, 0.1, 100, false));
    send(200);
    assertThat(got).isEqualTo(numbers(200));
    got.clear();
    network.setFaults(new NetworkFaults(0, 0, 5000, 0.1, 100, true));
    send(200);
    assertThat(got).containsExactlyInAnyOrderElementsOf(numbers(200)).isNotEqualTo(numbers(200));
  }

  @Test
  void keepsALinkCutUntilEveryCutIsMended() {
    network.cut("a", "b");
    network.cut("a", "b");
    network.mend("a", "b");
    send(1);
    assertThat(got).isEmpty();
    network.mend("a", "b");
    send(1);
    assertThat(got).hasSize(1);
  }

  @Test
  void cutsOneDirectionOnly() {
    network.bind("a", new Lane(scheduler), got::add);
    network.cut("a", "b");
    network.send("b", "a", "back");
    send(1);
    assertThat(got).containsExactly("back");
  }

  @Test
  void isolatesAProcessUntilItRejoins() {
    network.isolate("b");
    send(1);
    assertThat(got).isEmpty();
    network.rejoin("b");
    send(1);
    assertThat(got).hasSize(1);
  }

  @Test
  void dropsMessagesToAProcessThatIsDown() {
    network.unbind("b");
    send(1);
    assertThat(got).isEmpty();
  }

  private void send(int count) {
    numbers(count).forEach(number -> network.send("a", "b", number));
    run();
  }

  private void run() {
    long end = scheduler.nanos() + 10_000_000_000L;
    boolean isMore = true;
    while (isMore) {
      isMore = scheduler.step(end);
    }
  }

  private static List<Object> numbers(int count) {
    return IntStream.range(0, count).<Object>mapToObj(i -> i).toList();
  }
}
