package dev.floe.nof.block;

import dev.floe.core.error.FloeException;
import java.nio.ByteBuffer;

/// An array of blocks of one size that can be read, written and flushed; the medium's durable
/// state.
///
/// **Alignment.** Offset, length and the address of the first byte must be multiples of
/// `geometry().blockBytes()`; buffers must be direct. Anything else is refused with
/// `INVALID_ARGUMENT` that names the value and the block size, and nothing is transferred. An empty
/// buffer at an aligned offset within the device is a no-op.
///
/// **Transfer.** `read` and `write` move all remaining bytes or throw; on return the buffer's
/// position is its limit. After an exception the position, the content of a read buffer, and the
/// blocks of a write (old, new, or a torn block of both) are undefined.
///
/// **Order and durability.** A read sees every write that returned before it was called. A write
/// that returned is durable only after a `flush` that was called later has returned. Between two
/// flushes the device may make writes durable in any order, so after a crash any subset of the
/// blocks written since the last flush may be there. A failed `flush` means that earlier writes may
/// be lost: from then on the device refuses writes and flushes with `IO_ERROR` until it is opened
/// anew, because a later flush could report success without having written them.
///
/// **Threads.** All methods may be called by many threads at once and may block. Calls that overlap
/// in blocks and in time, one of them a write, may see or leave a mixture; callers keep them apart.
/// An interrupt does not cut a call short; the interrupt status is kept.
///
/// **Errors.** `INVALID_ARGUMENT` bad range or buffer; `NO_SPACE` the medium behind a sparse device
/// is full, the write may be retried after space was made; `IO_ERROR` the medium failed;
/// `UNAVAILABLE` the device is closed.
public interface BlockDevice extends AutoCloseable {
  /// Block size and count; fixed while the device is open.
  BlockGeometry geometry();

  /// Fills the remaining space of `target` from the device.
  ///
  /// Blocks that were never written read as zeros or as whatever the medium held before it became
  /// this device.
  ///
  /// @param offsetBytes where to start, from the start of the device
  /// @throws FloeException as the class comment says
  void read(long offsetBytes, ByteBuffer target);

  /// Writes the remaining bytes of `source` to the device. Repeating a write is harmless.
  ///
  /// @param offsetBytes where to start, from the start of the device
  /// @throws FloeException as the class comment says
  void write(long offsetBytes, ByteBuffer source);

  /// Makes every write that returned before this call durable.
  ///
  /// @throws FloeException as the class comment says
  void flush();

  /// Releases the device without flushing. Calls in progress end with their result or
  /// `UNAVAILABLE`; closing again does nothing.
  @Override
  void close();
}
