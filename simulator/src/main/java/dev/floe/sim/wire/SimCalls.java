package dev.floe.sim.wire;

import com.google.protobuf.ByteString;
import dev.floe.sim.vthread.Simulation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/// Requests and replies of which each travels alone: they may be lost, repeated and overtaken, also
/// the reply to a request that was executed.
public final class SimCalls {
  private final SimNetwork network;
  private final Map<SimHost, Handler> handlers = new HashMap<>();

  public SimCalls(SimNetwork network) {
    this.network = network;
  }

  /// Serves a host's requests; called on a thread of it for each.
  public void serve(SimHost host, Handler handler) {
    handlers.put(host, handler);
  }

  /// Sends a request.
  ///
  /// @return the reply; fails with `TimeoutException` when none came, `IOException` when nobody
  ///     serves there or the handler failed
  public CompletableFuture<ByteString> call(SimHost from, String to, Call call) {
    CompletableFuture<ByteString> result = new CompletableFuture<>();
    network.send(
        from,
        to,
        new SimNetwork.Message(call.kind(), call.body().hashCode(), call.isRepeatable()),
        host -> arrived(new Exchange(from, host, call, result)),
        () -> fail(result, new IOException("connection to " + to + " refused")));
    Simulation.Alarm timeout =
        network
            .simulation()
            .alarm(
                from.life(),
                call.timeoutNanos(),
                "timeout",
                () ->
                    fail(
                        result,
                        new TimeoutException(
                            call.kind() + " to " + to + " was not answered in time")));
    var _ = result.whenComplete((bytes, error) -> timeout.cancel());
    return result;
  }

  private record Exchange(
      SimHost caller, SimHost server, Call call, CompletableFuture<ByteString> result) {}

  private void arrived(Exchange exchange) {
    Handler handler = handlers.get(exchange.server());
    if (handler == null) {
      reply(exchange, "unserved", ByteString.EMPTY, new IOException("nothing is served there yet"));
      return;
    }
    // A request on a stream that its caller has given up is not delivered.
    if (!exchange.call().isRepeatable() && exchange.result().isDone()) {
      return;
    }
    CompletableFuture<ByteString> answer;
    try {
      answer = handler.handle(exchange.call().kind(), exchange.call().body());
    } catch (IOException | RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    var _ =
        answer.whenComplete(
            (bytes, error) ->
                reply(
                    exchange,
                    "reply " + exchange.call().kind(),
                    bytes == null ? ByteString.EMPTY : bytes,
                    error));
  }

  private void reply(
      Exchange exchange,
      String kind,
      ByteString bytes,
      @org.jspecify.annotations.Nullable Throwable error) {
    network.send(
        exchange.server(),
        exchange.caller().name(),
        new SimNetwork.Message(
            error == null ? kind : kind + " failed: " + error, bytes.hashCode(), true),
        host -> {
          if (!host.equals(exchange.caller())) {
            return;
          }
          if (error == null) {
            var _ = exchange.result().complete(bytes);
          } else {
            fail(exchange.result(), new IOException(error.toString()));
          }
        },
        () -> {});
  }

  private static void fail(CompletableFuture<ByteString> result, Exception error) {
    var _ = result.completeExceptionally(error);
  }

  /// A request.
  ///
  /// @param isRepeatable whether the network may deliver it twice, or after its caller gave it up
  public record Call(String kind, ByteString body, long timeoutNanos, boolean isRepeatable) {}

  /// Serves requests.
  @FunctionalInterface
  public interface Handler {
    CompletableFuture<ByteString> handle(String kind, ByteString body) throws IOException;
  }
}
