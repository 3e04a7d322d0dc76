package dev.floe.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.buffer.BufferPool;
import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Transport;
import dev.floe.meta.client.MetadataApi;
import dev.floe.store.client.transfer.ClientOptions;
import java.util.Random;

/// A client over given masters, with connections and buffers of its own.
public final class TestClient implements AutoCloseable {
  private final PeerPool peers;
  private final BufferPool buffers = new BufferPool(64 << 20);
  private final StoreClient objects;

  public TestClient(MetadataApi masters, Transport transport, ClientOptions options) {
    this(masters, transport, Ticker.system(), options);
  }

  /// @param ticker by which deadlines run
  TestClient(MetadataApi masters, Transport transport, Ticker ticker, ClientOptions options) {
    this.peers =
        new PeerPool(
            transport,
            new Transport.Identity("", "client"),
            PeerPool.Options.standard(Ticker.system()));
    this.objects =
        new StoreClient(
            masters, peers, buffers, new StoreClient.Sources(ticker, new Random(1)), options);
  }

  public StoreClient objects() {
    return objects;
  }

  /// Closes all but the masters; no buffer may still be lent then.
  @Override
  public void close() {
    objects.close();
    peers.close();
    assertThat(buffers.outstandingLeases()).as("buffers that were not given back").isZero();
    buffers.close();
  }
}
