package dev.floe.store.cli.shell;

import dev.floe.store.cli.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Owns what a long-running command has started, and closes it, last opened first, whatever ends
/// the command: its own end, an error, Ctrl-C or SIGTERM.
///
/// After a signal the process ends with the signal's usual code, 130 or 143, once everything is
/// closed; a second signal does not hurry it, SIGKILL does.
public final class Lifetime implements AutoCloseable {
  private final Terminal terminal;
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;
  private boolean isClosing;

  public Lifetime(Terminal terminal) {
    this.terminal = terminal;
    this.hook = Thread.ofPlatform().name("floe-shutdown").unstarted(this::closeAll);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /// Takes a resource over; one that comes too late is closed at once.
  public <T extends AutoCloseable> T own(T resource) {
    synchronized (owned) {
      if (!isClosing) {
        owned.push(resource);
        return resource;
      }
    }
    closeOne(resource);
    return resource;
  }

  /// Says when stopping begins, and when all that is owned by now is closed.
  ///
  /// @param what it is, for people; its parts belong to this already
  public void announceEnd(String what) {
    own(() -> say(what + " is stopping"));
    synchronized (owned) {
      owned.addLast(() -> say(what + " has stopped"));
    }
  }

  private void say(String line) {
    terminal.err().println("floe: " + Printable.of(line));
  }

  /// Waits until the process is told to stop.
  public void awaitSignal() throws InterruptedException {
    closed.await();
  }

  /// Waits until the input ends: that is how a child notices that its parent is gone.
  public void awaitEndOf(InputStream in) throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }

  @Override
  public void close() {
    closeAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already; the hook finds nothing left to close.
      return;
    }
  }

  /// Whether it has begun to close what it owns.
  public boolean isClosing() {
    synchronized (owned) {
      return isClosing;
    }
  }

  private void closeAll() {
    Logging.ofStop();
    synchronized (owned) {
      isClosing = true;
    }
    for (AutoCloseable next = take(); next != null; next = take()) {
      closeOne(next);
    }
    closed.countDown();
  }

  private @Nullable AutoCloseable take() {
    synchronized (owned) {
      return owned.poll();
    }
  }

  private void closeOne(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      terminal
          .err()
          .println("floe: while stopping: " + Printable.of(ErrorLines.oneLine(e.toString())));
    }
  }
}
