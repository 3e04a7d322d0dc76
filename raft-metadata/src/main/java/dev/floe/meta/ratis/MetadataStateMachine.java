package dev.floe.meta.ratis;

import com.google.protobuf.UnsafeByteOperations;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.probe.Probe;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.log.MetaLog.AppliedDigest;
import dev.floe.meta.ratis.storage.LogExtent;
import dev.floe.meta.ratis.storage.SnapshotFiles;
import dev.floe.meta.ratis.storage.SnapshotWorker;
import dev.floe.meta.ratis.storage.StateFormat;
import dev.floe.meta.state.MetadataState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Applies the log to a `MetadataState`, as Ratis wants it.
///
/// One thread of Ratis applies; every apply completes at once and normally, since expected errors
/// are replies. Only batches of this process are accepted for the log: a request that comes in over
/// the Raft port is refused before it gets there. What cannot be decoded or breaks an invariant is
/// fatal for this node. Hard state, in memory; its durable form is log and snapshots.
final class MetadataStateMachine extends BaseStateMachine {
  private static final Logger LOG = LoggerFactory.getLogger(MetadataStateMachine.class);
  private static final CompletableFuture<Message> DONE =
      CompletableFuture.completedFuture(Message.EMPTY);

  private final String node;
  private final StateFormat format;
  private final SnapshotFiles files;
  private final SnapshotWorker snapshots;
  private final LeadershipRelay leadership;
  private final FatalErrorHandler fatal;
  private final ApplyObserver observer;
  private final ClientId ownClient;
  private final ConcurrentHashMap<Long, LocalWrite> pending;
  private volatile MetadataState state;
  private volatile AppliedDigest digest = AppliedDigest.NONE;
  private volatile boolean isClosing;

  MetadataStateMachine(
      Parts parts, ClientId ownClient, ConcurrentHashMap<Long, LocalWrite> pending) {
    this.node = parts.node();
    this.format = parts.format();
    this.files = parts.files();
    this.snapshots = parts.snapshots();
    this.leadership = parts.leadership();
    this.fatal = parts.seams().fatal();
    this.observer = parts.seams().observer();
    this.ownClient = ownClient;
    this.pending = pending;
    this.state = format.empty();
  }

  MetadataState state() {
    return state;
  }

  AppliedDigest digest() {
    return digest;
  }

  /// From here on `close()` is what was asked for.
  void expectClose() {
    isClosing = true;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    getLifeCycle()
        .startAndTransition(
            () -> {
              super.initialize(server, group, storage);
              files.init(storage);
              setLastAppliedTermIndex(load());
              checkNoGap(storage.getStorageDir().getCurrentDir().toPath());
            },
            IOException.class);
  }

  /// @return the last entry in what was loaded
  private TermIndex load() throws IOException {
    SnapshotFiles.Loaded<MetadataState> loaded = files.loadNewest(format::read);
    if (loaded == null) {
      state = format.empty();
      return TermIndex.INITIAL_VALUE;
    }
    if (loaded.value().appliedIndex() > loaded.termIndex().getIndex()) {
      throw new IOException(
          "the snapshot at "
              + loaded.termIndex()
              + " holds index "
              + loaded.value().appliedIndex());
    }
    Probe.sometimes("snapshot.loaded");
    state = loaded.value();
    digest = new AppliedDigest(state.appliedIndex(), state.digest());
    LOG.info("{}: loaded the snapshot at {}", node, loaded.termIndex());
    return loaded.termIndex();
  }

  /// What is left must reach as far as this master once was. Where the log does not go on where the
  /// snapshot ends, Ratis would wait for ever for entries that are nowhere; where both end before a
  /// snapshot that was durable, this master has forgotten entries that it promised to keep, and its
  /// vote could undo them.
  void checkNoGap(Path logDirectory) throws IOException {
    LogExtent log = LogExtent.of(logDirectory);
    long snapshot = files.latestIndex();
    boolean goesOn = log.first() == LogExtent.NOTHING || log.first() <= snapshot + 1;
    if (!goesOn) {
      throw new FloeException(
          ErrorCode.CORRUPT,
          "the log in "
              + logDirectory
              + " begins at entry "
              + log.first()
              + " but the newest readable snapshot ends at "
              + snapshot
              + "; add this master again with an empty directory and a new id");
    }
    long reached = files.durableIndex();
    long left = Math.max(snapshot, log.last());
    if (left < reached) {
      throw new FloeException(
          ErrorCode.CORRUPT,
          "master "
              + node
              + " had a durable snapshot at entry "
              + reached
              + ", which is damaged or gone; what is left in "
              + logDirectory.getParent()
              + " ends at entry "
              + left
              + ", so the entries "
              + (left + 1)
              + " to "
              + reached
              + " are lost here; keep the directory for analysis, and add this master again with an"
              + " empty directory and a new id");
    }
    if (log.endsBefore(snapshot)) {
      LOG.warn(
          "{}: the log ends at entry {}, before the snapshot at {}: entries that were applied here had"
              + " not yet been forced when the machine stopped; going on from the snapshot alone",
          node,
          log.last(),
          snapshot);
      LogExtent.drop(logDirectory);
    }
  }

  @Override
  public SnapshotFiles getStateMachineStorage() {
    return files;
  }

