package dev.floe.store.cli.object;

import dev.floe.core.time.Ticker;
import dev.floe.meta.client.MetadataApi;
import dev.floe.meta.client.MetadataApi.ReadOptions;
import dev.floe.meta.client.MetadataApi.Resolution;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.Retention;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ClusterCommand;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Printable;
import dev.floe.store.cli.text.Table;
import dev.floe.store.config.ByteSize;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `floe stat`: what the masters know of an object; takes no lease on it.
@Command(
    name = "stat",
    description = "Show size, checksum and replicas of an object.",
    footer = {"", "Example:", "  floe stat model/layer-0"})
public final class StatCommand extends ClusterCommand {
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(paramLabel = "KEY", description = "The object.")
  private String key = "";

  public StatCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal, clients, ticker);
  }

  @Override
  protected int run() {
    ObjectKey objectKey = Keys.of(key);
    ClientConfig config = config();
    try (ClusterAccess cluster = clients().cluster(config)) {
      MetadataApi metadata = cluster.metadata();
      Resolution resolution =
          metadata
              .resolve(config.tenant(), List.of(objectKey), ReadOptions.PEEK, deadline(config))
              .getFirst();
      Resolution.Found found =
          switch (resolution) {
            case Resolution.Found readable -> readable;
            case Resolution.Missing missing -> throw missing.toException();
          };
      terminal()
          .out()
          .print(
              switch (output.format()) {
                case JSON -> Json.write(asJson(objectKey, config, found));
                case TABLE -> asText(objectKey, config, found);
              });
    }
    return ExitCodes.OK;
  }

  private static String asText(ObjectKey key, ClientConfig config, Resolution.Found found) {
    Table replicas = new Table("replica", "runtime", "endpoint", "segment", ">offset");
    for (ReplicaTarget target : found.replicas()) {
      switch (target.replica().location()) {
        case MemoryRange range ->
            replicas.row(
                target.replica().id(),
                range.runtime(),
                target.endpoint(),
                range.segment(),
                range.offsetBytes());
      }
    }
    return String.format(
            Locale.ROOT,
            "key       %s%ntenant    %s%nsize      %d (%s)%nchecksum  crc32c:%08x%nversion   %s%n%s%n",
            Printable.of(key.value()),
            Printable.of(config.tenant().value()),
            found.sizeBytes(),
            ByteSize.rounded(found.sizeBytes()),
            found.checksum(),
            found.version(),
            kept(found))
        + replicas.render();
  }

  /// Lines for what keeps the object, none for what does not.
  private static String kept(Resolution.Found found) {
    StringBuilder lines = new StringBuilder();
    if (found.content().dataType() != DataType.UNKNOWN) {
      lines.append(String.format("type      %s%n", found.content().dataType()));
    }
    Retention retention = found.retention();
    if (!retention.group().isEmpty()) {
      lines.append(String.format("group     %s%n", Printable.of(retention.group())));
    }
    if (retention.isHardPinned()) {
      lines.append(String.format("pin       hard%n"));
    } else if (retention.softPinnedUntilMillis() > 0) {
      lines.append(
          String.format(
              "pin       soft, until %s%n",
              Instant.ofEpochMilli(retention.softPinnedUntilMillis())));
    }
    return lines.toString();
  }

  private static Map<String, Object> asJson(
      ObjectKey key, ClientConfig config, Resolution.Found found) {
    List<Map<String, Object>> replicas = new ArrayList<>();
    for (ReplicaTarget target : found.replicas()) {
      Map<String, Object> replica = new LinkedHashMap<>();
      replica.put("id", target.replica().id());
      replica.put("status", target.replica().status().name());
      replica.put("endpoint", target.endpoint().toString());
      switch (target.replica().location()) {
        case MemoryRange range -> {
          replica.put("tier", "memory");
          replica.put("runtime", range.runtime().value());
          replica.put("segment", range.segment().value());
          replica.put("offsetBytes", range.offsetBytes());
          replica.put("lengthBytes", range.lengthBytes());
        }
      }
      replicas.add(replica);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", key.value());
    fields.put("tenant", config.tenant().value());
    fields.put("sizeBytes", found.sizeBytes());
    fields.put("crc32c", String.format(Locale.ROOT, "%08x", found.checksum()));
    fields.put("version", found.version().toString());
    fields.put("dataType", found.content().dataType().name());
    fields.put("group", found.retention().group());
    fields.put("hardPinned", found.retention().isHardPinned());
    fields.put("softPinnedUntilMillis", found.retention().softPinnedUntilMillis());
    fields.put("replicas", replicas);
    return fields;
  }
}
