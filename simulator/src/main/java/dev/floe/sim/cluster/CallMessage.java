package dev.floe.sim.cluster;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.store.segment.TokenRange;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Requests and replies between clients, masters and runtimes. A reply carries the call number of
/// its request.
sealed interface CallMessage {
  /// Chosen by the caller.
  long call();

  /// What a master is asked.
  sealed interface MasterRequest extends CallMessage {
    String from();
  }

  record Submit(long call, String from, SessionCommand command) implements MasterRequest {}

  record Resolve(long call, String from, ObjectId id, boolean isStrict, boolean grantsLease)
      implements MasterRequest {}

  record ListKeys(long call, String from, String prefix) implements MasterRequest {}

  record RenewRuntime(long call, String from, RuntimeId runtime, long epoch)
      implements MasterRequest {}

  record RenewSession(long call, String from, SessionId session) implements MasterRequest {}

  /// What a runtime is asked.
  sealed interface DataRequest extends CallMessage {
    String from();

    SegmentId segment();

    TokenRange range();
  }

  /// One chunk of a value; the bytes are never changed after sending.
  record WriteChunk(
      long call, String from, SegmentId segment, TokenRange range, int at, ChunkBytes bytes)
      implements DataRequest {}

  record ReadBytes(long call, String from, SegmentId segment, TokenRange range, int at, int length)
      implements DataRequest {}

  /// What comes back.
  sealed interface Reply extends CallMessage {}

  /// @param index of the entry that gave the reply
  record Submitted(long call, long index, MetadataReply reply) implements Reply {}

  /// Certainly not done.
  record Refused(long call, ErrorCode code, @Nullable String leader) implements Reply {}

  record Resolved(long call, long readIndex, Resolution resolution) implements Reply {}

  record Listed(long call, long readIndex, Map<String, RouteVersion> keys) implements Reply {
    public Listed {
      keys = Collections.unmodifiableMap(new TreeMap<>(keys));
    }
  }

  record Renewed(long call) implements Reply {}

  record Stored(long call) implements Reply {}

  record Bytes(long call, ChunkBytes bytes) implements Reply {}

  /// Bytes that nobody changes.
  final class ChunkBytes {
    private final byte[] array;

    ChunkBytes(byte[] array) {
      this.array = array.clone();
    }

    byte[] array() {
      return array.clone();
    }

    int length() {
      return array.length;
    }

    @Override
    public String toString() {
      return array.length + " bytes";
    }
  }
}
