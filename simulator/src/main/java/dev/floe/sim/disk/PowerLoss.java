package dev.floe.sim.disk;

/// What survives of unsynced changes when the power goes. Synced ones always do.
///
/// @param isTorn whether a sector that was being written can be left with a part of the new bytes
public record PowerLoss(Survivors survivors, boolean isTorn) {
  /// Nothing that was not forced.
  public static final PowerLoss NOTHING = new PowerLoss(Survivors.NONE, false);

  /// Which changes survive.
  public enum Survivors {
    /// None of them.
    NONE,
    /// Of each file a beginning of its writes, the last one up to a sector's border.
    BEGINNING,
    /// Of each file any of the written sectors.
    ANY
  }
}
