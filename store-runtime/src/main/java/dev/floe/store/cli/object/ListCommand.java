package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.ListPage;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ClusterCommand;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.OutputFormat;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Printable;
import dev.floe.store.config.ByteSize;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `floe ls`: what is stored, in the order of keys, page by page as it comes.
@Command(
    name = "ls",
    description = "List readable objects in the order of their keys.",
    footer = {"", "Example:", "  floe ls model/ --output json"})
public final class ListCommand extends ClusterCommand {
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "PREFIX",
      defaultValue = "",
      description = "List only keys that start with it.")
  private String prefix = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "List at most so many objects.",
      defaultValue = "9223372036854775807",
      showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER)
  private long limit = Long.MAX_VALUE;

  public ListCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal, clients, ticker);
  }

  @Override
  protected int run() {
    check();
    ClientConfig config = config();
    try (ClusterAccess cluster = clients().cluster(config)) {
      MetadataApi metadata = cluster.metadata();
      PrintStream out = terminal().out();
      boolean isJson = output.format() == OutputFormat.JSON;
      String separator = "\n  ";
      long left = limit;
      String token = "";
      do {
        int size = (int) Math.min(left, Limits.LIST_PAGE_MAX);
        ListPage page = metadata.list(config.tenant(), prefix, token, size, deadline(config));
        if (token.isEmpty()) {
          // Not before there is an answer: an error leaves the output empty.
          out.print(isJson ? "{\"objects\": [" : header());
        }
        for (ListPage.Entry entry : page.entries()) {
          if (isJson) {
            out.print(separator + Json.writeLine(asJson(entry)));
            separator = ",\n  ";
          } else {
            out.print(row(entry));
          }
        }
        left -= page.entries().size();
        token = page.nextPageToken();
      } while (left > 0 && !token.isEmpty() && !out.checkError());
      out.print(isJson ? "\n]}\n" : "");
    }
    return ExitCodes.OK;
  }

  private void check() {
    if (limit < 1) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, "--limit is " + limit + "; the least is 1");
    }
    if (!prefix.isEmpty()) {
      Keys.of(prefix);
    }
  }

  private static String header() {
    return String.format(Locale.ROOT, "%10s  %8s  %s%n", "size", "replicas", "key");
  }

  private static String row(ListPage.Entry entry) {
    return String.format(
        Locale.ROOT,
        "%10s  %8d  %s%n",
        ByteSize.rounded(entry.sizeBytes()),
        entry.replicas(),
        Printable.of(entry.key().value()));
  }

  private static Map<String, Object> asJson(ListPage.Entry entry) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", entry.key().value());
    fields.put("sizeBytes", entry.sizeBytes());
    fields.put("state", entry.state().name());
    fields.put("version", entry.version().toString());
    fields.put("replicas", entry.replicas());
    return fields;
  }
}
