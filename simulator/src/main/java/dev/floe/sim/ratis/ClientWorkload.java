package dev.floe.sim.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.peer.PeerPool;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.core.wire.Endpoint;
import dev.floe.core.wire.Transport;
import dev.floe.core.wire.WireOptions;
import dev.floe.core.wire.link.LinkTransport;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataClient;
import dev.floe.meta.client.RetryPolicy;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.TenantId;
import dev.floe.sim.wire.SimHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A client that writes, removes and looks at keys of its own through production's client, and
/// checks every answer against what it knows.
final class ClientWorkload {
  private static final int KEYS = 6;
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final World world;
  private final SimHost host;
  private final SplittableRandom random;
  private final int thinkMillis;
  private final List<KeyModel> keys = new ArrayList<>();
  private int answered;
  private int unknown;
  private int failed;
  private String current = "";

  ClientWorkload(World world, SimHost host, int thinkMillis) {
    this.world = world;
    this.host = host;
    this.thinkMillis = thinkMillis;
    this.random = world.simulation().seeds().stream("client " + host.name());
    for (int i = 0; i < KEYS; i++) {
      keys.add(new KeyModel(host.name() + "-k" + i));
    }
  }

  /// A client of the masters at a place in the network.
  static MetadataClient connect(World world, SimHost host, List<Endpoint> masters) {
    Ticker ticker = Ticker.system();
    PeerPool pool =
        new PeerPool(
            new LinkTransport(world.links().at(host), WireOptions.standard(ticker)),
            new Transport.Identity(World.CLUSTER, "client/" + host.name()),
            PeerPool.Options.standard(ticker));
    return new MetadataClient(
        masters,
        pool::call,
        ticker,
        world.simulation().seeds().stream("backoff " + host.name()),
        RetryPolicy.DEFAULT);
  }

  /// Runs so many operations. Does not close the client: closing could end the session of a write
  /// that the last check looks for.
  void run(List<Endpoint> masters, int operations) throws InterruptedException {
    MetadataClient client = connect(world, host, masters);
    for (int i = 0; i < operations; i++) {
      Thread.sleep(1 + random.nextInt(2 * thinkMillis));
      step(client);
      current = "";
    }
  }

  /// What it is at.
  String state() {
    return host.name()
        + " has "
        + (answered + unknown + failed)
        + " operations behind it"
        + (current.isEmpty() ? " and waits for its next turn" : ", and is at one on " + current);
  }

  private void step(MetadataApi client) {
    KeyModel key = keys.get(random.nextInt(KEYS));
    current = key.name();
    int choice = random.nextInt(10);
    switch (key.state()) {
      case ABSENT -> {
        if (choice == 0) {
          exist(client, key);
        } else if (choice == 1) {
          remove(client, key);
        } else if (choice < 4) {
          putStartSeveral(client);
        } else {
          putStart(client, key);
        }
      }
      case WRITING -> {
        if (choice == 0) {
          putStart(client, key);
        } else if (choice == 1) {
          putRevoke(client, key);
        } else {
          putEnd(client, key);
        }
      }
      case PRESENT -> {
        if (choice < 5) {
          exist(client, key);
        } else if (choice < 7) {
          putStart(client, key);
        } else {
          remove(client, key);
        }
      }
    }
  }

  private void putStart(MetadataApi client, KeyModel key) {
    submit(client, List.of(key), List.of(start(key)), (k, reply) -> k.putStartAnswered(reply));
  }

  private void putStartSeveral(MetadataApi client) {
    List<KeyModel> absent =
        keys.stream().filter(k -> k.state() == KeyModel.State.ABSENT).limit(3).toList();
    submit(
        client,
        absent,
        absent.stream().map(ClientWorkload::start).toList(),
        (k, reply) -> k.putStartAnswered(reply));
  }

  private static MetadataCommand.Client start(KeyModel key) {
    return new MetadataCommand.PutStart(
        ObjectId.of(key.name()), 4096, MetadataCommand.Placement.replicas(2));
  }

  private void putEnd(MetadataApi client, KeyModel key) {
    submit(
        client,
        List.of(key),
        List.of(new MetadataCommand.PutEnd(ObjectId.of(key.name()), key.tokens(), 1)),
        (k, reply) -> k.putEndAnswered(reply));
  }

  private void putRevoke(MetadataApi client, KeyModel key) {
    submit(
        client,
        List.of(key),
        List.of(new MetadataCommand.PutRevoke(ObjectId.of(key.name()), key.tokens())),
        (k, reply) -> k.putRevokeAnswered(reply));
  }

  private void remove(MetadataApi client, KeyModel key) {
    submit(
        client,
        List.of(key),
        List.of(new MetadataCommand.Remove(ObjectId.of(key.name()), false)),
        (k, reply) -> k.removeAnswered(reply));
  }

  private interface Answer {
    void to(KeyModel key, MetadataReply reply);
  }

  private void submit(
      MetadataApi client,
      List<KeyModel> models,
      List<MetadataCommand.Client> commands,
      Answer answer) {
    try {
      List<MetadataReply> replies = client.submit(commands, deadline());
      for (int i = 0; i < models.size(); i++) {
        answer.to(models.get(i), replies.get(i));
        answered++;
        world.simulation().message(host.name(), "reply", replies.get(i).toString().hashCode());
      }
    } catch (FloeException e) {
      world.simulation().event(host.name() + " " + e.code());
      if (e.code() == ErrorCode.UNKNOWN_OUTCOME) {
        unknown++;
        models.forEach(KeyModel::forget);
      } else if (e.code() == ErrorCode.UNAVAILABLE) {
        failed++;
      } else {
        throw new AssertionError("CLIENT: " + commands + " failed", e);
      }
    }
  }

  private void exist(MetadataApi client, KeyModel key) {
    try {
      boolean isThere =
          client
              .exist(
                  TenantId.DEFAULT,
                  List.of(new ObjectKey(key.name())),
                  MetadataApi.ReadOptions.PEEK,
                  deadline())
              .getFirst();
      key.existAnswered(isThere);
      answered++;
    } catch (FloeException e) {
      world.simulation().event(host.name() + " exist " + e.code());
      if (e.code() != ErrorCode.UNAVAILABLE) {
        throw new AssertionError("CLIENT: exist of " + key.name() + " failed", e);
      }
      failed++;
    }
  }

  private static Deadline deadline() {
    return Deadline.after(Ticker.system(), DEADLINE);
  }

  /// What it knows of its keys.
  List<KeyModel> keys() {
    return keys;
  }

  int answered() {
    return answered;
  }

  int unknown() {
    return unknown;
  }

  int failed() {
    return failed;
  }
}
