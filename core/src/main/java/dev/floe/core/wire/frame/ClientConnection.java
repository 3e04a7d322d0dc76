package dev.floe.core.wire.frame;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import dev.floe.core.time.Deadline;
import dev.floe.core.wire.ByteLink;
import dev.floe.core.wire.Connection;
import dev.floe.core.wire.FrameType;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The calling side of a connection, over any link.
///
/// Callers write their own frames; one reader takes the answers and wakes the callers. Soft state
/// only: what was unanswered when the link breaks is reported as `CONNECTION_LOST`.
public final class ClientConnection implements Connection {
  private final ByteLink link;
  private final Watchdog.Guard guard;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final Transport.Identity peer;
  private final WireOptions options;
  private final Runnable whenBegun;
  private final AtomicLong nextRequestId = new AtomicLong(1);
  private final Map<Long, PendingCall> pending = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable FloeException> broken = new AtomicReference<>();

  private ClientConnection(
      ByteLink link, Watchdog.Guard guard, Greeting greeting, WireOptions options) {
    this.link = link;
    this.guard = guard;
    this.reader = greeting.reader();
    this.writer = greeting.writer();
    this.peer = greeting.peer();
    this.options = options;
    this.whenBegun =
        () -> guard.readBy(Deadline.after(options.ticker(), options.timeouts().frame()));
  }

  private record Greeting(FrameReader reader, FrameWriter writer, Transport.Identity peer) {}

  /// Exchanges `HELLO` over a fresh link and starts the reader; closes the link when that fails.
  public static ClientConnection open(
      ByteLink link, Transport.Identity self, Deadline deadline, ClientThreads threads) {
    Watchdog.Guard guard = threads.watchdog.watch(link);
    boolean isOpened = false;
    try {
      Greeting greeting = greet(link, guard, self, deadline);
      ClientConnection connection = new ClientConnection(link, guard, greeting, threads.options);
      threads.readers.start("floe-client-reader " + link.remote(), connection::readReplies);
      isOpened = true;
      return connection;
    } finally {
      if (!isOpened) {
        guard.release();
        link.close();
      }
    }
  }

  /// What all client connections of a transport share.
  public static final class ClientThreads {
    private final Watchdog watchdog = new Watchdog();
    private final ReaderThreads readers;
    private final WireOptions options;

    /// Those of a new transport.
    public ClientThreads(WireOptions options) {
      this.options = options;
      this.readers = new ReaderThreads(options.bounds().platformReadersMax());
    }
  }