  // --- writes ---

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
    TransactionContext.Builder context =
        TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request);
    if (request.getMessage() instanceof LocalWrite write) {
      return context.setLogData(write.getContent()).build();
    }
    TransactionContext refused = context.setLogData(ByteString.EMPTY).build();
    refused.setException(
        new FloeException(
            ErrorCode.UNSUPPORTED, "the Raft port takes no commands; use the metadata service"));
    return refused;
  }

  @Override
  public TransactionContext preAppendTransaction(TransactionContext context) {
    RaftClientRequest request = context.getClientRequest();
    if (request != null && request.getMessage() instanceof LocalWrite write) {
      write.aboutToAppend();
    }
    return context;
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext context) {
    LogEntryProto entry = context.getLogEntry();
    try {
      apply(entry);
      return DONE;
    } catch (RuntimeException | Error e) {
      fatal.fatal(
          "master " + node + " cannot apply log entry " + entry.getTerm() + "/" + entry.getIndex(),
          e);
      throw e;
    }
  }

  private void apply(LogEntryProto entry) {
    LocalWrite write = ownWrite(entry);
    CommandBatch batch = write != null ? write.batch() : decode(entry);
    MetadataState now = state;
    List<MetadataReply> replies = now.apply(entry.getTerm(), entry.getIndex(), batch);
    if (replies.size() != batch.commands().size()) {
      throw new IllegalStateException(
          replies.size() + " replies to " + batch.commands().size() + " commands");
    }
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    digest = new AppliedDigest(entry.getIndex(), now.digest());
    observer.applied(
        entry.getTerm(),
        entry.getIndex(),
        entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer(),
        digest.digest());
    if (write != null) {
      write.applied(entry.getIndex(), replies);
    }
    snapshots.afterApply(
        TermIndex.valueOf(entry), entry.getSerializedSize(), () -> format.freeze(now));
  }

  private @Nullable LocalWrite ownWrite(LogEntryProto entry) {
    var logEntry = entry.getStateMachineLogEntry();
    if (!logEntry.getClientId().equals(ownClient.toByteString())) {
      return null;
    }
    return pending.remove(logEntry.getCallId());
  }

  private CommandBatch decode(LogEntryProto entry) {
    ByteString data = entry.getStateMachineLogEntry().getLogData();
    return format.decode(UnsafeByteOperations.unsafeWrap(data.asReadOnlyByteBuffer()));
  }

  // --- reads ---

  @Override
  public CompletableFuture<Message> query(Message message) {
    if (!(message instanceof LocalRead<?> read)) {
      return CompletableFuture.failedFuture(
          new StateMachineException("the Raft port serves no reads; use the metadata service"));
    }
    if (getLifeCycleState() == LifeCycle.State.PAUSED) {
      read.refuse(
          new FloeException(
              ErrorCode.UNAVAILABLE,
              "master " + node + " is installing a snapshot; ask another master or retry"));
    } else {
      read.run(state);
    }
    return DONE;
  }

  // --- snapshots ---

  /// Says how far the newest durable snapshot reaches; writing happens in the background, and
  /// blocking here would block apply.
  @Override
  public long takeSnapshot() {
    return files.latestIndex();
  }

  /// Called for every chunk of an incoming snapshot.
  @Override
  public void pause() {
    if (getLifeCycle().getCurrentState() == LifeCycle.State.RUNNING) {
      getLifeCycle().transition(LifeCycle.State.PAUSING);
      getLifeCycle().transition(LifeCycle.State.PAUSED);
    }
  }

  /// Takes the snapshot that Ratis has put in place. A failure here is loud: Ratis shuts down and
  /// `close` reports it.
  @Override
  public void reinitialize() throws IOException {
    Probe.sometimes("snapshot.installed-from-the-leader");
    files.forceInstalled();
    long installed = files.newestIndexOnDisk();
    setLastAppliedTermIndex(null);
    TermIndex loaded = load();
    if (files.latestIndex() >= installed) {
      files.markDurable();
    } else {
      // Ratis goes on behind the installed one, so an older one in its place would leave a gap.
      throw new IOException(
          "the installed snapshot at index "
              + installed
              + " cannot be read, see the log; master "
              + node
              + " will fetch it again when it is started again");
    }
    getLifeCycle().transition(LifeCycle.State.STARTING);
    getLifeCycle().transition(LifeCycle.State.RUNNING);
    // From here on the next snapshot may be taken, which moves the files of this one away.
    setLastAppliedTermIndex(loaded);
  }

  // --- events; called with locks of Ratis held, so nothing here may block ---

  @Override
  public void notifyLeaderReady() {
    // A snapshot that was broken off leaves the state as it was: whole, only paused.
    if (getLifeCycle().getCurrentState() == LifeCycle.State.PAUSED) {
      getLifeCycle().transition(LifeCycle.State.STARTING);
      getLifeCycle().transition(LifeCycle.State.RUNNING);
    }
    leadership.leaderReady(termNow());
  }

  private long termNow() {
    try {
      return getServer().join().getDivision(getGroupId()).getInfo().getCurrentTerm();
    } catch (IOException e) {
      return getLastAppliedTermIndex().getTerm();
    }
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> outstanding) {
    leadership.notLeader();
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
    LOG.debug("{}: the leader is now {}", node, newLeader);
    if (!newLeader.equals(member.getPeerId())) {
      leadership.notLeader();
    }
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
    fatal.fatal(
        "the Raft log of master "
            + node
            + " failed and takes no more entries: "
            + RatisErrors.rootReason(cause)
            + "; mend that and start the master again",
        cause);
  }

  /// Ratis closes a state machine also when it gives up: after an apply that threw, a snapshot that
  /// could not be loaded, a very long pause of the JVM, or removal from the configuration.
  @Override
  public void close() {
    if (!isClosing) {
      fatal.fatal(
          "Ratis has shut down master " + node + " by itself",
          new IllegalStateException("unexpected close of the state machine"));
    }
  }

  /// What a state machine works with.
  record Parts(
      String node,
      StateFormat format,
      SnapshotFiles files,
      SnapshotWorker snapshots,
      LeadershipRelay leadership,
      RatisSeams seams) {}
}
