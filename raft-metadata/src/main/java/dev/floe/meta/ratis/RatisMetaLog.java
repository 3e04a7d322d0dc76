package dev.floe.meta.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.log.MasterAddress;
import dev.floe.meta.log.Membership;
import dev.floe.meta.ratis.storage.SnapshotWorker;
import dev.floe.meta.ratis.storage.StateFormat;
import dev.floe.meta.state.MetadataView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The replicated log on Apache Ratis.
///
/// Proposals and reads go to the Ratis server of this process directly, without network. Open it
/// with `RatisBootstrap`.
public final class RatisMetaLog implements MaintainedLog {
  private static final Logger LOG = LoggerFactory.getLogger(RatisMetaLog.class);

  private final RatisOptions options;
  private final RatisErrors errors;
  private final StateFormat format;
  private final MetadataStateMachine machine;
  private final SnapshotWorker snapshots;
  private final LeadershipRelay relay;
  private final ClientId clientId;
  private final ConcurrentHashMap<Long, LocalWrite> pending;
  private final AtomicLong callIds = new AtomicLong();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final RaftServer server;
  private final RaftServer.Division division;
  private final RaftClientAsynchronousProtocol submitter;
  private final RaftGroupId groupId;
  private final RatisMembers members;

  RatisMetaLog(Parts parts, RaftServer server, RaftServer.Division division) {
    this.options = parts.options();
    this.members = new RatisMembers(parts, server, division, callIds::incrementAndGet);
    this.errors = new RatisErrors(options, members::endpointOf);
    this.format = parts.format();
    this.machine = parts.machine();
    this.snapshots = parts.snapshots();
    this.relay = parts.relay();
    this.clientId = parts.clientId();
    this.pending = parts.pending();
    this.server = server;
    this.division = division;
    this.groupId = division.getMemberId().getGroupId();
    // The server's own method hops to another thread and waits there; the division's does not.
    this.submitter = division instanceof RaftClientAsynchronousProtocol direct ? direct : server;
  }

  /// Opens this node's log: checks and repairs the log's tail, starts Ratis, and returns when this
  /// node takes part (not: when there is a leader).
  ///
  /// @throws FloeException `ADDRESS_IN_USE`, `DIRECTORY_IN_USE`, `DIRECTORY_UNUSABLE`, or `CORRUPT`
  public static RatisMetaLog open(
      RatisOptions options, StateFormat format, Ticker ticker, FatalErrorHandler fatal) {
    return open(options, format, new RatisSeams(ticker, fatal));
  }

  /// Opens this node's log in other surroundings.
  public static RatisMetaLog open(RatisOptions options, StateFormat format, RatisSeams seams) {
    return new RatisBootstrap(options, format, seams).open();
  }

  @Override
  public void propose(CommandBatch batch, ProposalListener listener) {
    ByteString bytes = UnsafeByteOperations.unsafeWrap(format.encode(batch).asReadOnlyByteBuffer());
    LocalWrite write = new LocalWrite(batch, bytes, listener);
    long callId = callIds.incrementAndGet();
    pending.put(callId, write);
    RaftClientRequest request =
        request(callId).setMessage(write).setType(RaftClientRequest.writeRequestType()).build();
    CompletableFuture<RaftClientReply> reply;
    try {
      reply = submitter.submitClientRequestAsync(request);
    } catch (IOException | RuntimeException e) {
      reply = CompletableFuture.failedFuture(e);
    }
    // Success needs no attention: apply has answered already.
    var _ =
        reply.whenComplete(
            (answer, thrown) -> {
              Throwable error =
                  thrown != null ? thrown : answer.isSuccess() ? null : answer.getException();
              pending.remove(callId);
              if (error != null) {
                write.failed(errors.ofWrite(error, write.mayBeInLog()));
              } else if (!answer.isSuccess()) {
                write.failed(errors.ofWrite(new IOException("no reason given"), true));
              }
            });
  }

