package dev.floe.core.wire;

final class InMemoryTransportTest extends TransportContractTest {
  @Override
  protected Transport transport(WireOptions options) {
    return new InMemoryTransport(options);
  }
}
