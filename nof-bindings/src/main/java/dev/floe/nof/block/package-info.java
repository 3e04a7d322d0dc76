/// Block devices: arrays of fixed-size blocks that the extent store and other formats are laid out
/// on.
///
/// `BlockDevice` is the SPI. `FileBlockDevice` serves a file or a Linux block special file, with
/// direct I/O where the file system allows it. Other implementations (NVMe/TCP, SPDK, simulated)
/// live in their own packages and pass the same `BlockDeviceContractTest`.
///
/// Invariants: nothing here knows what the blocks mean; a request that is not whole blocks is
/// refused before the medium is touched; a failed flush is never followed by one that claims
/// success. Collaborators: `core.error` only.
@NullMarked
package dev.floe.nof.block;

import org.jspecify.annotations.NullMarked;
