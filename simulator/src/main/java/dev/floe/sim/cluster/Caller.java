package dev.floe.sim.cluster;

import dev.floe.sim.kernel.Lane;
import dev.floe.sim.net.SimNetwork;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/// The calling side of a process: sends requests, matches replies, and times out.
final class Caller {
  private final String name;
  private final Lane lane;
  private final SimNetwork network;
  private final Map<Long, Consumer<CallMessage.Reply>> waiting = new HashMap<>();
  private long calls;

  Caller(String name, Lane lane, SimNetwork network) {
    this.name = name;
    this.lane = lane;
    this.network = network;
  }

  String name() {
    return name;
  }

  Lane lane() {
    return lane;
  }

  /// Asks once: either `onReply` or `onTimeout` runs, once.
  void ask(
      String to,
      LongFunction<CallMessage> request,
      long timeoutMillis,
      Consumer<CallMessage.Reply> onReply,
      Runnable onTimeout) {
    long call = ++calls;
    waiting.put(call, onReply);
    network.send(name, to, request.apply(call));
    lane.after(
        timeoutMillis * 1_000_000,
        "call timeout",
        () -> {
          if (waiting.remove(call) != null) {
            onTimeout.run();
          }
        });
  }

  /// Hands a reply to whoever waits for it; late and repeated ones are dropped.
  void receive(Object message) {
    if (message instanceof CallMessage.Reply reply) {
      Consumer<CallMessage.Reply> waiter = waiting.remove(reply.call());
      if (waiter != null) {
        waiter.accept(reply);
      }
    }
  }
}
