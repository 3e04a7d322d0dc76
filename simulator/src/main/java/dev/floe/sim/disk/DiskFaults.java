package dev.floe.sim.disk;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/// What is wrong with a disk right now: turned by a nemesis, asked by every operation.
///
/// A rate is the chance, from 0 to 1, that an operation is hit. Faults here begin and end; what
/// they did to the medium stays.
public final class DiskFaults {
  private final SplittableRandom random;
  private final Map<Operation, Double> errorRates = new EnumMap<>(Operation.class);
  private long slowNanosMax;
  private double shortWriteRate;
  private double lieRate;
  private double misdirectRate;
  private boolean isFull;
  private long felt;

  /// What can fail.
  public enum Operation {
    READ,
    WRITE,
    FORCE,
    /// Opening, creating, renaming, removing, listing.
    NAME
  }

  DiskFaults(SplittableRandom random) {
    this.random = random;
  }

  /// Ends all faults.
  public void heal() {
    errorRates.clear();
    slowNanosMax = 0;
    shortWriteRate = 0;
    lieRate = 0;
    misdirectRate = 0;
  }

  /// Whether any fault can strike now.
  public boolean isActive() {
    return !errorRates.isEmpty()
        || slowNanosMax + shortWriteRate + lieRate + misdirectRate > 0
        || isFull;
  }

  void setFull(boolean full) {
    isFull = full;
  }

  /// Operations of a kind fail with "Input/output error". After a failed force the page cache keeps
  /// what did not reach the medium and later forces do not try again, as on Linux.
  public void errors(Operation operation, double rate) {
    errorRates.put(operation, rate);
  }

  /// Each operation that reaches the medium takes up to so much longer.
  public void slow(Duration max) {
    slowNanosMax = max.toNanos();
  }

  /// Writes move only a part of their bytes, which is no error.
  public void shortWrites(double rate) {
    shortWriteRate = rate;
  }

  /// Forces answer without having done anything.
  public void lieAboutForce(double rate) {
    lieRate = rate;
  }

  /// The medium puts writes in the place of other sectors of the file. Seen when the page cache is
  /// gone.
  public void misdirectWrites(double rate) {
    misdirectRate = rate;
  }

  /// How many operations were answered with an error or a lie, or put in the wrong place, so far.
  public long felt() {
    return felt;
  }

  void check(Operation operation) throws IOException {
    if (hits(errorRates.getOrDefault(operation, 0.0))) {
      felt++;
      throw new IOException("Input/output error");
    }
  }

  /// An error that the disk made for another reason.
  void feel() {
    felt++;
  }

  long extraNanos() {
    return slowNanosMax == 0 ? 0 : random.nextLong(slowNanosMax);
  }

  boolean isLying() {
    boolean isHit = hits(lieRate);
    felt += isHit ? 1 : 0;
    return isHit;
  }

  /// How many of the bytes a write moves.
  int writable(int bytes) {
    return bytes > 1 && hits(shortWriteRate) ? 1 + random.nextInt(bytes - 1) : bytes;
  }

  /// How far from its place a write goes.
  int misdirectedBy(int sectorBytes) {
    if (!hits(misdirectRate)) {
      return 0;
    }
    felt++;
    int sectors = 1 + random.nextInt(4);
    return random.nextBoolean() ? sectors * sectorBytes : -sectors * sectorBytes;
  }

  private boolean hits(double rate) {
    return rate > 0 && random.nextDouble() < rate;
  }
}
