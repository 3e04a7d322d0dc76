package dev.floe.core.probe;

/// The marks. Every name is a constant at its call, so that the simulator can list all of them from
/// the class files, also those that no run ever reached.
///
/// Names are `subject.what`, in lower case with dashes, and tell a reader what happens there. A name
/// may stand at several calls when they mean the same.
public final class Probe {
  private Probe() {}

  /// Whether to take the rare but legal path here: the smallest batch, the slow way, a refusal that
  /// callers must cope with anyway. False in production; in the simulator a site is active in some
  /// runs and then fires now and then.
  ///
  /// What is done when it is true must be something that this code may do by its contract.
  public static boolean buggify(String site) {
    return false;
  }

  /// Notes that something rare has happened which a test of this code is worth little without. The
  /// simulator counts them over all runs and reports the ones that never happened.
  public static void sometimes(String situation) {}
}
