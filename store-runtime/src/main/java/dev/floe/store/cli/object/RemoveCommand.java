package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.ListPage;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ClusterCommand;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `floe rm`: removes objects, each on its own: one that cannot be removed does not keep the
/// others.
@Command(
    name = "rm",
    header = "Remove objects.",
    description = {
      "One that was just read is tried again until --timeout. All are tried; the exit code is that",
      "of the first that failed."
    },
    footer = {
      "",
      "Examples:",
      "  floe rm model/layer-0 model/layer-1",
      "  floe rm --prefix model/"
    })
public final class RemoveCommand extends ClusterCommand {
  private static final long LEASE_PAUSE_MILLIS = 200;

  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = {"-f", "--force"},
      description = "Also while it is being read or written.")
  private boolean isForced;

  @Option(
      names = "--prefix",
      paramLabel = "P",
      description = "All objects whose key starts with P, in place of KEYs.")
  private String prefix = "";

  @Option(names = "--all", description = "All objects of the tenant, in place of KEYs.")
  private boolean isAll;

  @Parameters(arity = "0..*", paramLabel = "KEY", description = "The objects.")
  private List<String> keys = List.of();

  public RemoveCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal, clients, ticker);
  }

  @Override
  protected int run() throws InterruptedException {
    check();
    List<ObjectKey> objectKeys = Keys.of(keys).stream().distinct().toList();
    ClientConfig config = config();
    Removals removals = new Removals(terminal(), output.format());
    try (ClusterAccess cluster = clients().cluster(config)) {
      if (objectKeys.isEmpty()) {
        removeListed(cluster.metadata(), config, removals);
      } else {
        removals.add(objectKeys, remove(cluster.metadata(), config, objectKeys));
      }
    }
    return removals.end();
  }

  private void check() {
    int ways = (keys.isEmpty() ? 0 : 1) + (prefix.isEmpty() ? 0 : 1) + (isAll ? 1 : 0);
    if (ways != 1) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          (ways == 0 ? "nothing is named" : "objects are named in several ways")
              + "; give KEYs, or --prefix P for all that start with P, or --all");
    }
    if (!prefix.isEmpty()) {
      Keys.of(prefix);
    }
  }

  /// Page by page; what is put meanwhile behind the page that is removed goes too.
  private void removeListed(MetadataApi metadata, ClientConfig config, Removals removals)
      throws InterruptedException {
    String token = "";
    do {
      ListPage page =
          metadata.list(config.tenant(), prefix, token, Limits.LIST_PAGE_MAX, deadline(config));
      List<ObjectKey> found = page.entries().stream().map(ListPage.Entry::key).toList();
      if (!found.isEmpty()) {
        removals.add(found, remove(metadata, config, found));
      }
      token = page.nextPageToken();
    } while (!token.isEmpty());
  }

  private List<MetadataReply> remove(
      MetadataApi metadata, ClientConfig config, List<ObjectKey> objectKeys)
      throws InterruptedException {
    MetadataReply[] replies = new MetadataReply[objectKeys.size()];
    Deadline deadline = deadline(config);
    List<Integer> open = IntStream.range(0, replies.length).boxed().toList();
    while (!open.isEmpty()) {
      List<MetadataCommand.Client> commands = new ArrayList<>();
      open.forEach(
          i ->
              commands.add(
                  new MetadataCommand.Remove(
                      new ObjectId(config.tenant(), objectKeys.get(i)), isForced)));
      List<MetadataReply> answers = submit(metadata, commands, deadline);
      for (int i = 0; i < answers.size(); i++) {
        replies[open.get(i)] = answers.get(i);
      }
      open = open.stream().filter(i -> isLeased(replies[i])).toList();
      if (deadline.remainingMillis() <= LEASE_PAUSE_MILLIS) {
        break;
      }
      if (!open.isEmpty()) {
        Thread.sleep(LEASE_PAUSE_MILLIS);
      }
    }
    return List.of(replies);
  }

  /// In as many calls as the limit of a batch asks for.
  private static List<MetadataReply> submit(
      MetadataApi metadata, List<MetadataCommand.Client> commands, Deadline deadline) {
    List<MetadataReply> replies = new ArrayList<>();
    for (int from = 0; from < commands.size(); from += Limits.BATCH_ITEMS_MAX) {
      int to = Math.min(commands.size(), from + Limits.BATCH_ITEMS_MAX);
      replies.addAll(metadata.submit(commands.subList(from, to), deadline));
    }
    return replies;
  }

  /// Somebody read it a moment ago: that passes within seconds.
  private static boolean isLeased(MetadataReply reply) {
    return reply instanceof MetadataReply.Failed failed && failed.code() == ErrorCode.HAS_LEASE;
  }
}
