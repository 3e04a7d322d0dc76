package dev.floe.meta.ratis;

import dev.floe.meta.log.MetaLog.LeadershipListener;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands changes of leadership from Ratis's threads, which hold its locks, to one own thread.
///
/// The listener sees alternating `leaderReady` and `notLeader`, each term at most once; changes
/// that are already outdated when their turn comes are skipped. Soft state.
final class LeadershipRelay implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeadershipRelay.class);

  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Thread thread;
  private @Nullable LeadershipListener listener;
  private long leadingTerm = NONE;
  private long deliveredTerm = NONE;

  private static final long NONE = -1;

  LeadershipRelay(String name) {
    thread = Thread.ofPlatform().daemon().name(name + "-leadership").unstarted(this::run);
    thread.start();
  }

  void leaderReady(long term) {
    events.add(new Event.Ready(term));
  }

  void notLeader() {
    events.add(new Event.Lost());
  }

  void listen(LeadershipListener newListener) {
    events.add(new Event.Listen(newListener));
  }

  private void run() {
    try {
      while (true) {
        Event event = events.take();
        if (event instanceof Event.Stop) {
          deliver(NONE);
          return;
        }
        accept(event);
        if (events.isEmpty()) {
          deliver(leadingTerm);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept(Event event) {
    switch (event) {
      case Event.Ready ready -> leadingTerm = ready.term();
      case Event.Lost lost -> leadingTerm = NONE;
      case Event.Listen listen -> {
        deliver(NONE);
        listener = listen.listener();
      }
      case Event.Stop stop -> throw new IllegalStateException("handled before: " + stop);
    }
  }

  private void deliver(long term) {
    LeadershipListener to = listener;
    if (to == null || term == deliveredTerm) {
      return;
    }
    try {
      if (deliveredTerm != NONE) {
        deliveredTerm = NONE;
        to.notLeader();
      }
      if (term != NONE) {
        deliveredTerm = term;
        to.leaderReady(term);
      }
    } catch (RuntimeException e) {
      LOG.error("a listener of leadership failed at term {}", term, e);
    }
  }

  /// Tells the listener that leadership is over and waits for it, unless called by it.
  @Override
  public void close() {
    events.add(new Event.Stop());
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private sealed interface Event {
    record Ready(long term) implements Event {}

    record Lost() implements Event {}

    record Listen(LeadershipListener listener) implements Event {}

    record Stop() implements Event {}
  }
}
