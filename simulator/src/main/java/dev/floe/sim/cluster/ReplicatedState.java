package dev.floe.sim.cluster;

import com.google.protobuf.ByteString;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.snapshot.SnapshotReader;
import dev.floe.meta.snapshot.SnapshotWriter;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.MetadataView;
import dev.floe.meta.state.StateCapture;
import dev.floe.meta.state.StateConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// The replicated state of one node in one life: the production class behind a seam where planted
/// bugs fit in.
interface ReplicatedState {
  List<MetadataReply> apply(long term, long index, CommandBatch batch);

  long digest();

  MetadataView view();

  /// The state in the production snapshot format.
  ByteString snapshot();

  /// An empty state of production code.
  static ReplicatedState empty(StateConfig config) {
    return new Production(new MetadataState(config));
  }

  /// The state in a snapshot, read by production code.
  static ReplicatedState restore(ByteString snapshot, StateConfig config) {
    try {
      return new Production(SnapshotReader.read(snapshot.newInput(), config));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Production code, unchanged.
  record Production(MetadataState state) implements ReplicatedState {
    @Override
    public List<MetadataReply> apply(long term, long index, CommandBatch batch) {
      return state.apply(term, index, batch);
    }

    @Override
    public long digest() {
      return state.digest();
    }

    @Override
    public MetadataView view() {
      return state;
    }

    @Override
    public ByteString snapshot() {
      ByteString.Output out = ByteString.newOutput();
      try (StateCapture capture = state.capture()) {
        SnapshotWriter.write(capture, out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return out.toByteString();
    }
  }
}
