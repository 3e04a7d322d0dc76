package dev.floe.sim.wire;

import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.TransportContractTest;
import dev.floe.core.wire.WireOptions;
import dev.floe.core.wire.link.LinkTransport;
import dev.floe.sim.vthread.InSimulationJvm;
import dev.floe.sim.vthread.InsideSimulation;
import org.junit.jupiter.api.extension.ExtendWith;

/// The simulated network keeps the promises of every transport.
@InSimulationJvm
@ExtendWith(InsideSimulation.class)
final class SimTransportSimTest extends TransportContractTest {
  @Override
  protected Transport transport(WireOptions options) {
    SimNetwork network = new SimNetwork(InsideSimulation.current());
    SimHost host = new SimHost("one", InsideSimulation.current().newIncarnation("one"));
    network.attach(host);
    return new LinkTransport(new SimLinkNetwork(network).at(host), options);
  }

  @Override
  protected Endpoint anyAddress() {
    return new Endpoint("one", 0);
  }
}
