package dev.floe.meta.state;

import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.TenantId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The whole replicated state of one node. Hard state.
@SuppressWarnings("DoNotCallSuggester")
public final class MetadataState implements MetadataView {
  /// An empty state.
  public MetadataState(StateConfig config) {
    this(config, DigestMismatchListener.NONE);
  }

  /// An empty state that reports digests that differ from the leader's.
  public MetadataState(StateConfig config, DigestMismatchListener listener) {
    throw new UnsupportedOperationException(config + " " + listener);
  }

  /// Applies one entry. One thread only.
  ///
  /// @param index the entry's Raft index; grows with every call
  /// @return one reply for each command, in order
  public List<MetadataReply> apply(long index, CommandBatch batch) {
    throw new UnsupportedOperationException();
  }

  /// A digest of the whole state after the last applied entry: equal states have equal digests.
  /// O(1). On the applying thread.
  public long digest() {
    throw new UnsupportedOperationException();
  }

  /// The state as it is now, for a snapshot to be written by another thread while this one goes on
  /// applying. On the applying thread; close the capture as soon as it was written.
  public StateCapture capture() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long appliedIndex() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long appliedTimeMillis() {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable ObjectRoute route(ObjectId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<ObjectRoute> list(
      TenantId tenant, String prefix, @Nullable ObjectKey after, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable RuntimeRecord runtime(RuntimeId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<RuntimeRecord> runtimes() {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable Segment segment(SegmentId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<SegmentUsage> segments() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean hasSession(SessionId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<SessionId> sessions() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Totals totals() {
    throw new UnsupportedOperationException();
  }
}
