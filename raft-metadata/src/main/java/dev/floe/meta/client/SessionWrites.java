package dev.floe.meta.client;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.error.Retryability;
import dev.floe.core.probe.Probe;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.FrameType;
import dev.floe.meta.codec.CommandCodec;
import dev.floe.meta.codec.RpcMessages;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A client's writes: each numbered within a session and repeated under its number until answered.
///
/// The session is opened with the first write, under an id that the masters give, and kept by a
/// thread of its own: it renews at once, which tells how long the lease lasts, and then three times
/// per time to live. When the masters have forgotten it (the client was cut off for long), a
/// command that was certainly not executed is sent in a new session; one that may have been is
/// reported as `UNKNOWN_OUTCOME`, because the new session could not tell.
final class SessionWrites implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionWrites.class);
  private static final int REQUEST_BYTES_MAX = Limits.FRAME_HEADER_BYTES_MAX / 2;
  private static final int REQUEST_ITEMS_MAX = 1024;
  private static final int NEW_SESSIONS_MAX = 3;
  private static final Duration FIRST_RENEWAL_TIMEOUT = Duration.ofSeconds(1);
  private static final long RENEWALS_PER_LEASE = 3;
  private static final long RETRIES_PER_PAUSE = 4;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final MasterCaller caller;
  private final Ticker ticker;
  private final RandomGenerator random;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ClientSession session;
  private @Nullable Thread keeper;
  private volatile boolean isClosed;

  SessionWrites(MasterCaller caller, Ticker ticker, RandomGenerator random) {
    this.caller = caller;
    this.ticker = ticker;
    this.random = random;
  }

  List<MetadataReply> submit(List<? extends MetadataCommand.Client> commands, Deadline deadline) {
    List<MetadataReply> replies = new ArrayList<>(commands.size());
    while (replies.size() < commands.size()) {
      int from = replies.size();
      int to = chunkEnd(commands, from);
      try {
        replies.addAll(submitChunk(commands.subList(from, to), deadline));
      } catch (FloeException e) {
        if (from == 0 || e.code() == ErrorCode.UNKNOWN_OUTCOME) {
          throw e;
        }
        throw new FloeException(
            ErrorCode.UNKNOWN_OUTCOME,
            "the first "
                + from
                + " of "
                + commands.size()
                + " commands were executed, "
                + (e.code().retryability() == Retryability.UNKNOWN_OUTCOME
                    ? "some of the others may have been: "
                    : "the others were not: ")
                + e.getMessage(),
            e);
      }
    }
    return replies;
  }

  private static int chunkEnd(List<? extends MetadataCommand.Client> commands, int from) {
    long bytes = 0;
    int to = from;
    while (to < commands.size() && to - from < REQUEST_ITEMS_MAX) {
      bytes += CommandCodec.encodedBytes(SessionCommand.unguarded(commands.get(to)));
      if (to > from && bytes > REQUEST_BYTES_MAX) {
        break;
      }
      to++;
    }
    return to;
  }

  private List<MetadataReply> submitChunk(
      List<? extends MetadataCommand.Client> commands, Deadline deadline) {
    @Nullable MetadataReply[] replies = new MetadataReply[commands.size()];
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) {
      open.add(i);
    }
    for (int round = 0; !open.isEmpty(); round++) {
      ClientSession current = session(deadline);
      List<MetadataCommand.Client> sent = new ArrayList<>(open.size());
      for (int position : open) {
        sent.add(commands.get(position));
      }
      Outcome outcome = send(current, sent, deadline);
      List<Integer> again = new ArrayList<>();
      for (int i = 0; i < open.size(); i++) {
        MetadataReply reply = outcome.replies().get(i);
        if (isSessionGone(reply) && round < NEW_SESSIONS_MAX) {
          if (outcome.isAfterUncertainty()) {
            throw sessionEnded();
          }
          again.add(open.get(i));
        } else {
          replies[open.get(i)] = reply;
        }
      }
      if (!again.isEmpty()) {
        Probe.sometimes("client.sent-again-in-a-new-session");
        current.lose();
      }
      open = again;
    }
    List<MetadataReply> all = new ArrayList<>(replies.length);
    for (MetadataReply reply : replies) {
      all.add(java.util.Objects.requireNonNull(reply));
    }
    return all;
  }

  private static boolean isSessionGone(MetadataReply reply) {
    return reply instanceof MetadataReply.Failed failed
        && failed.code() == ErrorCode.SESSION_NOT_FOUND;
  }

  private static FloeException sessionEnded() {
    return new FloeException(
        ErrorCode.UNKNOWN_OUTCOME,
        "this client's session ended while a command was being repeated; read the object to find"
            + " out whether it took effect");
  }

  private Outcome send(
      ClientSession current, List<MetadataCommand.Client> commands, Deadline deadline) {
    List<Long> sequences = current.take(commands.size(), deadline);
    try {
      long answeredBelow = current.answeredBelow();
      List<SessionCommand> numbered = new ArrayList<>(commands.size());
      for (int i = 0; i < commands.size(); i++) {
        numbered.add(
            new SessionCommand(current.id(), sequences.get(i), answeredBelow, commands.get(i)));
      }
      return send(numbered, deadline);
    } finally {
      current.answered(sequences);
    }
  }

  private Outcome send(List<SessionCommand> numbered, Deadline deadline) {
    ByteString header = RpcMessages.submitRequest(new CommandBatch(0, numbered));
    MasterCaller.Answer answer = caller.call(FrameType.META_SUBMIT, header, deadline);
    return new Outcome(decoded(answer.header(), numbered.size()), answer.isAfterUncertainty());
  }

  /// An answer that cannot be read says nothing about what became of the commands.
  private static List<MetadataReply> decoded(ByteString answer, int expected) {
    try {
      return RpcMessages.replies(answer, expected);
    } catch (RuntimeException e) {
      throw new FloeException(
          ErrorCode.UNKNOWN_OUTCOME,
          "a master's answer to "
              + expected
              + " commands cannot be understood: they may have been executed; read the object to"
              + " find out, and bring clients and masters to one release ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /// The open session, opened first when there is none; one thread opens, others wait for it.
  private ClientSession session(Deadline deadline) {
    lockBy(deadline);
    try {
      if (isClosed) {
        throw new FloeException(ErrorCode.CANCELLED, "this client is closed");
      }
      ClientSession current = session;
      if (current == null || current.isLost()) {
        current = new ClientSession(open(deadline));
        session = current;
        if (keeper == null) {
          keeper = Thread.ofPlatform().daemon().name("metadata-session").unstarted(this::keepAlive);
          keeper.start();
        } else {
          LockSupport.unpark(keeper);
        }
      }
      return current;
    } finally {
      lock.unlock();
    }
  }

  /// Whoever opens a session holds the lock as long as its own deadline allows.
  private void lockBy(Deadline deadline) {
    try {
      if (lock.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FloeException(ErrorCode.CANCELLED, "the caller was interrupted", e);
    }
    throw new FloeException(
        ErrorCode.UNAVAILABLE,
        "no session could be opened in time by another caller of this client; no command was sent");
  }

  /// Opens a session. When a reply is lost and the request is repeated, the masters may have opened
  /// several; the one whose id arrives is used, the others end with their leases.
  private SessionId open(Deadline deadline) {
    SessionId nonce = new SessionId(random.nextLong(), random.nextLong());
    Outcome outcome;
    try {
      outcome =
          send(List.of(SessionCommand.unguarded(new MetadataCommand.OpenSession(nonce))), deadline);
    } catch (FloeException e) {
      if (e.code() == ErrorCode.UNKNOWN_OUTCOME) {
        throw new FloeException(
            ErrorCode.UNAVAILABLE,
            "no session could be opened in time; no command was sent: " + e.getMessage(),
            e);
      }
      throw e;
    }
    return switch (outcome.replies().getFirst()) {
      case MetadataReply.SessionOpened opened -> opened.session();
      case MetadataReply.Failed failed -> throw failed.toException();
      case MetadataReply other ->
          throw new FloeException(
              ErrorCode.PROTOCOL_VIOLATION,
              "a master answered the opening of a session with " + other + ", not with its id");
    };
  }

  private void keepAlive() {
    ClientSession renewed = null;
    long pauseNanos = FIRST_RENEWAL_TIMEOUT.toNanos();
    boolean isHeard = false;
    while (!isClosed) {
      ClientSession current = current();
      if (current != null && current.isLost()) {
        current = null;
      }
      if (current == null || current.equals(renewed)) {
        // What fails is tried again soon: a lease that is renewed late is a lost session.
        LockSupport.parkNanos(
            isHeard || current == null ? pauseNanos : pauseNanos / RETRIES_PER_PAUSE);
        current = current();
      }
      if (isClosed || current == null || current.isLost()) {
        continue;
      }
      long leaseMillis = renew(current, pauseNanos);
      isHeard = leaseMillis > 0;
      if (isHeard) {
        pauseNanos = Math.max(1, leaseMillis * 1_000_000 / RENEWALS_PER_LEASE);
      }
      renewed = current;
    }
  }

  private @Nullable ClientSession current() {
    lock.lock();
    try {
      return session;
    } finally {
      lock.unlock();
    }
  }

  /// How long the lease lasts now, in milliseconds; 0 when no master could be asked.
  private long renew(ClientSession current, long timeoutNanos) {
    ByteString header = RpcMessages.renewRequest(new RpcMessages.Renewal.OfSession(current.id()));
    try {
      Deadline deadline = Deadline.after(ticker, Duration.ofNanos(timeoutNanos));
      ByteString reply = caller.call(FrameType.META_RENEW, header, deadline).header();
      return Math.max(1, RpcMessages.leaseMillis(reply));
    } catch (FloeException e) {
      if (e.code() == ErrorCode.SESSION_NOT_FOUND) {
        LOG.warn("session {} was ended by the masters; the next write opens another", current.id());
        current.lose();
      } else {
        LOG.debug("session {} could not be renewed yet", current.id(), e);
      }
      return 0;
    }
  }

  /// Ends the session if the masters answer soon; otherwise they end it when its lease runs out.
  @Override
  public void close() {
    isClosed = true;
    Thread running;
    ClientSession last;
    lock.lock();
    try {
      running = keeper;
      last = session;
      session = null;
    } finally {
      lock.unlock();
    }
    if (running != null) {
      LockSupport.unpark(running);
      try {
        running.join(CLOSE_TIMEOUT);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (last != null && !last.isLost()) {
      try {
        var _ =
            send(
                List.of(SessionCommand.unguarded(new MetadataCommand.CloseSession(last.id()))),
                Deadline.after(ticker, CLOSE_TIMEOUT));
      } catch (FloeException e) {
        LOG.debug("session {} will end with its lease", last.id(), e);
      }
    }
  }

  private record Outcome(List<MetadataReply> replies, boolean isAfterUncertainty) {}
}
