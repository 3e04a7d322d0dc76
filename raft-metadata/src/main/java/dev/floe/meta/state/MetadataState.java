package dev.floe.meta.state;

import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import java.util.List;

/// The whole replicated state of one node. Hard state.
public interface MetadataState extends MetadataView {
  /// Applies one entry.
  ///
  /// @param index the entry's Raft index; grows with every call
  /// @return one reply for each command, in order
  List<MetadataReply> apply(long index, CommandBatch batch);

  /// A digest of the whole state after the last applied entry: equal states have equal digests.
  /// O(1).
  long digest();
}
