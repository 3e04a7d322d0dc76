package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ClusterCommand;
import dev.floe.store.cli.shell.ErrorLines;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.OutputFormat;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Printable;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    footer = {"", "Example:", "  floe rm model/layer-0 model/layer-1"})
public final class RemoveCommand extends ClusterCommand {
  private static final long LEASE_PAUSE_MILLIS = 200;

  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = {"-f", "--force"},
      description = "Also while it is being read or written.")
  private boolean isForced;

  @Parameters(arity = "1..*", paramLabel = "KEY", description = "The objects.")
  private List<String> keys = List.of();

  public RemoveCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal, clients, ticker);
  }

  @Override
  protected int run() throws InterruptedException {
    List<ObjectKey> objectKeys = Keys.of(keys).stream().distinct().toList();
    ClientConfig config = config();
    MetadataReply[] replies = new MetadataReply[objectKeys.size()];
    try (ClusterAccess cluster = clients().cluster(config)) {
      Deadline deadline = deadline(config);
      List<Integer> open = IntStream.range(0, replies.length).boxed().toList();
      while (!open.isEmpty()) {
        List<MetadataCommand.Client> commands = new ArrayList<>();
        open.forEach(
            i ->
                commands.add(
                    new MetadataCommand.Remove(
                        new ObjectId(config.tenant(), objectKeys.get(i)), isForced)));
        List<MetadataReply> answers = submit(cluster.metadata(), commands, deadline);
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
    }
    return report(objectKeys, List.of(replies));
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

  private int report(List<ObjectKey> objectKeys, List<MetadataReply> replies) {
    int code = ExitCodes.OK;
    List<Map<String, Object>> items = new ArrayList<>();
    for (int i = 0; i < objectKeys.size(); i++) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("key", objectKeys.get(i).value());
      items.add(item);
      boolean isRemoved = !(replies.get(i) instanceof MetadataReply.Failed);
      item.put("removed", isRemoved);
      if (replies.get(i) instanceof MetadataReply.Failed failed) {
        item.put("error", failed.code().name());
        item.put("message", failed.message());
        FloeException failure = failed.toException();
        ErrorLines.print(terminal(), failure);
        code = code == ExitCodes.OK ? ExitCodes.of(failure.code()) : code;
      } else if (output.format() == OutputFormat.TABLE) {
        terminal().out().println("removed " + Printable.of(objectKeys.get(i).value()));
      }
    }
    if (output.format() == OutputFormat.JSON) {
      terminal().out().print(Json.write(Map.of("objects", items)));
    }
    return code;
  }
}
