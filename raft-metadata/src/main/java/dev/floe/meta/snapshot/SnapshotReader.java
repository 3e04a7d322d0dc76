package dev.floe.meta.snapshot;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.snapshot.SnapshotFormat.Kind;
import dev.floe.meta.state.DigestMismatchListener;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import dev.floe.meta.state.StateRestorer;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Reads a snapshot back into a state.
///
/// Nothing is believed: frames and checksums, records, how they fit together, counts and digest are
/// checked before there is a state.
public final class SnapshotReader {
  private SnapshotReader() {}

  /// The state in the snapshot, which must end with the stream.
  ///
  /// @throws FloeException `VERSION_MISMATCH` when another release wrote it, `CORRUPT` with the byte
  ///     where it is damaged or cut off
  public static MetadataState read(InputStream in, StateConfig config) throws IOException {
    return read(in, config, DigestMismatchListener.NONE);
  }

  /// The state in the snapshot, reporting digests that differ from the leader's.
  ///
  /// @throws FloeException `VERSION_MISMATCH`, `CORRUPT`
  public static MetadataState read(
      InputStream in, StateConfig config, DigestMismatchListener listener) throws IOException {
    return read(in, new StateRestorer(config, listener), new EnumMap<>(Kind.class));
  }

  /// The state in the snapshot and what the file is made of.
  ///
  /// @throws FloeException `VERSION_MISMATCH`, `CORRUPT`
  public static SnapshotContents readContents(InputStream in, StateConfig config)
      throws IOException {
    Map<Kind, SnapshotContents.Section> sections = new EnumMap<>(Kind.class);
    MetadataState state =
        read(in, new StateRestorer(config, DigestMismatchListener.NONE), sections);
    return new SnapshotContents(state, List.copyOf(sections.values()));
  }

  private static MetadataState read(
      InputStream in, StateRestorer restorer, Map<Kind, SnapshotContents.Section> sections)
      throws IOException {
    ChunkReader chunks = new ChunkReader(in);
    SnapshotRecords records = new SnapshotRecords(restorer);
    for (ChunkReader.Chunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
      int messages = accept(records, chunk);
      sections.merge(
          chunk.kind(),
          new SnapshotContents.Section(chunk.kind().name(), 1, chunk.payload().length, messages),
          SnapshotContents.Section::plus);
    }
    return finish(records, chunks.offset());
  }

  private static int accept(SnapshotRecords records, ChunkReader.Chunk chunk) throws IOException {
    try {
      return records.accept(chunk);
    } catch (FloeException e) {
      if (e.code() == ErrorCode.VERSION_MISMATCH) {
        throw new FloeException(
            e.code(), "the snapshot at byte " + chunk.offset() + ": " + e.getMessage(), e);
      }
      throw damaged(chunk, e);
    } catch (RuntimeException | IOException e) {
      // The checksum was right, so these are records that no writer of ours made.
      throw damaged(chunk, e);
    }
  }

  private static FloeException damaged(ChunkReader.Chunk chunk, Exception e) {
    return SnapshotFormat.corrupt(
        chunk.offset(), "a chunk of " + chunk.kind() + ": " + e.getMessage(), e);
  }

  private static MetadataState finish(SnapshotRecords records, long offset) {
    try {
      return records.finish();
    } catch (FloeException e) {
      throw SnapshotFormat.corrupt(offset, String.valueOf(e.getMessage()), e);
    }
  }
}
