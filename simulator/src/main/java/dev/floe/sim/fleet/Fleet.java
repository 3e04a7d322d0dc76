package dev.floe.sim.fleet;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.log.MetaLog;
import dev.floe.meta.node.MasterNode;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.sim.explain.Roles;
import dev.floe.sim.member.MemberChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All processes of one run.
final class Fleet {
  private final List<MasterProcess> masters = new ArrayList<>();
  private final List<StoreProcess> stores = new ArrayList<>();
  private final List<ClientProcess> clients = new ArrayList<>();
  private final List<Endpoint> endpoints;
  private final MemberChange membership;

  Fleet(FleetWorld world) {
    FleetOptions.Size size = world.options().size();
    List<RatisPeer> peers = new ArrayList<>();
    for (int i = 1; i <= size.masters(); i++) {
      peers.add(MasterProcess.peer("m" + i));
    }
    ModelLogGroup model = new ModelLogGroup(world);
    for (RatisPeer peer : peers) {
      masters.add(new MasterProcess(peer.node(), world, peers, model));
    }
    if (world.options().log() == FleetOptions.LogKind.MODEL) {
      model.begin(masters);
    }
    membership = new MemberChange(world.simulation(), masters);
    endpoints = peers.stream().map(RatisPeer::rpcEndpoint).toList();
    for (int i = 1; i <= size.stores(); i++) {
      stores.add(new StoreProcess("s" + i, world, endpoints));
    }
    for (int i = 1; i <= size.clients(); i++) {
      clients.add(new ClientProcess("c" + i, world, endpoints));
    }
  }

  List<MasterProcess> masters() {
    return masters;
  }

  /// Changes of who the masters are.
  MemberChange membership() {
    return membership;
  }

  List<StoreProcess> stores() {
    return stores;
  }

  List<ClientProcess> clients() {
    return clients;
  }

  /// Masters, stores, clients.
  List<SimProcess> all() {
    List<SimProcess> all = new ArrayList<>(masters);
    all.addAll(stores);
    all.addAll(clients);
    return all;
  }

  List<String> names() {
    return all().stream().map(SimProcess::name).toList();
  }

  /// Where clients reach the masters.
  List<Endpoint> endpoints() {
    return endpoints;
  }

  /// The master that leads and serves by its own view; with two that think so, the first.
  @Nullable MasterProcess leaderOrNull() {
    return masters.stream().filter(MasterProcess::isLeader).findFirst().orElse(null);
  }

  /// The name of `leaderOrNull`, or nothing.
  String leaderName() {
    MasterProcess leader = leaderOrNull();
    return leader == null ? "" : leader.name();
  }

  /// Whether all masters run, have applied the same entries and one of them leads. The state moves
  /// on with every tick, so this holds between two.
  boolean isConverged() {
    List<MetaLog.AppliedDigest> digests = new ArrayList<>();
    for (MasterProcess master : masters) {
      MasterNode node = master.node();
      if (node == null) {
        return false;
      }
      digests.add(node.log().localDigest());
    }
    return digests.stream().distinct().count() == 1 && leaderOrNull() != null;
  }

  /// Who leads, follows or is down, by the masters' own view; takes no lock.
  String roles() {
    StringBuilder text = new StringBuilder();
    for (MasterProcess master : masters) {
      MasterNode node = master.node();
      MetaLog.Leadership role = node == null ? null : node.leadership();
      text.append(Roles.line(master.name(), role, master.isAlive()));
    }
    return text.toString();
  }

  /// Roles and progress, for a report.
  String describe() {
    StringBuilder text = new StringBuilder();
    for (MasterProcess master : masters) {
      MasterNode node = master.node();
      text.append(master.name())
          .append(' ')
          .append(node == null ? "down" : node.leadership() + " " + node.log().localDigest())
          .append('\n');
    }
    for (StoreProcess store : stores) {
      text.append(store.name())
          .append(store.isMounted() ? " mounted" : " not mounted")
          .append('\n');
    }
    return text.toString();
  }
}
