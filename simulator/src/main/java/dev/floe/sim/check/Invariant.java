package dev.floe.sim.check;

/// The rules that oracles check, by the name that reports show.
public enum Invariant {
  /// The same index has the same bytes, replies and digest on every node and in every life of it.
  STATE_MACHINE_SAFETY,
  /// A reply that a client got is the reply of the replicated log.
  ACKED_DURABILITY,
  /// Replies and routes are what the documentation of the commands says.
  COMMAND_SEMANTICS,
  /// Old tokens change nothing: neither routes nor ranges.
  TOKEN_SAFETY,
  /// Bytes of a successful read are those of the object that was asked for.
  WRONG_BYTES,
  /// Live and quarantined ranges never overlap and lie within their segment.
  OVERLAP,
  /// What allocators count is what routes and quarantine imply.
  ACCOUNTING,
  /// A command of a session takes effect at most once, and its reply stays the same.
  EXACTLY_ONCE,
  /// The version of a key's route only grows.
  VERSION_GROWS,
  /// Leader time in the state never goes back.
  TIME_GOES_BACK,
  /// Operations look as if each took effect at one moment between its call and its return.
  LINEARIZABILITY,
  /// An acknowledged object is readable with its bytes while a runtime that holds it lives.
  ACKED_OBJECT_LOST,
  /// What was read a moment ago is not removed by force-less removal while its lease runs.
  READ_LEASE,
  /// After faults stop, everything comes to an end and the nodes agree.
  LIVENESS,
  /// Queues, bytes under way and repetitions stay within their bounds at any time.
  BOUNDED,
  /// When all is quiet no space and no unfinished write is left over.
  LEAK,
  /// Production code threw where it promises not to.
  UNEXPECTED_EXCEPTION
}
