package dev.floe.meta.ratis.replication;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexReplyProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.GroupInfoRequest;
import org.apache.ratis.protocol.GroupListReply;
import org.apache.ratis.protocol.GroupListRequest;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.LeaderElectionManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DataStreamServerRpc;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.util.LifeCycle;

/// A server as its RPC sees it: entries and snapshots of others go through a `FollowerGate`,
/// everything else straight to the server.
final class GatedRaftServer implements RaftServer {
  private final RaftServer server;
  private final FollowerGate gate;

  GatedRaftServer(RaftServer server) {
    this.server = server;
    this.gate = new FollowerGate(server);
  }

  // --- through the gate ---

  @Override
  public CompletableFuture<AppendEntriesReplyProto> appendEntriesAsync(
      AppendEntriesRequestProto request) throws IOException {
    return gate.append(request);
  }

  @Override
  public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request)
      throws IOException {
    return gate.append(request).join();
  }

  @Override
  public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request)
      throws IOException {
    return gate.install(request);
  }

  // --- the rest of Raft ---

  @Override
  public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
    return gate.vote(request);
  }

  @Override
  public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
      throws IOException {
    return server.startLeaderElection(request);
  }

  @Override
  public CompletableFuture<ReadIndexReplyProto> readIndexAsync(ReadIndexRequestProto request)
      throws IOException {
    return server.readIndexAsync(request);
  }

  // --- clients and administration ---

  @Override
  public RaftClientReply submitClientRequest(RaftClientRequest request) throws IOException {
    return server.submitClientRequest(request);
  }

  @Override
  public CompletableFuture<RaftClientReply> submitClientRequestAsync(RaftClientRequest request)
      throws IOException {
    return server.submitClientRequestAsync(request);
  }

  @Override
  public GroupListReply getGroupList(GroupListRequest request) throws IOException {
    return server.getGroupList(request);
  }

  @Override
  public CompletableFuture<GroupListReply> getGroupListAsync(GroupListRequest request) {
    return server.getGroupListAsync(request);
  }

  @Override
  public GroupInfoReply getGroupInfo(GroupInfoRequest request) throws IOException {
    return server.getGroupInfo(request);
  }

  @Override
  public CompletableFuture<GroupInfoReply> getGroupInfoAsync(GroupInfoRequest request) {
    return server.getGroupInfoAsync(request);
  }

  @Override
  public RaftClientReply groupManagement(GroupManagementRequest request) throws IOException {
    return server.groupManagement(request);
  }

  @Override
  public CompletableFuture<RaftClientReply> groupManagementAsync(GroupManagementRequest request) {
    return server.groupManagementAsync(request);
  }

  @Override
  public RaftClientReply snapshotManagement(SnapshotManagementRequest request) throws IOException {
    return server.snapshotManagement(request);
  }

  @Override
  public CompletableFuture<RaftClientReply> snapshotManagementAsync(
      SnapshotManagementRequest request) {
    return server.snapshotManagementAsync(request);
  }

  @Override
  public RaftClientReply leaderElectionManagement(LeaderElectionManagementRequest request)
      throws IOException {
    return server.leaderElectionManagement(request);
  }

  @Override
  public CompletableFuture<RaftClientReply> leaderElectionManagementAsync(
      LeaderElectionManagementRequest request) {
    return server.leaderElectionManagementAsync(request);
  }

  @Override
  public RaftClientReply setConfiguration(SetConfigurationRequest request) throws IOException {
    return server.setConfiguration(request);
  }

  @Override
  public CompletableFuture<RaftClientReply> setConfigurationAsync(SetConfigurationRequest request)
      throws IOException {
    return server.setConfigurationAsync(request);
  }

  @Override
  public RaftClientReply transferLeadership(TransferLeadershipRequest request) throws IOException {
    return server.transferLeadership(request);
  }

  @Override
  public CompletableFuture<RaftClientReply> transferLeadershipAsync(
      TransferLeadershipRequest request) throws IOException {
    return server.transferLeadershipAsync(request);
  }

  // --- the server itself ---

  @Override
  public RaftPeerId getId() {
    return server.getId();
  }

  @Override
  public RaftPeer getPeer() {
    return server.getPeer();
  }

  @Override
  public Iterable<RaftGroupId> getGroupIds() {
    return server.getGroupIds();
  }

  @Override
  public Iterable<RaftGroup> getGroups() throws IOException {
    return server.getGroups();
  }

  @Override
  public Division getDivision(RaftGroupId group) throws IOException {
    return server.getDivision(group);
  }

  @Override
  public RaftProperties getProperties() {
    return server.getProperties();
  }

  @Override
  public RaftServerRpc getServerRpc() {
    return server.getServerRpc();
  }

  @Override
  public DataStreamServerRpc getDataStreamServerRpc() {
    return server.getDataStreamServerRpc();
  }

  @Override
  public ServerFactory getFactory() {
    return server.getFactory();
  }

  @Override
  public LifeCycle.State getLifeCycleState() {
    return server.getLifeCycleState();
  }

  @Override
  public void start() throws IOException {
    server.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
