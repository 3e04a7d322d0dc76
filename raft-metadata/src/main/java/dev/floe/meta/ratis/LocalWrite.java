package dev.floe.meta.ratis;

import dev.floe.core.error.FloeException;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.log.MetaLog.ProposalListener;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/// A batch proposed by this process: its bytes for the log, and the decoded batch and the listener
/// for this node alone, so that the leader neither parses its own entry nor encodes replies.
final class LocalWrite implements Message {
  private final CommandBatch batch;
  private final ByteString encoded;
  private final ProposalListener listener;
  private final AtomicBoolean isAnswered = new AtomicBoolean();
  private volatile boolean mayBeInLog;

  LocalWrite(CommandBatch batch, ByteString encoded, ProposalListener listener) {
    this.batch = batch;
    this.encoded = encoded;
    this.listener = listener;
  }

  CommandBatch batch() {
    return batch;
  }

  @Override
  public ByteString getContent() {
    return encoded;
  }

  /// Called right before the entry is appended: from here on a failure does not mean that it will
  /// never be applied.
  void aboutToAppend() {
    mayBeInLog = true;
  }

  boolean mayBeInLog() {
    return mayBeInLog;
  }

  void applied(long index, List<MetadataReply> replies) {
    if (isAnswered.compareAndSet(false, true)) {
      listener.applied(index, replies);
    }
  }

  void failed(FloeException error) {
    if (isAnswered.compareAndSet(false, true)) {
      listener.failed(error);
    }
  }

  @Override
  public String toString() {
    return "batch of " + batch.commands().size() + " commands, " + encoded.size() + " bytes";
  }
}
