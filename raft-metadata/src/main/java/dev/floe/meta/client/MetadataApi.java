package dev.floe.meta.client;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectVersion;
import dev.floe.meta.model.Retention;
import dev.floe.meta.model.RouteState;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.model.TenantId;
import dev.floe.meta.state.MetadataView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The metadata plane as its clients see it: writes, reads, listing and cluster view.
///
/// All methods block until an answer or the deadline. Reads are retried on another master or leader
/// until the deadline; then they throw `UNAVAILABLE`. Batch methods answer per item, in the order
/// asked.
public interface MetadataApi extends AutoCloseable {
  /// Submits commands; each takes effect at most once, however often it had to be sent.
  ///
  /// Commands of one call are applied in order, though others may come between them.
  ///
  /// @return one reply for each command, in order; expected errors are `Failed` replies
  /// @throws FloeException `UNKNOWN_OUTCOME` when the deadline passed after a command had been sent: read the object
  ///     to find out; `UNAVAILABLE` when none was sent
  List<MetadataReply> submit(List<? extends MetadataCommand.Client> commands, Deadline deadline);

  /// Submits one command.
  default MetadataReply submit(MetadataCommand.Client command, Deadline deadline) {
    return submit(List.of(command), deadline).getFirst();
  }

  /// Finds objects: where to read each of them, or why not.
  List<Resolution> resolve(
      TenantId tenant, List<ObjectKey> keys, ReadOptions options, Deadline deadline);

  /// Whether each key is readable; renews no lease.
  List<Boolean> exist(
      TenantId tenant, List<ObjectKey> keys, ReadOptions options, Deadline deadline);

  /// One page of readable objects whose key starts with `prefix`, in key order.
  ///
  /// @param pageToken `ListPage.nextPageToken` of the page before, or empty for the first
  /// @param limit 1 to `Limits.LIST_PAGE_MAX`
  ListPage list(TenantId tenant, String prefix, String pageToken, int limit, Deadline deadline);

  /// The cluster from the view of its leader; of the master that was asked when there is no leader
  /// and `allowFollower`. In a large cluster runtimes and segments are asked for page by page and
  /// may be a little newer than the rest.
  ClusterView clusterView(boolean allowFollower, Deadline deadline);

  /// Renews a runtime's lease; leader-local, nothing is logged.
  ///
  /// @return how long the lease now lasts, in milliseconds
  /// @throws FloeException `RUNTIME_NOT_FOUND` when the lease ended: register anew; `STALE_EPOCH` when another process
  ///     has registered under this id: stop
  long renew(RuntimeId runtime, long epoch, Deadline deadline);

  @Override
  void close();

  /// How fresh a read must be and whether it protects what it found.
  ///
  /// @param isStrict waits for a log entry of its own: linearizable whatever the clocks do
  /// @param grantsLease keeps the object from plain removal and eviction for the lease time
  record ReadOptions(boolean isStrict, boolean grantsLease) {
    public static final ReadOptions DEFAULT = new ReadOptions(false, true);
    public static final ReadOptions PEEK = new ReadOptions(false, false);
    public static final ReadOptions STRICT = new ReadOptions(true, true);
  }

  /// What became of one key of a resolve.
  sealed interface Resolution {
    /// A readable object.
    ///
    /// @param replicas complete ones only, at least one
    /// @param leaseMillis how long the leader protects it from now on; 0 when none was granted
    record Found(
        RouteVersion version,
        ObjectVersion.Content content,
        Retention retention,
        List<MetadataReply.ReplicaTarget> replicas,
        long leaseMillis)
        implements Resolution {
      public Found {
        replicas = List.copyOf(replicas);
      }

      /// An object that nothing keeps.
      public Found(
          RouteVersion version,
          long sizeBytes,
          long checksum,
          List<MetadataReply.ReplicaTarget> replicas,
          long leaseMillis) {
        this(
            version,
            new ObjectVersion.Content(sizeBytes, checksum, DataType.UNKNOWN),
            Retention.NONE,
            replicas,
            leaseMillis);
      }

      public long sizeBytes() {
        return content.sizeBytes();
      }

      /// CRC32C of all bytes, unsigned.
      public long checksum() {
        return content.checksum();
      }
    }

    /// No readable object: `NOT_FOUND`, or `NOT_READY` while it is being written.
    record Missing(ErrorCode code, String message) implements Resolution {
      public FloeException toException() {
        return new FloeException(code, message);
      }
    }
  }

  /// One page of a listing.
  ///
  /// @param nextPageToken opaque; empty on the last page
  record ListPage(List<Entry> entries, String nextPageToken) {
    public ListPage {
      entries = List.copyOf(entries);
    }

    /// A listed object.
    public record Entry(
        ObjectKey key, RouteState state, RouteVersion version, long sizeBytes, int replicas) {}
  }

  /// The cluster.
  ///
  /// @param answeredBy node id of the master that answered
  /// @param isLeader whether it leads; otherwise the view may be behind
  record ClusterView(
      String cluster,
      String answeredBy,
      boolean isLeader,
      long term,
      long appliedIndex,
      long digest,
      List<Master> masters,
      List<RuntimeRecord> runtimes,
      List<SegmentUsage> segments,
      MetadataView.Totals totals) {
    public ClusterView {
      masters = List.copyOf(masters);
      runtimes = List.copyOf(runtimes);
      segments = List.copyOf(segments);
    }

    /// A configured master.
    ///
    /// @param appliedIndexOrNull known for the answering master, and for others when it leads
    /// @param silentMillisOrNull how long the leader has had no answer from it; null for the leader
    ///     itself and when a follower answered
    public record Master(
        String node,
        String endpoint,
        boolean isLeader,
        @Nullable Long appliedIndexOrNull,
        @Nullable Long silentMillisOrNull) {}
  }
}
