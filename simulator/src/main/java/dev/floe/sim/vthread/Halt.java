package dev.floe.sim.vthread;

/// Ends a run at a step because somebody wants to look at it there; no failure.
public final class Halt extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// @param step after which the run stands still
  public Halt(long step) {
    super("halted after step " + step);
  }
}
