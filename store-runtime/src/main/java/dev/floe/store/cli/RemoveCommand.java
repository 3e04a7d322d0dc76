package dev.floe.store.cli;

import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.config.ClientConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `floe rm`: removes objects, each on its own: one that cannot be removed does not keep the
/// others.
@Command(
    name = "rm",
    description = "Remove objects. All are tried; the exit code is that of the first that failed.",
    footer = {"", "Example:", "  floe rm model/layer-0 model/layer-1"})
final class RemoveCommand extends ClusterCommand {
  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = {"-f", "--force"},
      description = "Also while it is being read or written.")
  private boolean isForced;

  @Parameters(arity = "1..*", paramLabel = "KEY", description = "The objects.")
  private List<String> keys = List.of();

  RemoveCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal, clients, ticker);
  }

  @Override
  int run() {
    List<ObjectKey> objectKeys = Keys.of(keys);
    ClientConfig config = config();
    List<MetadataReply> replies = new ArrayList<>();
    try (MetadataApi metadata = clients().metadata(config)) {
      for (int from = 0; from < objectKeys.size(); from += Limits.BATCH_ITEMS_MAX) {
        int to = Math.min(objectKeys.size(), from + Limits.BATCH_ITEMS_MAX);
        List<MetadataCommand.Client> commands = new ArrayList<>();
        for (ObjectKey key : objectKeys.subList(from, to)) {
          commands.add(new MetadataCommand.Remove(new ObjectId(config.tenant(), key), isForced));
        }
        replies.addAll(metadata.submit(commands, deadline(config)));
      }
    }
    return report(objectKeys, replies);
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
