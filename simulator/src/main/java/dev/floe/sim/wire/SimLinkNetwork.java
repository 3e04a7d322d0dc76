package dev.floe.sim.wire;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.ByteLink;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.link.LinkNetwork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// All connections of the simulated network; `at` gives the view that one process has of it.
public final class SimLinkNetwork {
  private static final int FIRST_PORT = 20_000;
  private static final long CONNECT_RETRY_NANOS = 1_000_000_000L;

  private final SimNetwork network;
  private final Map<Endpoint, Listening> listeners = new HashMap<>();
  private final List<SimLink> links = new ArrayList<>();
  private int nextPort = FIRST_PORT;

  public SimLinkNetwork(SimNetwork network) {
    this.network = network;
  }

  private record Listening(SimHost host, Consumer<ByteLink> acceptor) {}

  /// The network as one process uses it; the host part of an endpoint is a host's name.
  public LinkNetwork at(SimHost host) {
    return new View(host);
  }

  /// Resets a killed process's connections: the other ends learn it after a while, unless they are
  /// cut off, in which case they learn it when they send.
  public void died(SimHost host) {
    for (SimLink link : List.copyOf(links)) {
      if (link.host().equals(host)) {
        links.remove(link);
        network.onWire(network.latency(host.name(), link.remote()), "reset", link::reset);
      }
    }
  }

  /// Resets the connections between two hosts now: what was under way is lost, answers to requests
  /// that were executed too.
  public void reset(String one, String other) {
    for (SimLink link : List.copyOf(links)) {
      if (link.host().name().equals(one) && link.remote().equals(other)) {
        links.remove(link);
        network.onWire(0, "reset", link::reset);
      }
    }
  }

  /// Who a process has open connections with, once for each connection.
  public List<String> openLinks(SimHost host) {
    return links.stream()
        .filter(link -> link.isOpen() && link.host().equals(host))
        .map(SimLink::remote)
        .toList();
  }

  private final class View implements LinkNetwork {
    private final SimHost self;

    View(SimHost self) {
      this.self = self;
    }

    @Override
    public Bound bind(Endpoint address, Consumer<ByteLink> acceptor) {
      Endpoint bound = address.port() == 0 ? new Endpoint(address.host(), nextPort++) : address;
      Listening before = listeners.get(bound);
      if (before != null && !before.host().life().isDead()) {
        throw new FloeException(
            ErrorCode.ADDRESS_IN_USE,
            "cannot listen on " + address + ": another listener has this address");
      }
      Listening listening = new Listening(self, acceptor);
      listeners.put(bound, listening);
      return new BoundAddress(bound, () -> listeners.remove(bound, listening));
    }

    @Override
    public ByteLink connect(Endpoint to, Deadline deadline) {
      while (network.isCut(self.name(), to.host()) || network.isCut(to.host(), self.name())) {
        pause(Math.min(CONNECT_RETRY_NANOS, deadline.remainingNanos()));
        if (deadline.isExpired()) {
          throw unavailable(to, "nobody answered");
        }
      }
      pause(network.latency(self.name(), to.host()) + network.latency(to.host(), self.name()));
      Listening listening = listeners.get(to);
      if (listening == null || listening.host().life().isDead()) {
        throw unavailable(to, "nobody listens there");
      }
      if (deadline.isExpired()) {
        throw unavailable(to, "the deadline had passed already");
      }
      return open(listening, to);
    }

    private ByteLink open(Listening listening, Endpoint to) {
      Stream there = new Stream(network, self.name(), to.host());
      Stream back = new Stream(network, to.host(), self.name());
      SimLink client = new SimLink(self, to.host(), there, back);
      SimLink server = new SimLink(listening.host(), self.name(), back, there);
      there.onBroken(() -> back.breakOff("connection timed out"));
      back.onBroken(() -> there.breakOff("connection timed out"));
      links.removeIf(link -> !link.isOpen());
      links.add(client);
      links.add(server);
      var _ =
          network
              .simulation()
              .spawn(listening.host().life(), "accept", () -> listening.acceptor().accept(server));
      return client;
    }

    private void pause(long nanos) {
      long until = network.simulation().nanos() + nanos;
      while (network.simulation().nanos() < until) {
        LockSupport.parkNanos(until - network.simulation().nanos());
        if (Thread.currentThread().isInterrupted()) {
          throw new FloeException(ErrorCode.CANCELLED, "interrupted while connecting");
        }
      }
    }

    private static FloeException unavailable(Endpoint to, String why) {
      return new FloeException(ErrorCode.UNAVAILABLE, "cannot connect to " + to + ": " + why);
    }
  }

  private record BoundAddress(Endpoint endpoint, Runnable unbind) implements LinkNetwork.Bound {
    @Override
    public void close() {
      unbind.run();
    }
  }
}
