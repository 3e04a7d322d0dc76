package dev.floe.store.cli.object;

import dev.floe.core.error.Limits;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ClusterCommand;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Table;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `floe exist`: whether objects can be read; takes no lease on them.
@Command(
    name = "exist",
    description = "Tell whether objects can be read; exits with 1 when any of them cannot.",
    footer = {
      "",
      "Examples:",
      "  floe exist model/layer-0 model/layer-1",
      "  floe exist --leading chat/block-0 chat/block-1 chat/block-2"
    })
public final class ExistCommand extends ClusterCommand {
  @Mixin private final OutputOption output = new OutputOption();

  @Option(
      names = "--leading",
      description = "Print how many from the first on can be read, up to the first that cannot.")
  private boolean isLeading;

  @Parameters(arity = "1..*", paramLabel = "KEY", description = "The objects.")
  private List<String> keys = List.of();

  public ExistCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal, clients, ticker);
  }

  @Override
  protected int run() {
    List<ObjectKey> objectKeys = Keys.of(keys);
    ClientConfig config = config();
    List<Boolean> exist = new ArrayList<>();
    try (ClusterAccess cluster = clients().cluster(config)) {
      MetadataApi metadata = cluster.metadata();
      for (int from = 0; from < objectKeys.size(); from += Limits.BATCH_ITEMS_MAX) {
        int to = Math.min(objectKeys.size(), from + Limits.BATCH_ITEMS_MAX);
        exist.addAll(
            metadata.exist(
                config.tenant(), objectKeys.subList(from, to), ReadOptions.PEEK, deadline(config)));
      }
    }
    if (isLeading) {
      printLeading(exist);
      return exist.contains(false) ? ExitCodes.NOT_FOUND : ExitCodes.OK;
    }
    switch (output.format()) {
      case TABLE -> printTable(objectKeys, exist);
      case JSON -> printJson(objectKeys, exist);
    }
    return exist.contains(false) ? ExitCodes.NOT_FOUND : ExitCodes.OK;
  }

  private void printLeading(List<Boolean> exist) {
    int missing = exist.indexOf(false);
    int leading = missing < 0 ? exist.size() : missing;
    switch (output.format()) {
      case TABLE -> terminal().out().println(leading);
      case JSON -> terminal().out().print(Json.write(Map.of("leading", leading)));
    }
  }

  private void printTable(List<ObjectKey> objectKeys, List<Boolean> exist) {
    Table table = new Table("exists", "key");
    for (int i = 0; i < objectKeys.size(); i++) {
      table.row(exist.get(i) ? "yes" : "no", objectKeys.get(i));
    }
    terminal().out().print(table.render());
  }

  private void printJson(List<ObjectKey> objectKeys, List<Boolean> exist) {
    List<Map<String, Object>> items = new ArrayList<>();
    for (int i = 0; i < objectKeys.size(); i++) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("key", objectKeys.get(i).value());
      item.put("exists", exist.get(i));
      items.add(item);
    }
    terminal().out().print(Json.write(Map.of("objects", items)));
  }
}
