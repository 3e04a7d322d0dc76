/// Simulated disks: files, directories and block devices that survive their processes, in virtual
/// time, with the faults of real ones.
///
/// `SimDisk` is one machine's disk, `DiskMount` puts the disks of a run below one path so that
/// rewritten code reaches them (`sim.boot.SimFiles`), `DiskFaults` is what a nemesis turns,
/// `PowerLoss` what survives when the power goes. Each file and directory exists twice: as running
/// processes see it, and as it is on the medium; `FileData` and `Journal` say how the first becomes
/// the second. Collaborators: `sim.boot`; time comes through `DiskTime`. Invariant: what a force
/// that did not lie has seen is on the medium, and nothing but a fault of the medium takes it away.
@NullMarked
package dev.floe.sim.disk;

import org.jspecify.annotations.NullMarked;
