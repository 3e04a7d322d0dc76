package dev.floe.store.cli.shell;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/// How much is logged. `logback.xml` starts every command quiet: warnings only, on standard error.
public final class Logging {
  private Logging() {}

  /// gRPC inside Ratis logs by `java.util.logging`, at INFO and with a stack trace for every
  /// connection that does not speak its protocol; any port scanner would fill a master's log.
  public static void quietLibraries() {
    java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
  }

  /// For the processes of a cluster: what they do at INFO; Ratis, which logs every vote, stays at
  /// WARN.
  public static void ofNode() {
    level("dev.floe", Level.INFO);
  }

  /// For demonstrations, which kill masters on purpose: Ratis would warn at length of what the
  /// demonstration tells in a line.
  public static void ofDemonstration() {
    level("org.apache.ratis", Level.ERROR);
    level("dev.floe", Level.ERROR);
  }

  /// For the end of nodes that were told to stop: Ratis warns at length of what every stop does, such
  /// as peers that are gone and threads that are interrupted. Errors are still told, and whoever
  /// asked for more sees all.
  static void ofStop() {
    Logger ratis = (Logger) LoggerFactory.getLogger("org.apache.ratis");
    if (!ratis.isInfoEnabled()) {
      ratis.setLevel(Level.ERROR);
    }
  }

  /// For a person who looks for the reason of something.
  static void verbose() {
    level("dev.floe", Level.DEBUG);
    level("org.apache.ratis", Level.INFO);
  }

  private static void level(String logger, Level level) {
    ((Logger) LoggerFactory.getLogger(logger)).setLevel(level);
  }
}
