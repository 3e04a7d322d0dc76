package dev.floe.meta.ratis.storage;

import com.google.protobuf.ByteString;
import dev.floe.meta.codec.CommandCodec;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.snapshot.SnapshotReader;
import dev.floe.meta.snapshot.SnapshotWriter;
import dev.floe.meta.state.DigestMismatchListener;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateCapture;
import dev.floe.meta.state.StateConfig;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// The formats of this release.
public final class FloeStateFormat implements StateFormat {
  private static final int BUFFER_BYTES = 256 * 1024;

  private final StateConfig config;
  private final DigestMismatchListener mismatches;

  public FloeStateFormat(StateConfig config, DigestMismatchListener mismatches) {
    this.config = config;
    this.mismatches = mismatches;
  }

  @Override
  public MetadataState empty() {
    return new MetadataState(config, mismatches);
  }

  @Override
  public ByteString encode(CommandBatch batch) {
    return CommandCodec.encode(batch);
  }

  @Override
  public CommandBatch decode(ByteString entry) {
    return CommandCodec.decode(entry);
  }

  @Override
  public Frozen freeze(MetadataState state) {
    return new FrozenState(state.capture());
  }

  @Override
  public MetadataState read(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
      return SnapshotReader.read(in, config, mismatches);
    }
  }

  private record FrozenState(StateCapture capture) implements Frozen {
    @Override
    public void write(FileChannel to) throws IOException {
      OutputStream out = new BufferedOutputStream(Channels.newOutputStream(to), BUFFER_BYTES);
      SnapshotWriter.write(capture, out);
      out.flush();
    }

    @Override
    public void close() {
      capture.close();
    }
  }
}
