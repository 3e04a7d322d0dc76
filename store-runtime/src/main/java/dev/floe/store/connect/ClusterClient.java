package dev.floe.store.connect;

import dev.floe.core.buffer.BufferPool;
import dev.floe.core.error.Limits;
import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.link.SocketTransport;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.client.RetryPolicy;
import dev.floe.store.client.StoreClient;
import dev.floe.store.client.transfer.ClientOptions;
import java.util.List;
import java.util.random.RandomGenerator;

/// A client of a cluster with everything it needs. Safe for many threads; nothing is sent before
/// the first call.
public final class ClusterClient implements ClusterAccess {
  private final PeerPool peers;
  private final MetadataClient metadata;
  private final BufferPool buffers;
  private final StoreClient objects;

  private ClusterClient(
      PeerPool peers, MetadataClient metadata, BufferPool buffers, StoreClient objects) {
    this.peers = peers;
    this.metadata = metadata;
    this.buffers = buffers;
    this.objects = objects;
  }

  /// Who a client is and where it gets time and chance from.
  ///
  /// @param self the cluster's name may be empty: then any cluster is accepted
  public record Seams(Transport.Identity self, Ticker ticker, RandomGenerator random) {
    /// A client with this process's clock and random numbers that accepts any cluster.
    public static Seams standard(Ticker ticker) {
      return new Seams(
          new Transport.Identity("", "client"),
          ticker,
          // Of the generators in java.base this one alone is safe for many threads.
          new java.security.SecureRandom());
    }
  }

  /// Makes a client.
  ///
  /// @param masters where masters serve clients; one that answers is enough
  public static ClusterClient open(List<Endpoint> masters, ClientOptions options, Seams seams) {
    PeerPool peers = peers(seams);
    MetadataClient metadata = metadata(masters, peers, seams);
    BufferPool buffers = new BufferPool(Limits.CLIENT_IN_FLIGHT_BYTES_MAX);
    StoreClient objects =
        new StoreClient(
            metadata,
            peers,
            buffers,
            new StoreClient.Sources(seams.ticker(), seams.random()),
            options);
    return new ClusterClient(peers, metadata, buffers, objects);
  }

  private static PeerPool peers(Seams seams) {
    return new PeerPool(
        new SocketTransport(seams.ticker()),
        seams.self(),
        PeerPool.Options.standard(seams.ticker()));
  }

  private static MetadataClient metadata(List<Endpoint> masters, PeerPool peers, Seams seams) {
    return new MetadataClient(
        masters, peers::call, seams.ticker(), seams.random(), RetryPolicy.DEFAULT);
  }

  @Override
  public MetadataApi metadata() {
    return metadata;
  }

  @Override
  public StoreClient objects() {
    return objects;
  }

  @Override
  public void close() {
    objects.close();
    metadata.close();
    peers.close();
    buffers.close();
  }
}
