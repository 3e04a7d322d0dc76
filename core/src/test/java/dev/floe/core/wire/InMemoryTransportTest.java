package dev.floe.core.wire;

import dev.floe.core.wire.link.InMemoryTransport;

final class InMemoryTransportTest extends TransportContractTest {
  @Override
  protected Transport transport(WireOptions options) {
    return new InMemoryTransport(options);
  }
}
