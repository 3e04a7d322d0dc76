package dev.floe.sim.vthread;

/// The clocks of one machine: how its monotonic and its wall clock differ from the run's time.
///
/// Both run at the machine's rate; the monotonic one never goes back, the wall clock jumps. Waits
/// of the machine's threads take as long as its own clock says. Confined like the scheduler.
public final class LocalClock {
  private double rate = 1;
  private long sinceNanos;
  private long localSinceNanos;
  private long wallOffsetMillis;

  /// A clock that is right.
  public LocalClock() {}

  /// Lets it run faster or slower from now on.
  ///
  /// @param nowNanos the run's time
  /// @param newRate nanoseconds of this machine for each nanosecond of the run, 0.5 to 2
  public void setRate(long nowNanos, double newRate) {
    if (newRate < 0.5 || newRate > 2) {
      throw new IllegalArgumentException("a clock's rate is " + newRate + ", not 0.5 to 2");
    }
    localSinceNanos = nanos(nowNanos);
    sinceNanos = nowNanos;
    rate = newRate;
  }

  /// Moves the wall clock, also back.
  public void jump(long millis) {
    wallOffsetMillis += millis;
  }

  /// How far the wall clock was moved in all.
  public long wallOffsetMillis() {
    return wallOffsetMillis;
  }

  long nanos(long nowNanos) {
    return rate == 1
        ? localSinceNanos + nowNanos - sinceNanos
        : localSinceNanos + (long) ((nowNanos - sinceNanos) * rate);
  }

  /// The run's time that passes while so much of the machine's does; rounded up, so that who waits
  /// finds that its time has passed.
  long runNanos(long localNanos) {
    return rate == 1 || localNanos <= 0 ? localNanos : (long) Math.ceil(localNanos / rate) + 1;
  }
}
