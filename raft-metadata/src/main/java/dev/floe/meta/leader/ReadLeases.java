package dev.floe.meta.leader;

import dev.floe.core.error.Limits;
import dev.floe.core.time.Ticker;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectRoute;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Which objects are being read, so that plain removal and eviction leave them alone for a while.
/// Soft state of one leadership; safe for many threads.
///
/// A new leader does not know what its predecessor granted. It therefore treats every object that
/// is older than its leadership as leased until one full lease time has passed; objects made later
/// can only have leases of its own. Removing by force ignores leases. Leases protect availability
/// only: a reader that loses its object meanwhile gets an error, never wrong bytes, because write
/// tokens say so.
public final class ReadLeases {
  private static final int SHARDS = 64;
  private static final int SWEPT_PER_GRANT = 4;

  private final Ticker ticker;
  private final long ttlNanos;
  private final long beganNanos;
  private final long beganIndex;
  private final int perShardMax;
  private final Shard[] shards = new Shard[SHARDS];

  /// Leases of a leadership that begins now.
  ///
  /// @param beganIndex the last index applied when it began
  public ReadLeases(Ticker ticker, Duration ttl, long beganIndex) {
    this(ticker, ttl, beganIndex, Limits.READ_LEASES_MAX);
  }

  ReadLeases(Ticker ticker, Duration ttl, long beganIndex, int leasesMax) {
    this.perShardMax = leasesMax / SHARDS;
    this.ticker = ticker;
    this.ttlNanos = ttl.toNanos();
    this.beganNanos = ticker.nanos();
    this.beganIndex = beganIndex;
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new Shard();
    }
  }

  /// Grants or renews a lease.
  ///
  /// @return how long it lasts from now on, in milliseconds; 0 when there are too many leases and
  ///     none was granted
  public long grant(ObjectId id) {
    return shardOf(id).grant(id) ? ttlNanos / 1_000_000 : 0;
  }

  /// Milliseconds until the object may be removed plainly, rounded up; 0 for now.
  ///
  /// @param route the object's record, or null when there is none
  public long remainingMillis(ObjectId id, @Nullable ObjectRoute route) {
    if (route == null) {
      return 0;
    }
    long now = ticker.nanos();
    long left = shardOf(id).remaining(id, now);
    if (route.version().index() <= beganIndex) {
      left = Math.max(left, beganNanos + ttlNanos - now);
    }
    return left <= 0 ? 0 : (left + 999_999) / 1_000_000;
  }

  /// When the last lease of an object ended or ends, on the ticker; `Long.MIN_VALUE` when it had
  /// none that is remembered. Half of the room for leases is kept for those that have ended.
  long lastEndNanos(ObjectId id) {
    return shardOf(id).end(id);
  }

  /// How many leases are kept, those that have ended and were not swept yet included.
  public int size() {
    int size = 0;
    for (Shard shard : shards) {
      size += shard.size();
    }
    return size;
  }

  private Shard shardOf(ObjectId id) {
    int hash = id.hashCode();
    return shards[(hash ^ hash >>> 16) & SHARDS - 1];
  }

  /// Leases in the order of their ends, which is the order of granting as all last equally long.
  private final class Shard {
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<ObjectId, Long> ends = new LinkedHashMap<>();

    boolean grant(ObjectId id) {
      lock.lock();
      try {
        long now = ticker.nanos();
        sweep(now);
        ends.remove(id);
        if (ends.size() >= perShardMax) {
          return false;
        }
        ends.put(id, now + ttlNanos);
        return true;
      } finally {
        lock.unlock();
      }
    }

    int size() {
      lock.lock();
      try {
        return ends.size();
      } finally {
        lock.unlock();
      }
    }

    private void sweep(long now) {
      Iterator<Long> oldest = ends.values().iterator();
      for (int i = 0;
          i < SWEPT_PER_GRANT && ends.size() > perShardMax / 2 && oldest.hasNext();
          i++) {
        if (oldest.next() - now > 0) {
          return;
        }
        oldest.remove();
      }
    }

    long end(ObjectId id) {
      lock.lock();
      try {
        return ends.getOrDefault(id, Long.MIN_VALUE);
      } finally {
        lock.unlock();
      }
    }

    long remaining(ObjectId id, long now) {
      lock.lock();
      try {
        Long end = ends.get(id);
        return end == null ? 0 : end - now;
      } finally {
        lock.unlock();
      }
    }
  }
}
