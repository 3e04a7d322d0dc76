package dev.floe.store.cli.shell;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Lets few lines of each of Ratis's loggers through: while a peer is down it logs every attempt to
/// reach it, many a second. Errors and other loggers pass always. Named in `logback.xml`.
public final class RateLimitFilter extends Filter<ILoggingEvent> {
  private static final String LIMITED = "org.apache.ratis";
  private static final long PERIOD_MILLIS = 10_000;
  private static final int LINES_IN_PERIOD = 3;
  private static final int LEVEL_ALWAYS = ch.qos.logback.classic.Level.ERROR_INT;

  private final Map<String, Window> windows = new ConcurrentHashMap<>();

  private record Window(long startMillis, int lines) {}

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String logger = event.getLoggerName();
    if (!logger.startsWith(LIMITED) || event.getLevel().levelInt >= LEVEL_ALWAYS) {
      return FilterReply.NEUTRAL;
    }
    long now = event.getTimeStamp();
    Window window =
        windows.compute(
            logger,
            (name, last) ->
                last == null || now - last.startMillis() >= PERIOD_MILLIS
                    ? new Window(now, 1)
                    : new Window(last.startMillis(), last.lines() + 1));
    return window.lines() <= LINES_IN_PERIOD ? FilterReply.NEUTRAL : FilterReply.DENY;
  }
}
