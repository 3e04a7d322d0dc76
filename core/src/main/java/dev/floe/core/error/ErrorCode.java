package dev.floe.core.error;

import java.util.HashMap;
import java.util.Map;

/// Every error that Floe reports, with its number on the wire, what a caller may do about it, and
/// how gateways show it.
///
/// Numbers are stable: a number is never reused and never changes its meaning. Ranges: 1xx input,
/// 2xx state of an object, 3xx space and membership, 4xx availability and leadership, 5xx data
/// integrity, 6xx node and files, 9xx defects.
///
/// What can come after a request began to be executed has an unknown outcome, whichever side says
/// it: a deadline, a lost connection, an interrupted caller, a defect. For a read that means
/// nothing; a write must be looked for before it is repeated.
public enum ErrorCode {
  INVALID_ARGUMENT(100, Retryability.NEVER, 400, "ERR"),
  INVALID_KEY(101, Retryability.NEVER, 400, "ERR"),
  INVALID_SIZE(102, Retryability.NEVER, 400, "ERR"),
  INVALID_CONFIG(103, Retryability.NEVER, 400, "ERR"),
  DUPLICATE_IN_BATCH(104, Retryability.NEVER, 400, "ERR"),
  TOO_LARGE(105, Retryability.NEVER, 413, "ERR"),
  UNSUPPORTED(106, Retryability.NEVER, 501, "ERR"),

  NOT_FOUND(200, Retryability.NEVER, 404, "ERR"),
  ALREADY_EXISTS(201, Retryability.NEVER, 409, "ERR"),
  NOT_READY(202, Retryability.BACKOFF, 409, "TRYAGAIN"),
  HAS_LEASE(203, Retryability.BACKOFF, 409, "TRYAGAIN"),
  STALE_TOKEN(204, Retryability.AFTER_REFRESH, 409, "TRYAGAIN"),
  STALE_EPOCH(205, Retryability.AFTER_REFRESH, 409, "TRYAGAIN"),
  WRITE_IN_PROGRESS(206, Retryability.BACKOFF, 409, "TRYAGAIN"),

  NO_SPACE(300, Retryability.BACKOFF, 507, "OOM"),
  NOT_ENOUGH_RUNTIMES(301, Retryability.BACKOFF, 503, "CLUSTERDOWN"),
  RUNTIME_NOT_FOUND(302, Retryability.AFTER_REFRESH, 404, "ERR"),
  SEGMENT_NOT_FOUND(303, Retryability.AFTER_REFRESH, 404, "ERR"),
  SESSION_NOT_FOUND(304, Retryability.AFTER_REFRESH, 409, "TRYAGAIN"),
  SESSION_WINDOW_FULL(305, Retryability.BACKOFF, 429, "TRYAGAIN"),
  RUNTIME_IN_USE(306, Retryability.BACKOFF, 409, "TRYAGAIN"),

  NOT_LEADER(400, Retryability.AFTER_REFRESH, 503, "TRYAGAIN"),
  UNAVAILABLE(401, Retryability.BACKOFF, 503, "TRYAGAIN"),
  OVERLOADED(402, Retryability.BACKOFF, 503, "TRYAGAIN"),
  DEADLINE_EXCEEDED(403, Retryability.UNKNOWN_OUTCOME, 504, "TRYAGAIN"),
  UNKNOWN_OUTCOME(404, Retryability.UNKNOWN_OUTCOME, 504, "TRYAGAIN"),
  CONNECTION_LOST(405, Retryability.UNKNOWN_OUTCOME, 503, "TRYAGAIN"),
  CIRCUIT_OPEN(406, Retryability.BACKOFF, 503, "TRYAGAIN"),
  CANCELLED(407, Retryability.UNKNOWN_OUTCOME, 499, "ERR"),

  CHECKSUM_MISMATCH(500, Retryability.AFTER_REFRESH, 502, "ERR"),
  CORRUPT(501, Retryability.NEVER, 502, "ERR"),
  PROTOCOL_VIOLATION(502, Retryability.NEVER, 400, "ERR"),
  VERSION_MISMATCH(503, Retryability.NEVER, 426, "ERR"),
  WRONG_CLUSTER(504, Retryability.NEVER, 421, "ERR"),

  ADDRESS_IN_USE(600, Retryability.NEVER, 500, "ERR"),
  DIRECTORY_IN_USE(601, Retryability.NEVER, 500, "ERR"),
  DIRECTORY_UNUSABLE(602, Retryability.NEVER, 500, "ERR"),
  DIRECTORY_OF_ANOTHER_NODE(603, Retryability.NEVER, 500, "ERR"),
  IO_ERROR(604, Retryability.BACKOFF, 500, "ERR"),

  INTERNAL(900, Retryability.UNKNOWN_OUTCOME, 500, "ERR");

  private static final Map<Integer, ErrorCode> BY_NUMBER = new HashMap<>();

  static {
    for (ErrorCode code : values()) {
      ErrorCode other = BY_NUMBER.put(code.number, code);
      if (other != null) {
        throw new IllegalStateException(code + " and " + other + " share number " + code.number);
      }
    }
  }

  private final int number;
  private final Retryability retryability;
  private final int httpStatus;
  private final String respPrefix;

  ErrorCode(int number, Retryability retryability, int httpStatus, String respPrefix) {
    this.number = number;
    this.retryability = retryability;
    this.httpStatus = httpStatus;
    this.respPrefix = respPrefix;
  }

  /// The number on the wire.
  public int number() {
    return number;
  }

  /// What a caller may do after this error.
  public Retryability retryability() {
    return retryability;
  }

  /// The status of an HTTP response that carries this error.
  public int httpStatus() {
    return httpStatus;
  }

  /// The first word of a RESP error reply that carries this error.
  public String respPrefix() {
    return respPrefix;
  }

  /// The code with the given number; a number of a newer release reads as `INTERNAL`, which no
  /// caller retries unseen.
  public static ErrorCode ofNumber(int number) {
    return BY_NUMBER.getOrDefault(number, INTERNAL);
  }
}
