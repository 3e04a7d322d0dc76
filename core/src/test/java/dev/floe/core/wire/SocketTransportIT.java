package dev.floe.core.wire;

final class SocketTransportIT extends TransportContractTest {
  @Override
  protected Transport transport(WireOptions options) {
    return new SocketTransport(options);
  }
}
