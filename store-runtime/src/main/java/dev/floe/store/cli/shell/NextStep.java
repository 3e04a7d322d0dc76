package dev.floe.store.cli.shell;

import dev.floe.core.error.ErrorCode;

/// What a person can do after an error; printed after `next:`.
public final class NextStep {
  private NextStep() {}

  /// Advice for an error that reached the command line.
  public static String of(ErrorCode code) {
    return switch (code) {
      case INVALID_ARGUMENT, UNSUPPORTED -> "correct the value; 'floe COMMAND --help' has examples";
      case INVALID_KEY -> "use a key of 1 to 1024 bytes of UTF-8, e.g. a path or a hash in hex";
      case INVALID_SIZE, TOO_LARGE -> "store the value in smaller parts under several keys";
      case INVALID_CONFIG -> "correct the setting; 'floe COMMAND --help' shows where it comes from";
      case DUPLICATE_IN_BATCH -> "name each key once";
      case NOT_FOUND -> "'floe ls PREFIX' shows what is stored; mind --tenant";
      case ALREADY_EXISTS -> "objects never change: 'floe rm KEY' first, or use another key";
      case NOT_READY, WRITE_IN_PROGRESS ->
          "wait for the writer; if it died, the key is free again after 30 s";
      case RUNTIME_IN_USE -> "stop the other store, wait for its lease to end, or use another id";
      case HAS_LEASE -> "wait until its readers are done, or use 'floe rm --force'";
      case NO_SPACE -> "'floe status' shows what is full; remove objects or start another store";
      case NOT_ENOUGH_RUNTIMES, RUNTIME_NOT_FOUND, SEGMENT_NOT_FOUND ->
          "'floe status' shows which stores are alive; start another one";
      case STALE_TOKEN, STALE_EPOCH, SESSION_NOT_FOUND, SESSION_WINDOW_FULL, OVERLOADED ->
          "run the command again";
      case NOT_LEADER, UNAVAILABLE, CONNECTION_LOST, CIRCUIT_OPEN ->
          "is the cluster running? 'floe up' starts one here; --masters or FLOE_MASTERS names one";
      case DEADLINE_EXCEEDED -> "run it again, with a longer --timeout if the value is large";
      case UNKNOWN_OUTCOME -> "it may have been done: look with 'floe stat KEY' before repeating";
      case CANCELLED -> "run the command again";
      case CHECKSUM_MISMATCH ->
          "remove the object and store it again from its source; check that node's memory";
      case CORRUPT ->
          "an object: remove it and store it again; a file of a node: restore it as the message says";
      case PROTOCOL_VIOLATION, VERSION_MISMATCH ->
          "check that the address is a Floe master of this release ('floe version')";
      case WRONG_CLUSTER -> "check the addresses in --masters or FLOE_MASTERS";
      case ADDRESS_IN_USE -> "stop the other process or choose another port";
      case DIRECTORY_IN_USE -> "stop the other process or choose another directory";
      case DIRECTORY_UNUSABLE -> "check that the path is a directory that you may write to";
      case DIRECTORY_OF_ANOTHER_NODE -> "use the directory of this node, or an empty one";
      case IO_ERROR -> "check the path, its permissions and the free space";
      case INTERNAL -> "this is a defect: run it again with --debug and report the stack trace";
    };
  }
}
