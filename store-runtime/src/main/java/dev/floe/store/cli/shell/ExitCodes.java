package dev.floe.store.cli.shell;

import dev.floe.core.error.ErrorCode;

/// What the process's exit code says, for scripts.
///
/// | code | meaning |
/// |---|---|
/// | 0 | done |
/// | 1 | there is no such object |
/// | 2 | the command line, a key or a configuration is wrong |
/// | 3 | the cluster cannot do it now; the same command may succeed later |
/// | 4 | stored bytes are damaged |
/// | 5 | anything else |
/// | 141 | whoever read the output went away, as `head` does |
/// | 130, 143 | stopped by Ctrl-C or SIGTERM, after a clean shutdown |
public final class ExitCodes {
  public static final int OK = 0;
  public static final int NOT_FOUND = 1;
  public static final int USAGE = 2;
  public static final int UNAVAILABLE = 3;
  public static final int CORRUPT = 4;
  public static final int OTHER = 5;

  /// What a shell reports for a program that SIGPIPE ended.
  public static final int READER_GONE = 141;

  private ExitCodes() {}

  /// The exit code of an error; the only place that decides it.
  public static int of(ErrorCode code) {
    return switch (code) {
      case NOT_FOUND -> NOT_FOUND;
      case INVALID_ARGUMENT,
          INVALID_KEY,
          INVALID_SIZE,
          INVALID_CONFIG,
          DUPLICATE_IN_BATCH,
          TOO_LARGE,
          UNSUPPORTED ->
          USAGE;
      case NOT_READY,
          HAS_LEASE,
          STALE_TOKEN,
          STALE_EPOCH,
          WRITE_IN_PROGRESS,
          NOT_ENOUGH_RUNTIMES,
          RUNTIME_NOT_FOUND,
          SEGMENT_NOT_FOUND,
          SESSION_NOT_FOUND,
          SESSION_WINDOW_FULL,
          RUNTIME_IN_USE,
          NOT_LEADER,
          UNAVAILABLE,
          OVERLOADED,
          DEADLINE_EXCEEDED,
          UNKNOWN_OUTCOME,
          CONNECTION_LOST,
          CIRCUIT_OPEN ->
          UNAVAILABLE;
      case CHECKSUM_MISMATCH, CORRUPT -> CORRUPT;
      case ALREADY_EXISTS,
          NO_SPACE,
          CANCELLED,
          PROTOCOL_VIOLATION,
          VERSION_MISMATCH,
          WRONG_CLUSTER,
          ADDRESS_IN_USE,
          DIRECTORY_IN_USE,
          DIRECTORY_UNUSABLE,
          DIRECTORY_OF_ANOTHER_NODE,
          IO_ERROR,
          INTERNAL ->
          OTHER;
    };
  }
}
