package dev.floe.sim.check;

/// An operation on one key, seen as a register that holds a value or nothing.
///
/// @param invokeNanos when it began
/// @param returnNanos when it ended; `Long.MAX_VALUE` when its outcome is not known
/// @param expects the value it needs to find: `ANY`, `SOME`, 0 for nothing, or a value
/// @param leaves the value it leaves behind: `SAME`, 0 for nothing, or a value
/// @param mayBeMissing whether it need not have taken effect at all
/// @param what for reports
public record RegisterOperation(
    long invokeNanos,
    long returnNanos,
    long expects,
    long leaves,
    boolean mayBeMissing,
    String what) {
  /// Needs nothing special.
  public static final long ANY = -1;

  /// Needs some value, whichever.
  public static final long SOME = -2;

  /// Changes nothing.
  public static final long SAME = -3;

  /// Saw `value`, or nothing when it is 0, or `SOME` value.
  public static RegisterOperation read(long invoke, long end, long value, String what) {
    return new RegisterOperation(invoke, end, value, SAME, false, what);
  }

  /// Made `value` readable where nothing was.
  public static RegisterOperation put(
      long invoke, long end, long value, boolean isKnown, String what) {
    return new RegisterOperation(invoke, isKnown ? end : Long.MAX_VALUE, 0, value, !isKnown, what);
  }

  /// Made `value` readable, whatever was there.
  public static RegisterOperation replace(
      long invoke, long end, long value, boolean isKnown, String what) {
    return new RegisterOperation(
        invoke, isKnown ? end : Long.MAX_VALUE, ANY, value, !isKnown, what);
  }

  /// Took the value away.
  public static RegisterOperation remove(
      long invoke, long end, long expects, boolean isKnown, String what) {
    return new RegisterOperation(
        invoke, isKnown ? end : Long.MAX_VALUE, isKnown ? expects : ANY, 0, !isKnown, what);
  }

  boolean fits(long value) {
    return expects == ANY || expects == value || (expects == SOME && value != 0);
  }

  long after(long value) {
    return leaves == SAME ? value : leaves;
  }
}
