package dev.floe.store.local;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Which loopback ports a local cluster uses.
///
/// Masters have to know each other's ports before any of them starts, so ports are chosen up front.
///
/// @param rpc where each master serves clients
/// @param raft where each master talks to the other masters
/// @param data where each store serves clients
public record PortPlan(List<Endpoint> rpc, List<Endpoint> raft, List<Endpoint> data) {
  /// What clients look at when nobody tells them otherwise.
  public static final int DEFAULT_BASE = 7401;

  /// Distance between the three ranges of ports.
  static final int RANGE = 100;

  private static final String HOST = "127.0.0.1";
  private static final int FREE_PORT_MIN = 10_000;

  /// Linux gives ports from 32768 on to outgoing connections, other systems from 49152 on.
  private static final int FREE_PORT_END = 32_768;

  private static final int FREE_ATTEMPTS_MAX = 1_000;

  public PortPlan {
    rpc = List.copyOf(rpc);
    raft = List.copyOf(raft);
    data = List.copyOf(data);
  }

  /// `base` and the following for clients of masters, from 100 above for Raft, from 200 above for
  /// stores.
  ///
  /// @throws FloeException `ADDRESS_IN_USE` naming the first port that another process has
  public static PortPlan from(int base, int masters, int stores) {
    long last = base + 2L * RANGE + Math.max(masters, stores);
    if (base < 1 || last > 65_535) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "--base-port "
              + base
              + " leaves no room: ports up to "
              + last
              + " are needed; use 1 to 65000");
    }
    PortPlan plan =
        new PortPlan(
            consecutive(base, masters),
            consecutive(base + RANGE, masters),
            consecutive(base + 2 * RANGE, stores));
    plan.checkFree();
    return plan;
  }

  /// Ports that are free at this moment, below those that systems give to outgoing connections: the
  /// nodes bind theirs one after the other, and the first connect before the last has bound.
  public static PortPlan free(int masters, int stores) {
    int count = 2 * masters + stores;
    List<ServerSocket> held = new ArrayList<>();
    List<Endpoint> endpoints = new ArrayList<>();
    RandomGenerator random = new SecureRandom();
    try {
      while (endpoints.size() < count) {
        ServerSocket socket = bindAny(random);
        held.add(socket);
        endpoints.add(new Endpoint(HOST, socket.getLocalPort()));
      }
    } finally {
      held.forEach(PortPlan::closeQuietly);
    }
    return new PortPlan(
        endpoints.subList(0, masters),
        endpoints.subList(masters, 2 * masters),
        endpoints.subList(2 * masters, count));
  }

  private static ServerSocket bindAny(RandomGenerator random) {
    IOException last = null;
    for (int i = 0; i < FREE_ATTEMPTS_MAX; i++) {
      int port = random.nextInt(FREE_PORT_MIN, FREE_PORT_END);
      try {
        return new ServerSocket(port, 1, InetAddress.ofLiteral(HOST));
      } catch (IOException e) {
        last = e;
      }
    }
    throw new FloeException(
        ErrorCode.ADDRESS_IN_USE,
        "no port from "
            + FREE_PORT_MIN
            + " to "
            + (FREE_PORT_END - 1)
            + " of "
            + HOST
            + " was free in "
            + FREE_ATTEMPTS_MAX
            + " attempts; stop what uses them, or choose ports with --base-port N",
        last);
  }

  private static List<Endpoint> consecutive(int first, int count) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      endpoints.add(new Endpoint(HOST, first + i));
    }
    return endpoints;
  }

  private void checkFree() {
    List<Endpoint> all = new ArrayList<>(rpc);
    all.addAll(raft);
    all.addAll(data);
    for (Endpoint endpoint : all) {
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(endpoint.host(), endpoint.port()));
      } catch (IOException e) {
        throw new FloeException(
            ErrorCode.ADDRESS_IN_USE,
            "port "
                + endpoint.port()
                + " is in use by another process, maybe another local cluster; stop it or choose"
                + " other ports with --base-port N",
            e);
      }
    }
  }

  private static void closeQuietly(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new FloeException(ErrorCode.IO_ERROR, "closing " + socket + ": " + e.getMessage(), e);
    }
  }
}
