package dev.floe.sim.disk;

/// The time that a disk's operations take, and where they are noted.
public interface DiskTime {
  /// Time that goes by while the caller works: an operation in the page cache.
  void spend(long nanos);

  /// Waits for the medium; an interrupt ends the wait.
  void await(long nanos);

  /// Notes an operation in the run's fingerprint.
  ///
  /// @param hash of what was done
  void note(String disk, String what, long hash);

  /// No time at all, for tests.
  DiskTime NONE =
      new DiskTime() {
        @Override
        public void spend(long nanos) {}

        @Override
        public void await(long nanos) {}

        @Override
        public void note(String disk, String what, long hash) {}
      };
}
