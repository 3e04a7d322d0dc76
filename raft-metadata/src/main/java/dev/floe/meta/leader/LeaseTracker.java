package dev.floe.meta.leader;

import dev.floe.core.probe.Probe;
import dev.floe.core.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The deadlines of leases, as one leadership sees them (the "replicated lessor" of etcd): who has
/// a lease is hard state, when it was last renewed is known to the leader only.
///
/// Three rules keep a healthy holder from being expired by the leader's own trouble. A new
/// leadership starts with a new tracker, which gives every lease a full time to live. Each pass
/// measures how late it comes: while the leader stood still it could not hear renewals, so all
/// deadlines move by the excess. And when more than half of all leases, and at least three, end in
/// one pass, they are held back once for one more time to live, as then the cause is more likely
/// near the leader than at all the holders.
///
/// Soft state. Safe for many threads that renew; passes come from one thread.
public final class LeaseTracker<K> {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseTracker.class);

  private final String what;
  private final Ticker ticker;
  private final Settings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<K, Lease> leases = new HashMap<>();
  private long lastPassNanos;

  /// @param what names the leases in the log, e.g. `runtimes`
  public LeaseTracker(String what, Ticker ticker, Settings settings) {
    this.what = what;
    this.ticker = ticker;
    this.settings = settings;
    this.lastPassNanos = ticker.nanos();
  }

  /// Notes a renewal.
  ///
  /// @return how long the lease now lasts, in milliseconds
  public long renew(K key) {
    lock.lock();
    try {
      Lease lease = leases.computeIfAbsent(key, k -> new Lease());
      lease.deadlineNanos = ticker.nanos() + settings.ttl().toNanos();
      lease.wasHeldBack = false;
      lease.isRenewed = true;
      return settings.ttl().toMillis();
    } finally {
      lock.unlock();
    }
  }

  /// Begins a pass: makes up for the leader's own stall, takes up leases that are new in the state
  /// with a full time to live, and forgets those that are gone.
  ///
  /// @param present all holders of leases in the state
  public void observe(Collection<K> present) {
    lock.lock();
    try {
      long now = ticker.nanos();
      long late = now - lastPassNanos - settings.passInterval().toNanos();
      lastPassNanos = now;
      if (late > settings.passInterval().toNanos()) {
        Probe.sometimes("leases.extended-by-the-leaders-own-stall");
        if (late > settings.ttl().toNanos() / 4) {
          LOG.warn(
              "this leader stood still for {} ms; the leases of {} {} last that much longer",
              late / 1_000_000,
              leases.size(),
              what);
        }
        leases.values().forEach(lease -> lease.deadlineNanos += late);
      }
      Set<K> known = new HashSet<>(present);
      leases.keySet().retainAll(known);
      for (K key : known) {
        leases.computeIfAbsent(
            key,
            k -> {
              Lease lease = new Lease();
              lease.deadlineNanos = now + settings.ttl().toNanos();
              return lease;
            });
      }
    } finally {
      lock.unlock();
    }
  }

  /// Those of `among` whose lease ended at least `extra` ago.
  public List<K> overdue(Collection<K> among, Duration extra) {
    lock.lock();
    try {
      long latest = ticker.nanos() - extra.toNanos();
      List<K> overdue = new ArrayList<>();
      for (K key : among) {
        Lease lease = leases.get(key);
        if (lease != null && latest - lease.deadlineNanos >= 0) {
          overdue.add(key);
        }
      }
      return overdue;
    } finally {
      lock.unlock();
    }
  }

  /// The overdue ones that may be expired now: all, unless a mass expiry is held back.
  public List<K> expirable(Collection<K> among, Duration extra) {
    List<K> overdue = overdue(among, extra);
    lock.lock();
    try {
      long now = ticker.nanos();
      List<K> expirable = new ArrayList<>();
      List<K> first = new ArrayList<>();
      for (K key : overdue) {
        Lease lease = leases.get(key);
        if (lease == null || (lease.wasHeldBack && now - lease.heldUntilNanos < 0)) {
          continue;
        }
        (lease.wasHeldBack ? expirable : first).add(key);
      }
      if (first.size() >= settings.breakerMin() && first.size() * 2 > leases.size()) {
        holdBack(first, now);
      } else {
        expirable.addAll(first);
      }
      return expirable;
    } finally {
      lock.unlock();
    }
  }

  private void holdBack(List<K> keys, long now) {
    Probe.sometimes("leases.mass-expiry-held-back");
    LOG.warn(
        "{} of {} leases of {} would end at once; holding them back for {} ms: look for a cause"
            + " that they share, such as this master's network",
        keys.size(),
        leases.size(),
        what,
        settings.ttl().toMillis());
    for (K key : keys) {
      Lease lease = leases.get(key);
      if (lease != null) {
        lease.wasHeldBack = true;
        lease.heldUntilNanos = now + settings.ttl().toNanos();
      }
    }
  }

  /// Whether this leadership has heard a renewal and the lease still lasts. The full time to live
  /// that a new leadership gives is no sign of life.
  public boolean isCurrent(K key) {
    lock.lock();
    try {
      Lease lease = leases.get(key);
      return lease != null && lease.isRenewed && ticker.nanos() - lease.deadlineNanos < 0;
    } finally {
      lock.unlock();
    }
  }

  /// How long the lease still lasts, in milliseconds rounded up; 0 when it is over or not known.
  public long remainingMillis(K key) {
    lock.lock();
    try {
      Lease lease = leases.get(key);
      long nanos = lease == null ? 0 : lease.deadlineNanos - ticker.nanos();
      return Math.max(0, (nanos + 999_999) / 1_000_000);
    } finally {
      lock.unlock();
    }
  }

  /// Leases tracked.
  public int size() {
    lock.lock();
    try {
      return leases.size();
    } finally {
      lock.unlock();
    }
  }

  private static final class Lease {
    private long deadlineNanos;
    private boolean isRenewed;
    private boolean wasHeldBack;
    private long heldUntilNanos;
  }

  /// @param ttl how long a lease lasts after its renewal
  /// @param passInterval how often passes come; one that comes more than twice as late as that is a
  ///     stall
  /// @param breakerMin fewest leases that count as a mass expiry
  public record Settings(Duration ttl, Duration passInterval, int breakerMin) {}
}
