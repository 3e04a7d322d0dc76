package dev.floe.store.node;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.SegmentId;
import dev.floe.store.segment.MemorySegmentStore;
import dev.floe.store.segment.StoreSegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a store runtime in the cluster: registers it, mounts its segments and renews its lease, on
/// a thread of its own that does nothing else.
///
/// - No leader, or no answer: tries again, for ever; what is mounted goes on being served, because
///   tokens and not leases make reads right.
/// - The lease ended: all segment numbers end at once and what was written is forgotten; then it
///   registers anew and the same memory is mounted under new numbers.
/// - Another process took the id: fatal.
/// - Another process has a lease under the id: it may be dead, so this one tries again until that
///   lease must have ended; a process that has one even then lives, which is fatal.
final class RuntimeLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeLease.class);
  private static final Duration ATTEMPT = Duration.ofSeconds(3);

  /// How much longer than its lease a dead process may be in the masters' way.
  private static final Duration EXPIRY_SLACK = Duration.ofSeconds(5);

  private static final Duration UNKNOWN_LEASE = Duration.ofSeconds(60);
  private static final long UNKNOWN_TERM = -1;
  private static final Duration FAREWELL = Duration.ofSeconds(3);
  private static final long PAUSE_MILLIS_MIN = 50;
  private static final long PAUSE_MILLIS_MAX = 1_000;
  private static final long RENEWALS_PER_LEASE = 3;

  private final StoreOptions options;
  private final Endpoint advertised;
  private final Map<String, StoreSegment> segments;
  private final MemorySegmentStore store;
  private final Environment environment;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch firstMount = new CountDownLatch(1);
  private final Thread thread;

  /// 0 while not registered.
  private volatile long epoch;

  private volatile List<SegmentId> mounted = List.of();
  private volatile boolean isOver;

  /// Known while another process has the id; the lease's thread alone.
  private @Nullable Holder holder;

  /// What the lease works with.
  ///
  /// @param process which process this is
  /// @param fatal told once when the process must not go on
  record Environment(
      MetadataApi metadata,
      Ticker ticker,
      RandomGenerator random,
      RuntimeProcess process,
      Consumer<FloeException> fatal) {}

  RuntimeLease(
      StoreOptions options,
      Endpoint advertised,
      Map<String, StoreSegment> segments,
      MemorySegmentStore store,
      Environment environment) {
    this.options = options;
    this.advertised = advertised;
    this.segments = segments;
    this.store = store;
    this.environment = environment;
    this.thread =
        Thread.ofPlatform().daemon().name("floe-lease-" + options.runtime()).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /// The epoch it is registered under, 0 when it is not.
  long epoch() {
    return epoch;
  }

  /// The numbers its segments have now.
  List<SegmentId> mounted() {
    return mounted;
  }

  /// Waits until the segments are mounted for the first time; false when that did not happen in
  /// time or never will.
  boolean awaitMounted(Deadline deadline) throws InterruptedException {
    return firstMount.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS) && !isOver;
  }

  private void run() {
    long failures = 0;
    try {
      while (!isStopped()) {
        long pauseMillis;
        try {
          pauseMillis = Math.max(1, keepUp() / RENEWALS_PER_LEASE);
          failures = 0;
        } catch (FloeException e) {
          if (isStopped()) {
            return;
          }
          if (isFatal(e)) {
            die(e);
            return;
          }
          pauseMillis = afterFailure(e, failures++);
        }
        stopped.await(pauseMillis, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      LOG.debug("the lease of {} was interrupted", options.runtime());
    } catch (RuntimeException e) {
      die(new FloeException(ErrorCode.INTERNAL, "keeping the lease failed: " + e, e));
    } finally {
      isOver = true;
      firstMount.countDown();
    }
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  /// One step; how long the lease lasts now.
  private long keepUp() {
    Deadline deadline = Deadline.after(environment.ticker(), ATTEMPT);
    if (epoch == 0) {
      register(deadline);
    }
    return environment.metadata().renew(options.runtime(), epoch, deadline);
  }

  private void register(Deadline deadline) {
    MetadataReply reply =
        environment
            .metadata()
            .submit(
                new MetadataCommand.RegisterRuntime(
                    options.runtime(), environment.process(), advertised, options.labels()),
                deadline);
    long granted =
        switch (reply) {
          case MetadataReply.RuntimeRegistered registered -> registered.epoch();
          case MetadataReply.Failed failed -> throw failed.toException();
          case MetadataReply other -> throw unexpected(other);
        };
    mount(granted, deadline);
    holder = null;
    epoch = granted;
    firstMount.countDown();
    LOG.info(
        "store {} serves {} at {} in epoch {}", options.runtime(), mounted, advertised, granted);
  }

  private void mount(long granted, Deadline deadline) {
    List<MetadataCommand.MountSegment> commands =
        options.segments().stream()
            .map(
                one ->
                    new MetadataCommand.MountSegment(
                        options.runtime(), granted, one.name(), one.capacityBytes()))
            .toList();
    List<MetadataReply> replies = environment.metadata().submit(commands, deadline);
    List<SegmentId> numbers = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      switch (replies.get(i)) {
        case MetadataReply.SegmentMounted done -> {
          StoreSegment segment = segments.get(commands.get(i).name());
          if (segment == null) {
            throw new IllegalStateException("no memory for " + commands.get(i));
          }
          store.publish(done.segment(), segment);
          numbers.add(done.segment());
        }
        case MetadataReply.Failed failed -> throw failed.toException();
        case MetadataReply other -> throw unexpected(other);
      }
    }
    mounted = List.copyOf(numbers);
  }

  private static FloeException unexpected(MetadataReply reply) {
    return new FloeException(
        ErrorCode.INTERNAL, "a master answered with " + reply + ": this is a defect");
  }

  /// Waiting cures a leader that has moved or failed; nothing cures these.
  private boolean isFatal(FloeException e) {
    return switch (e.code()) {
      case RUNTIME_IN_USE -> hasOutlivedItsLease(e);
      case STALE_EPOCH,
          INVALID_ARGUMENT,
          INVALID_SIZE,
          INVALID_CONFIG,
          ALREADY_EXISTS,
          UNSUPPORTED,
          WRONG_CLUSTER,
          VERSION_MISMATCH ->
          true;
      default -> false;
    };
  }

  /// Each leader that comes gives a dead process a full lease again, so time counts within one term.
  private boolean hasOutlivedItsLease(FloeException refusal) {
    Holder before = holder;
    if (before != null && !before.ends.isExpired()) {
      return false;
    }
    long term = term();
    if (before != null && term == before.term) {
      return true;
    }
    String leased = refusal.context().get(MetadataReply.Failed.RETRY_AFTER_MILLIS);
    Duration lease = leased == null ? UNKNOWN_LEASE : Duration.ofMillis(Long.parseLong(leased));
    holder =
        term == UNKNOWN_TERM
            ? null
            : new Holder(Deadline.after(environment.ticker(), lease.plus(EXPIRY_SLACK)), term);
    return false;
  }

  private long term() {
    try {
      return environment
          .metadata()
          .clusterView(false, Deadline.after(environment.ticker(), ATTEMPT))
          .term();
    } catch (FloeException e) {
      LOG.debug("store {} does not learn who leads", options.runtime(), e);
      return UNKNOWN_TERM;
    }
  }

  /// Another process under the id.
  ///
  /// @param ends when it must be gone if it is dead and the leader stays
  /// @param term of the leader
  private record Holder(Deadline ends, long term) {}

  private long afterFailure(FloeException e, long failuresBefore) {
    if (e.code() != ErrorCode.RUNTIME_IN_USE) {
      holder = null;
    }
    if (e.code() == ErrorCode.RUNTIME_NOT_FOUND) {
      LOG.warn(
          "the lease of store {} has ended: what it held is forgotten, it registers anew ({})",
          options.runtime(),
          e.getMessage());
      Probe.sometimes("store.registers-anew-after-its-lease-ended");
      forget();
    } else if (failuresBefore == 0) {
      LOG.warn(
          epoch == 0
              ? "store {} cannot join the cluster yet: {}"
              : "store {} cannot renew its lease yet: {}",
          options.runtime(),
          e.getMessage());
    }
    long bound = Math.min(PAUSE_MILLIS_MAX, PAUSE_MILLIS_MIN << Math.min(failuresBefore, 10));
    return bound / 2 + environment.random().nextLong(bound / 2 + 1);
  }

  private void forget() {
    epoch = 0;
    mounted = List.of();
    store.withdrawAll();
  }

  private void die(FloeException e) {
    forget();
    FloeException reason = new FloeException(e.code(), lastWords(e), e);
    LOG.error("{}", reason.getMessage());
    environment.fatal().accept(reason);
  }

  private String lastWords(FloeException e) {
    return switch (e.code()) {
      case STALE_EPOCH ->
          "another process runs as store '"
              + options.runtime()
              + "', so this one stops; give each store an id of its own; if there is no other"
              + " process, the masters were set back to an older backup: start this store again ("
              + e.getMessage()
              + ")";
      case RUNTIME_IN_USE ->
          "store '"
              + options.runtime()
              + "' with "
              + options
                  .directory()
                  .map(path -> "data directory " + path)
                  .orElse("no data directory")
              + " cannot take part: another process has had this id for longer than the lease of a"
              + " dead one lasts ("
              + e.getMessage()
              + ")";
      default -> "store '" + options.runtime() + "' cannot take part: " + e.getMessage();
    };
  }

  /// Stops renewing and takes the segments out of the cluster, so that the masters need not wait
  /// for the lease to end.
  void leave() {
    stop();
    long known = epoch;
    List<SegmentId> numbers = mounted;
    if (known == 0 || numbers.isEmpty()) {
      return;
    }
    try {
      environment
          .metadata()
          .submit(
              numbers.stream()
                  .map(id -> new MetadataCommand.UnmountSegment(options.runtime(), known, id))
                  .toList(),
              Deadline.after(environment.ticker(), FAREWELL));
    } catch (FloeException e) {
      LOG.warn(
          "store {} leaves without a farewell, its lease will end by itself: {}",
          options.runtime(),
          e.getMessage());
    }
  }

  /// Stops renewing and says nothing; returns when the thread has ended.
  @Override
  public void close() {
    stop();
  }

  /// Stops renewing and waits for the thread, at most for one attempt; it is not interrupted, which
  /// would break the connection that the farewell needs.
  private void stop() {
    stopped.countDown();
    boolean interrupted = false;
    while (thread.isAlive() && Thread.currentThread() != thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
