package dev.floe.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.ByteLink;
import dev.floe.core.wire.Endpoint;
import dev.floe.sim.vthread.InSimulationJvm;
import dev.floe.sim.vthread.SimOptions;
import dev.floe.sim.vthread.Simulation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

@InSimulationJvm
class SimNetworkSimTest {
  private static final Conditions PERFECT = new Conditions(0, 0, 200_000, 2_000_000, 0, 1);

  private static void run(Simulation.Scenario scenario) {
    Simulation.Outcome outcome = Simulation.run(SimOptions.of(7), scenario);
    if (outcome.failure() != null) {
      throw new AssertionError(outcome.failure());
    }
  }

  private static SimHost host(SimNetwork network, Simulation simulation, String name) {
    SimHost host = new SimHost(name, simulation.newIncarnation(name));
    network.attach(host);
    return host;
  }

  private static ByteString text(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static SimCalls.Call ask(String body) {
    return new SimCalls.Call("ask", text(body), 1_000_000_000L, true);
  }

  @Test
  void callsTakeTimeAndOvertakeEachOther() {
    run(
        sim -> {
          SimNetwork network = new SimNetwork(sim);
          network.setConditions(PERFECT);
          SimHost a = host(network, sim, "a");
          SimHost b = host(network, sim, "b");
          SimCalls calls = new SimCalls(network);
          List<String> order = new ArrayList<>();
          calls.serve(
              b,
              (kind, body) -> {
                order.add(body.toStringUtf8());
                return CompletableFuture.completedFuture(text("to " + body.toStringUtf8()));
              });
          long before = sim.nanos();
          List<CompletableFuture<ByteString>> replies = new ArrayList<>();
          List<String> sent = new ArrayList<>();
          for (int i = 0; i < 50; i++) {
            sent.add("" + i);
            replies.add(calls.call(a, "b", ask("" + i)));
          }
          for (int i = 0; i < 50; i++) {
            assertThat(replies.get(i).get()).isEqualTo(text("to " + i));
          }
          assertThat(Duration.ofNanos(sim.nanos() - before))
              .isBetween(Duration.ofMillis(1), Duration.ofMillis(10));
          assertThat(order).containsExactlyInAnyOrderElementsOf(sent).isNotEqualTo(sent);
        });
  }

  @Test
  void aReplyMayBeLostAfterTheRequestWasExecuted() {
    run(
        sim -> {
          SimNetwork network = new SimNetwork(sim);
          network.setConditions(PERFECT);
          SimHost a = host(network, sim, "a");
          SimHost b = host(network, sim, "b");
          SimCalls calls = new SimCalls(network);
          List<String> executed = new ArrayList<>();
          calls.serve(
              b,
              (kind, body) -> {
                executed.add(kind);
                return CompletableFuture.completedFuture(body);
              });
          network.cut("b", "a");
          assertThatThrownBy(() -> calls.call(a, "b", ask("x")).get())
              .isInstanceOf(ExecutionException.class)
              .hasCauseInstanceOf(TimeoutException.class);
          assertThat(executed).containsExactly("ask");
          network.heal();
          assertThat(calls.call(a, "b", ask("y")).get()).isEqualTo(text("y"));
        });
  }

  @Test
  void repeatableRequestsArriveTwiceAndOthersOnce() {
    run(
        sim -> {
          SimNetwork network = new SimNetwork(sim);
          network.setConditions(PERFECT.withDuplication(1));
          SimHost a = host(network, sim, "a");
          SimHost b = host(network, sim, "b");
          SimCalls calls = new SimCalls(network);
          List<String> executed = new ArrayList<>();
          calls.serve(
              b,
              (kind, body) -> {
                executed.add(body.toStringUtf8());
                return CompletableFuture.completedFuture(body);
              });
          var _ = calls.call(a, "b", ask("twice")).get();
          var _ =
              calls
                  .call(a, "b", new SimCalls.Call("ask", text("once"), 1_000_000_000L, false))
                  .get();
          Thread.sleep(100);
          assertThat(executed).containsExactlyInAnyOrder("twice", "twice", "once");
        });
  }

  @Test
  void aStreamStallsOverAShortCutAndLosesNothing() {
    run(
        sim -> {
          Ends ends = new Ends(sim);
          ends.network.cut("a", "b");
          ends.client.write(
              new ByteBuffer[] {
                ByteBuffer.wrap("first ".getBytes(java.nio.charset.StandardCharsets.UTF_8))
              });
          Thread.sleep(3000);
          ends.client.write(
              new ByteBuffer[] {
                ByteBuffer.wrap("second".getBytes(java.nio.charset.StandardCharsets.UTF_8))
              });
          ends.network.heal();
          assertThat(ends.readServer(12)).isEqualTo("first second");
        });
  }

  @Test
  void aStreamBreaksOverALongCut() {
    run(
        sim -> {
          Ends ends = new Ends(sim);
          ends.network.cut("a", "b");
          ends.client.write(
              new ByteBuffer[] {
                ByteBuffer.wrap("never".getBytes(java.nio.charset.StandardCharsets.UTF_8))
              });
          assertThatThrownBy(() -> ends.client.read(ByteBuffer.allocate(10)))
              .isInstanceOf(IOException.class)
              .hasMessageContaining("timed out");
        });
  }

  @Test
  void theConnectionsOfAKilledProcessAreReset() {
    run(
        sim -> {
          Ends ends = new Ends(sim);
          sim.kill(ends.b.life());
          ends.links.died(ends.b);
          assertThatThrownBy(() -> ends.client.read(ByteBuffer.allocate(10)))
              .isInstanceOf(IOException.class)
              .hasMessageContaining("reset by b");
        });
  }

  /// Two connected ends.
  private static final class Ends {
    private final SimNetwork network;
    private final SimLinkNetwork links;
    private final SimHost b;
    private final ByteLink client;
    private final ByteLink server;

    Ends(Simulation sim) throws Exception {
      network = new SimNetwork(sim);
      network.setConditions(PERFECT);
      SimHost a = host(network, sim, "a");
      b = host(network, sim, "b");
      links = new SimLinkNetwork(network);
      CompletableFuture<ByteLink> accepted = new CompletableFuture<>();
      var _ = links.at(b).bind(new Endpoint("b", 1), accepted::complete);
      client =
          links
              .at(a)
              .connect(
                  new Endpoint("b", 1), Deadline.after(Ticker.system(), Duration.ofSeconds(5)));
      server = accepted.get();
    }

    String readServer(int bytes) throws IOException {
      ByteBuffer target = ByteBuffer.allocate(bytes);
      while (target.hasRemaining()) {
        assertThat(server.read(target)).isPositive();
      }
      return new String(target.array(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }
}
