package dev.floe.core.wire;

import dev.floe.core.wire.link.SocketTransport;

final class SocketTransportIT extends TransportContractTest {
  @Override
  protected Transport transport(WireOptions options) {
    return new SocketTransport(options);
  }
}
