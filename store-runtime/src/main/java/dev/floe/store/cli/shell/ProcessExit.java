package dev.floe.store.cli.shell;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.ratis.FatalErrorHandler;
import dev.floe.store.cli.text.Printable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends the process of a node that cannot go on. A master whose log failed must not answer anybody:
/// whoever watches over it starts it again, and it repairs its log then.
public final class ProcessExit implements FatalErrorHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessExit.class);
  private static final int CLOSE_SECONDS = 10;

  private final Terminal terminal;
  private final String node;
  private final AtomicBoolean isEnding = new AtomicBoolean();

  public ProcessExit(Terminal terminal, String node) {
    this.terminal = terminal;
    this.node = node;
  }

  @Override
  public void fatal(String what, Throwable cause) {
    if (!isEnding.compareAndSet(false, true)) {
      return;
    }
    if (cause instanceof FloeException known && known.code() != ErrorCode.INTERNAL) {
      LOG.debug("{} stops: {}", node, what, cause);
    } else {
      LOG.error("{} stops: {}", node, what, cause);
    }
    terminal.err().println("floe: " + node + " stops: " + Printable.of(ErrorLines.oneLine(what)));
    Thread.ofPlatform().daemon().name("floe-exit").start(() -> System.exit(ExitCodes.OTHER));
    // Closing may hang on what is broken.
    Thread.ofPlatform().daemon().name("floe-halt").start(ProcessExit::haltLater);
  }

  private static void haltLater() {
    try {
      Thread.sleep(CLOSE_SECONDS * 1000L);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ExitCodes.OTHER);
  }
}