  @Override
  public <T extends @Nullable Object> T read(Function<MetadataView, T> read, Deadline deadline) {
    // A follower would forward to the leader; only the leader may answer for its soft state.
    DivisionInfo info = division.getInfo();
    if (!info.isLeader()) {
      throw errors.notLeader(nameOf(info.getLeaderId()));
    }
    LocalRead<T> message = new LocalRead<>(read);
    RaftClientRequest request =
        request(callIds.incrementAndGet())
            .setMessage(message)
            .setType(RaftClientRequest.readRequestType())
            .build();
    try {
      RaftClientReply reply =
          submitter
              .submitClientRequestAsync(request)
              .get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
      if (!reply.isSuccess()) {
        throw errors.ofRead(
            reply.getException() == null
                ? new IOException("no reason given")
                : reply.getException());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FloeException(ErrorCode.CANCELLED, "the read was interrupted", e);
    } catch (ExecutionException | IOException e) {
      throw errors.ofRead(e);
    } catch (TimeoutException e) {
      throw new FloeException(
          ErrorCode.UNAVAILABLE,
          "master " + options.node() + " could not confirm that it leads within the deadline",
          e);
    }
    return outcome(message);
  }

  private <T extends @Nullable Object> T outcome(LocalRead<T> message) {
    LocalRead.Outcome<T> outcome = message.outcome();
    if (outcome == null) {
      throw new IllegalStateException("a successful read was not executed");
    }
    return switch (outcome) {
      case LocalRead.Outcome.Value<T> value -> value.value();
      case LocalRead.Outcome.Thrown<T> thrown -> throw sneaky(thrown.error());
    };
  }

  private static RuntimeException sneaky(Throwable error) {
    if (error instanceof Error e) {
      throw e;
    }
    return (RuntimeException) error;
  }

  private RaftClientRequest.Builder request(long callId) {
    return RaftClientRequest.newBuilder()
        .setClientId(clientId)
        .setServerId(server.getId())
        .setGroupId(groupId)
        .setCallId(callId);
  }

  @Override
  public MetadataView localView() {
    return machine.state();
  }

  @Override
  public AppliedDigest localDigest() {
    return machine.digest();
  }

  @Override
  public Leadership leadership() {
    DivisionInfo info = division.getInfo();
    String leader = nameOf(info.getLeaderId());
    return new Leadership(
        info.getCurrentTerm(),
        info.isLeader() && info.isLeaderReady(),
        leader,
        leader == null ? null : members.endpointOf(leader));
  }

  @Override
  public List<Member> members() {
    DivisionInfo info = division.getInfo();
    boolean isLeader = info.isLeader();
    String leader = nameOf(info.getLeaderId());
    Map<String, Long> committed =
        isLeader
            ? division.getCommitInfos().stream()
                .collect(
                    Collectors.toMap(
                        c -> c.getServer().getId().toStringUtf8(),
                        CommitInfoProto::getCommitIndex,
                        Math::max))
            : Map.of();
    Map<String, Long> silent = silentMillis(info);
    List<Member> known = new ArrayList<>();
    for (String node : membership().nodes()) {
      Long index =
          node.equals(options.node())
              ? Long.valueOf(machine.state().appliedIndex())
              : committed.get(node);
      known.add(
          new Member(
              node,
              Objects.requireNonNullElse(members.endpointOf(node), "unknown"),
              node.equals(leader),
              index,
              silent.get(node)));
    }
    return known;
  }

  /// How long each follower has not answered; empty unless this node leads.
  private static Map<String, Long> silentMillis(DivisionInfo info) {
    Map<String, Long> silent = new HashMap<>();
    for (ServerRpcProto follower : info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList()) {
      silent.put(
          follower.getId().getId().toStringUtf8(), Math.max(0, follower.getLastRpcElapsedTimeMs()));
    }
    return silent;
  }

  private static @Nullable String nameOf(@Nullable RaftPeerId id) {
    return id == null ? null : id.toString();
  }

  @Override
  public void onLeadership(LeadershipListener listener) {
    relay.listen(listener);
  }

  @Override
  public void requestSnapshot() {
    snapshots.request();
  }

  @Override
  public long snapshotIndex() {
    return machine.getStateMachineStorage().latestIndex();
  }

  @Override
  public long logStartIndex() {
    return division.getRaftLog().getStartIndex();
  }

  /// For what only Ratis can do.
  RaftServer server() {
    return server;
  }

  @Override
  public boolean transferLeadership(String toNode, Deadline deadline) {
    TransferLeadershipRequest request =
        new TransferLeadershipRequest(
            clientId,
            server.getId(),
            groupId,
            callIds.incrementAndGet(),
            RaftPeerId.valueOf(toNode),
            deadline.remainingMillis());
    try {
      return server
          .transferLeadershipAsync(request)
          .get(deadline.remainingNanos(), TimeUnit.NANOSECONDS)
          .isSuccess();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FloeException(ErrorCode.CANCELLED, "the transfer was interrupted", e);
    } catch (ExecutionException | IOException | TimeoutException e) {
      LOG.info("{}: the lead did not go to {}: {}", options.node(), toNode, e.toString());
      return false;
    }
  }

  @Override
  public Membership membership() {
    return members.now();
  }

  @Override
  public boolean isCommitted(Membership membership) {
    return members.isCommitted(membership);
  }

  @Override
  public boolean addMaster(Membership expected, MasterAddress added, Deadline deadline) {
    return members.add(expected, added, deadline);
  }

  @Override
  public boolean removeMaster(Membership expected, String node, Deadline deadline) {
    return members.remove(expected, node, deadline);
  }

  /// Lets Ratis see the newest snapshot and purge behind it.
  void purge() {
    if (isClosed.get()) {
      return;
    }
    SnapshotManagementRequest request =
        SnapshotManagementRequest.newCreate(
            clientId, server.getId(), groupId, callIds.incrementAndGet(), 3000, 1);
    var _ =
        server
            .snapshotManagementAsync(request)
            .exceptionally(
                e -> {
                  LOG.warn("{}: the log could not be purged; retried next time", options.node(), e);
                  return null;
                });
  }

  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    machine.expectClose();
    relay.notLeader();
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("{}: closing Ratis failed", options.node(), e);
    }
    snapshots.close();
    relay.close();
    FloeException closed =
        new FloeException(
            ErrorCode.UNKNOWN_OUTCOME, "master " + options.node() + " stopped meanwhile");
    pending.values().forEach(write -> write.failed(closed));
    pending.clear();
  }

  /// What a log works with.
  record Parts(
      RatisOptions options,
      StateFormat format,
      MetadataStateMachine machine,
      SnapshotWorker snapshots,
      LeadershipRelay relay,
      ClientId clientId,
      ConcurrentHashMap<Long, LocalWrite> pending) {}
}
