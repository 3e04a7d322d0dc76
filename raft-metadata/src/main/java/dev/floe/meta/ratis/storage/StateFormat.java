package dev.floe.meta.ratis.storage;

import com.google.protobuf.ByteString;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.state.MetadataState;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// How the log's entries and the state's snapshots look as bytes; the seam between the Raft adapter
/// and the codecs.
public interface StateFormat {
  /// The state before the first entry.
  MetadataState empty();

  /// The bytes of an entry.
  ByteString encode(CommandBatch batch);

  /// The batch in an entry.
  ///
  /// @throws dev.floe.core.error.FloeException when the bytes are not a batch that this release
  ///     knows
  CommandBatch decode(ByteString entry);

  /// Freezes the state as it is now, quickly, on the thread that applies; the result may be written
  /// by another thread while entries are applied.
  Frozen freeze(MetadataState state);

  /// Reads a snapshot.
  MetadataState read(Path file) throws IOException;

  /// A state frozen for writing; to be closed soon, as it makes apply copy what it changes.
  interface Frozen extends AutoCloseable {
    void write(FileChannel to) throws IOException;

    @Override
    void close();
  }
}
