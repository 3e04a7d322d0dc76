package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ClusterCommand;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.Lifetime;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.ProgressBar;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Printable;
import dev.floe.store.client.PutOptions;
import dev.floe.store.client.PutResult;
import dev.floe.store.client.value.ValueSource;
import dev.floe.store.config.ByteSize;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `floe put`: stores a file, or what comes on standard input.
///
/// A pipe has no size that is known beforehand, so its bytes go to a temporary file first. One that
/// is named has to end by the timeout, standard input may take longer.
@Command(
    name = "put",
    description = "Store a file under a key that has no value yet, or --replace the one it has.",
    footer = {
      "",
      "Examples:",
      "  floe put model/layer-0 layer-0.bin --replicas 2",
      "  floe put model/layer-0 layer-0.bin --replace --soft-pin 30m --group model",
      "  tar c docs | floe put backup/docs.tar -"
    })
public final class PutCommand extends ClusterCommand {
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(index = "0", paramLabel = "KEY", description = "Its name.")
  private String key = "";

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "The file; - is standard input, which may take longer than --timeout.")
  private String file = "";

  @Option(
      names = {"-r", "--replicas"},
      paramLabel = "N",
      defaultValue = "1",
      description = "Copies on different stores, 1 to 8 (1).")
  private int replicas = 1;

  @Mixin private final WriteChoice choice = new WriteChoice();

  public PutCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal, clients, ticker);
  }

  @Override
  protected int run() throws IOException {
    ObjectKey objectKey = Keys.of(key);
    ClientConfig config = config();
    PutOptions plain = PutOptions.replicas(replicas).withWrite(choice.options());
    try (Lifetime lifetime = new Lifetime(terminal())) {
      Deadline deadline = deadline(config);
      InputFile input = InputFile.open(file, terminal().in(), deadline);
      FileChannel channel = lifetime.own(input.channel());
      long size = channel.size();
      PutOptions options =
          config
              .transferTimeout()
              .map(given -> input.isWaitedFor() ? rest(deadline) : given)
              .map(plain::withTimeout)
              .orElse(plain);
      ClusterAccess session = lifetime.own(clients().cluster(config));
      long start = ticker().nanos();
      PutResult.Present result;
      try (ProgressBar bar = new ProgressBar(terminal(), ticker(), "put " + key, size)) {
        result =
            session
                .objects()
                .put(
                    objectKey.value(),
                    new ProgressSource(ValueSource.of(channel, 0, size), bar),
                    options);
      }
      report(result, ticker().nanos() - start);
    }
    return ExitCodes.OK;
  }

  private static Duration rest(Deadline deadline) {
    return Duration.ofMillis(Math.max(1, deadline.remainingMillis()));
  }

  private void report(PutResult.Present result, long nanos) {
    switch (result) {
      case PutResult.AlreadyExists old ->
          throw new FloeException(
              ErrorCode.ALREADY_EXISTS, "'" + old.key() + "' has a value already, which stays");
      case PutResult.Stored stored -> {
        if (stored.replicas() < replicas) {
          terminal()
              .err()
              .println(
                  "floe: only "
                      + stored.replicas()
                      + " of "
                      + replicas
                      + " copies could be made; 'floe status' shows which stores have room");
        }
        terminal()
            .out()
            .print(
                switch (output.format()) {
                  case JSON -> Json.write(asJson(stored, nanos));
                  case TABLE -> asText(stored, nanos);
                });
      }
    }
  }

  private static String asText(PutResult.Stored stored, long nanos) {
    return String.format(
        Locale.ROOT,
        "stored %s: %s, crc32c:%08x, %d %s, %s/s%n",
        Printable.of(stored.key().value()),
        ByteSize.rounded(stored.sizeBytes()),
        stored.checksum(),
        stored.replicas(),
        stored.replicas() == 1 ? "copy" : "copies",
        ByteSize.rounded(perSecond(stored.sizeBytes(), nanos)));
  }

  private static Map<String, Object> asJson(PutResult.Stored stored, long nanos) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", stored.key().value());
    fields.put("sizeBytes", stored.sizeBytes());
    fields.put("crc32c", String.format(Locale.ROOT, "%08x", stored.checksum()));
    fields.put("version", stored.version().toString());
    fields.put("replicas", stored.replicas());
    fields.put("millis", nanos / 1_000_000);
    return fields;
  }

  static long perSecond(long bytes, long nanos) {
    return nanos <= 0 ? 0 : (long) (bytes * 1e9 / nanos);
  }
}
