package dev.floe.core.wire.link;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.Endpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Finds the address of a host within a deadline.
///
/// The system's look-up cannot be told how long it may take, and an unreachable name server makes it
/// take minutes. It therefore runs on a thread of its own, one for each host however many ask, which
/// ends by itself; callers wait for it as long as they have time. Literal addresses need none. Soft
/// state; safe for many threads.
final class HostLookup {
  private final Resolver resolver;
  private final Map<String, FutureTask<InetAddress>> running = new ConcurrentHashMap<>();

  HostLookup(Resolver resolver) {
    this.resolver = resolver;
  }

  /// What really looks a name up and may block for as long as it likes.
  @FunctionalInterface
  interface Resolver {
    /// Asks the system: its files and name servers.
    Resolver SYSTEM = InetAddress::getByName;

    InetAddress find(String host) throws UnknownHostException;
  }

  /// The address of a host.
  ///
  /// @throws FloeException `UNAVAILABLE` when the name is unknown or was not found in time,
  ///     `OVERLOADED` when too many names are being looked up, `CANCELLED` when interrupted
  InetAddress find(Endpoint to, Deadline deadline) {
    Optional<InetAddress> literal = literal(to.host());
    if (literal.isPresent()) {
      return literal.get();
    }
    FutureTask<InetAddress> lookup = join(to);
    try {
      return lookup.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw failed(
          ErrorCode.UNAVAILABLE,
          to,
          "its host name was not found within the deadline; check the name servers, or use an"
              + " address",
          e);
    } catch (ExecutionException e) {
      throw failed(
          ErrorCode.UNAVAILABLE,
          to,
          "the host name cannot be resolved; check the spelling, or use an address",
          e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(ErrorCode.CANCELLED, to, "interrupted while its host name was looked up", e);
    }
  }

  private static Optional<InetAddress> literal(String host) {
    try {
      return Optional.of(InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /// The look-up of that host which runs already, or a fresh one.
  private FutureTask<InetAddress> join(Endpoint to) {
    String host = to.host();
    if (running.size() >= Limits.HOST_LOOKUPS_MAX && !running.containsKey(host)) {
      throw failed(
          ErrorCode.OVERLOADED,
          to,
          Limits.HOST_LOOKUPS_MAX
              + " other host names are being looked up; check the name servers, or use addresses",
          null);
    }
    FutureTask<InetAddress> fresh = new FutureTask<>(() -> resolver.find(host));
    FutureTask<InetAddress> other = running.putIfAbsent(host, fresh);
    if (other != null) {
      return other;
    }
    boolean isStarted = false;
    try {
      // A platform thread: the system's look-up would keep a virtual thread's carrier.
      Thread.ofPlatform()
          .daemon()
          .name("floe-lookup " + host)
          .start(
              () -> {
                try {
                  fresh.run();
                } finally {
                  running.remove(host, fresh);
                }
              });
      isStarted = true;
    } finally {
      if (!isStarted) {
        running.remove(host, fresh);
        fresh.cancel(false);
      }
    }
    return fresh;
  }

  private static FloeException failed(
      ErrorCode code, Endpoint to, String why, @Nullable Throwable cause) {
    return new FloeException(code, "cannot connect to " + to + ": " + why, cause);
  }
}