  private static Greeting greet(
      ByteLink link, Watchdog.Guard guard, Transport.Identity self, Deadline deadline) {
    FrameReader reader = new FrameReader(link);
    FrameWriter writer = new FrameWriter(link, guard);
    try {
      writer.write(
          new FrameWriter.Frame(
              FrameHeader.Kind.REQUEST,
              FrameType.HELLO,
              0,
              Handshake.hello(self),
              List.of(),
              millis(deadline)),
          deadline);
      guard.readBy(deadline);
      FrameHeader head = reader.next();
      if (head == null) {
        throw unavailable(
            link,
            "it closed the connection; it may have reached its limit, or speak another protocol",
            null);
      }
      Handshake.checkFirst(head);
      ByteString message = reader.message(head.message());
      return switch (head.kind()) {
        case RESPONSE -> new Greeting(reader, writer, Handshake.judge(message, self));
        case ERROR -> throw Handshake.decode(message);
        case REQUEST ->
            throw new FloeException(
                ErrorCode.PROTOCOL_VIOLATION, link.remote() + " answered HELLO with a request");
      };
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new FloeException(
            ErrorCode.CANCELLED, "interrupted while connecting to " + link.remote(), e);
      }
      throw unavailable(
          link,
          guard.hasStruck()
              ? "no answer in time; it hangs, or speaks another protocol"
              : IoReason.of(e),
          e);
    } finally {
      guard.readBy(null);
    }
  }

  private static FloeException unavailable(ByteLink link, String why, @Nullable Throwable cause) {
    return new FloeException(
        ErrorCode.UNAVAILABLE, link.remote() + " did not answer HELLO: " + why, cause);
  }

  @Override
  public PendingReply send(Call call) {
    checkSendable(call);
    FrameWriter.Frame frame =
        new FrameWriter.Frame(
            FrameHeader.Kind.REQUEST,
            call.type(),
            nextRequestId.getAndIncrement(),
            call.header(),
            call.body(),
            millis(call.deadline()));
    PendingCall entry = new PendingCall(this, frame.requestId(), call);
    pending.put(entry.requestId(), entry);
    boolean isSent = false;
    try {
      // Checked after the entry is visible, so that whoever breaks the connection either sees the
      // entry or is seen here.
      checkOpen();
      writer.write(frame, call.deadline());
      isSent = true;
      return entry;
    } catch (IOException e) {
      throw notSent(entry, e);
    } finally {
      if (!isSent) {
        entry.giveUp(entry.lateError());
      }
    }
  }

  private void checkSendable(Call call) {
    checkOpen();
    if (Thread.currentThread().isInterrupted()) {
      throw new FloeException(
          ErrorCode.CANCELLED,
          "the thread was interrupted before a request was sent to " + remote());
    }
    if (call.deadline().isExpired()) {
      throw new FloeException(
          ErrorCode.DEADLINE_EXCEEDED,
          "the deadline had passed before a request was sent to " + remote());
    }
    int callsMax = options.bounds().connectionCallsMax();
    if (pending.size() >= callsMax) {
      throw new FloeException(
          ErrorCode.OVERLOADED,
          remote() + " has not answered " + callsMax + " calls of this connection: await some");
    }
  }

  private void checkOpen() {
    FloeException why = broken.get();
    if (why != null) {
      throw new FloeException(ErrorCode.CONNECTION_LOST, why.getMessage(), why.context(), why);
    }
  }

  private FloeException notSent(PendingCall entry, IOException e) {
    FloeException why;
    if (Thread.currentThread().isInterrupted()) {
      why = new FloeException(ErrorCode.CANCELLED, "interrupted while sending to " + remote(), e);
    } else if (guard.hasStruck()) {
      why =
          new FloeException(
              ErrorCode.DEADLINE_EXCEEDED,
              remote()
                  + String.format(" did not take a request of type 0x%04x in time", entry.type()),
              e);
    } else {
      why = lost(e);
    }
    breakBecause(lost(e));
    return why;
  }

  private FloeException lost(Throwable cause) {
    return new FloeException(
        ErrorCode.CONNECTION_LOST, "the connection to " + remote() + " broke: " + cause, cause);
  }

  /// Removes a call whose caller has given up; a late answer to it is skipped.
  void forget(PendingCall entry) {
    pending.remove(entry.requestId());
  }

  /// Ends the connection; unanswered calls fail with `why`, which is the first reason given.
  void breakBecause(FloeException why) {
    broken.compareAndSet(null, why);
    link.close();
    FloeException first = broken.get();
    for (PendingCall entry : pending.values()) {
      entry.failIfWaiting(first == null ? why : first);
    }
    pending.clear();
  }

  private void readReplies() {
    FloeException why = null;
    try {
      FrameHeader head = nextHead();
      while (head != null) {
        readReply(head);
        head = nextHead();
      }
      why = new FloeException(ErrorCode.CONNECTION_LOST, remote() + " closed the connection");
    } catch (IOException e) {
      why = lost(e);
    } catch (FloeException e) {
      why = lost(e);
      WireLog.LOG.warn("closed the connection to {}: {}", remote(), e.getMessage());
    } finally {
      guard.release();
      breakBecause(why == null ? lost(new IllegalStateException("its reader failed")) : why);
    }
  }

  /// The next answer's fixed part. A server that stops in the middle of it has left the connection
  /// useless for all its callers.
  private @Nullable FrameHeader nextHead() throws IOException {
    FrameHeader head = reader.next(whenBegun);
    guard.readBy(null);
    return head;
  }

  private void readReply(FrameHeader head) throws IOException {
    PendingCall entry = pending.remove(head.requestId());
    if (head.kind() == FrameHeader.Kind.REQUEST || (entry != null && entry.type() != head.type())) {
      FloeException why =
          new FloeException(
              ErrorCode.PROTOCOL_VIOLATION,
              String.format(
                  "frame %d is a %s of type 0x%04x that answers no request",
                  head.requestId(), head.kind(), head.type()));
      breakBecause(lost(why));
      if (entry != null) {
        entry.failIfWaiting(lost(why));
      }
      throw why;
    }
    if (entry == null || !entry.beginFilling()) {
      reader.skip((long) head.message().bytes() + head.bodyBytes());
      return;
    }
    FloeException failure = lost(new IllegalStateException("its reader failed"));
    try {
      fill(entry, head);
    } catch (IOException | FloeException e) {
      failure = lost(e);
      // First, so that whoever learns of the failure finds the connection closed.
      breakBecause(failure);
      throw e;
    } finally {
      entry.failUnlessSettled(failure);
    }
  }

  /// Reads the rest of an answer and settles its call, unless it throws.
  private void fill(PendingCall entry, FrameHeader head) throws IOException {
    ByteString message = reader.message(head.message());
    if (head.kind() == FrameHeader.Kind.ERROR) {
      reader.skip(head.bodyBytes());
      entry.answerWithError(Handshake.decode(message));
      return;
    }
    if (head.bodyBytes() > 0) {
      ByteBuffer target;
      try {
        target = choose(entry, message, head.bodyBytes());
      } catch (FloeException e) {
        reader.skip(head.bodyBytes());
        entry.answerWithError(e);
        return;
      }
      reader.body(target, head.bodyBytes());
    }
    entry.succeed(message, head.bodyBytes());
  }

  private ByteBuffer choose(PendingCall entry, ByteString message, int bodyBytes) {
    ByteBuffer target;
    try {
      target = entry.target().bufferFor(message, bodyBytes);
    } catch (FloeException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new FloeException(ErrorCode.INTERNAL, "choosing a reply's buffer failed: " + e, e);
    }
    FrameReader.checkTarget(target, bodyBytes);
    return target;
  }

  String remote() {
    return link.remote();
  }

  private static long millis(Deadline deadline) {
    long millis = deadline.remainingMillis();
    return millis > FrameHeader.DEADLINE_MILLIS_MAX ? 0 : Math.max(1, millis);
  }

  @Override
  public Transport.Identity peer() {
    return peer;
  }

  @Override
  public boolean isOpen() {
    return broken.get() == null && link.isOpen();
  }

  @Override
  public void close() {
    breakBecause(
        new FloeException(
            ErrorCode.CONNECTION_LOST, "this side closed the connection to " + remote()));
  }
}
