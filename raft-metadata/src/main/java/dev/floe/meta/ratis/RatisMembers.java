package dev.floe.meta.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.meta.log.MasterAddress;
import dev.floe.meta.log.Membership;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.protocol.exceptions.SetConfigurationException;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/// Who takes part in the Raft group, and changes of it, one master at a time.
///
/// Ratis compares the members with the expected ones and writes the new configuration to the log in
/// one step. Safe for many threads.
final class RatisMembers {
  private final RatisMetaLog.Parts parts;
  private final RaftServer server;
  private final RaftServer.Division division;
  private final LongSupplier callIds;

  RatisMembers(
      RatisMetaLog.Parts parts,
      RaftServer server,
      RaftServer.Division division,
      LongSupplier callIds) {
    this.parts = parts;
    this.server = server;
    this.division = division;
    this.callIds = callIds;
  }

  /// A master as Ratis knows it: others learn from the log where clients reach it.
  static RaftPeer raftPeer(RatisPeer peer) {
    return RaftPeer.newBuilder()
        .setId(peer.node())
        .setAddress(peer.raftEndpoint().toString())
        .setClientAddress(peer.rpcEndpoint().toString())
        .build();
  }

  private Collection<RaftPeer> peers() {
    return division.getRaftConf().getCurrentPeers();
  }

  /// The newest configuration in this node's log.
  Membership now() {
    return membershipOf(peers());
  }

  boolean isCommitted(Membership membership) {
    RaftConfiguration newest = division.getRaftConf();
    return membershipOf(newest.getCurrentPeers()).equals(membership)
        && newest.getPreviousPeers().isEmpty()
        && newest.getLogEntryIndex() <= division.getRaftLog().getLastCommittedIndex();
  }

  private static Membership membershipOf(Collection<RaftPeer> peers) {
    return new Membership(peers.stream().map(peer -> peer.getId().toString()).toList());
  }

  /// Where clients reach a master; null when neither settings nor log know it.
  @Nullable String endpointOf(String node) {
    for (RatisPeer peer : parts.options().peers()) {
      if (peer.node().equals(node)) {
        return peer.rpcEndpoint().toString();
      }
    }
    return peers().stream()
        .filter(peer -> peer.getId().toString().equals(node))
        .map(RaftPeer::getClientAddress)
        .findFirst()
        .orElse(null);
  }

  boolean add(Membership expected, MasterAddress added, Deadline deadline) {
    List<RaftPeer> before = List.copyOf(peers());
    if (!membershipOf(before).equals(expected)) {
      return false;
    }
    if (expected.contains(added.node())) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, "master " + added.node() + " is a member already");
    }
    List<RaftPeer> after = new ArrayList<>(before);
    after.add(raftPeer(new RatisPeer(added.node(), added.raftEndpoint(), added.rpcEndpoint())));
    return change(before, after, deadline);
  }

  boolean remove(Membership expected, String node, Deadline deadline) {
    List<RaftPeer> before = List.copyOf(peers());
    if (!membershipOf(before).equals(expected)) {
      return false;
    }
    if (!expected.contains(node)) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "master " + node + " is none of the members " + expected.nodes());
    }
    if (node.equals(parts.options().node())) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          "master " + node + " leads or is the last one: hand the lead over, then remove it");
    }
    List<RaftPeer> after = new ArrayList<>(before);
    after.removeIf(peer -> peer.getId().toString().equals(node));
    return change(before, after, deadline);
  }

  private boolean change(List<RaftPeer> before, List<RaftPeer> after, Deadline deadline) {
    if (!division.getInfo().isLeader()) {
      throw new FloeException(
          ErrorCode.NOT_LEADER, "master " + parts.options().node() + " does not lead");
    }
    SetConfigurationRequest request =
        new SetConfigurationRequest(
            parts.clientId(),
            server.getId(),
            division.getMemberId().getGroupId(),
            callIds.getAsLong(),
            SetConfigurationRequest.Arguments.newBuilder()
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .setServersInCurrentConf(before)
                .setServersInNewConf(after)
                .build());
    try {
      RaftClientReply reply =
          server
              .setConfigurationAsync(request)
              .get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
      return reply.isSuccess() || isOther(before, reply.getException());
    } catch (ExecutionException e) {
      return isOther(before, e.getCause());
    } catch (IOException e) {
      return isOther(before, e);
    } catch (TimeoutException e) {
      throw unknown("it is not committed within the deadline", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown("waiting for it was interrupted", e);
    }
  }

  /// False when the change was refused because the members are others; all else is thrown.
  private boolean isOther(List<RaftPeer> before, @Nullable Throwable why) {
    return switch (why) {
      case SetConfigurationException e when !membershipOf(before).equals(now()) -> false;
      case SetConfigurationException e -> throw unchanged(e);
      case ReconfigurationInProgressException e -> throw unchanged(e);
      case ReconfigurationTimeoutException e -> throw unchanged(e);
      case LeaderNotReadyException e -> throw unchanged(e);
      case null -> throw unknown("no reason was given", null);
      default -> throw unknown(why.toString(), why);
    };
  }

  private static FloeException unchanged(Exception why) {
    return new FloeException(
        ErrorCode.UNAVAILABLE,
        "the members are as before, try again when the cluster is well: " + why.getMessage(),
        why);
  }

  private static FloeException unknown(String why, @Nullable Throwable cause) {
    return new FloeException(
        ErrorCode.UNKNOWN_OUTCOME,
        "the change of members may still come about, look at them again: " + why,
        cause);
  }
}
