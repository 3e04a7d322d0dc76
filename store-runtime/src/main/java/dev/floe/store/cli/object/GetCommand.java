package dev.floe.store.cli.object;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.time.Ticker;
import dev.floe.meta.model.ObjectKey;
import dev.floe.store.cli.shell.Clients;
import dev.floe.store.cli.shell.ClusterCommand;
import dev.floe.store.cli.shell.ExitCodes;
import dev.floe.store.cli.shell.Lifetime;
import dev.floe.store.cli.shell.OutputOption;
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Printable;
import dev.floe.store.client.GetOptions;
import dev.floe.store.client.GetResult;
import dev.floe.store.client.ValueSink;
import dev.floe.store.config.ByteSize;
import dev.floe.store.config.ClientConfig;
import dev.floe.store.connect.ClusterAccess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `floe get`: reads a value into a file or to standard output.
///
/// A file appears, or is replaced, when all bytes are there and right; until then the bytes are in
/// a file beside it that is removed whatever happens.
@Command(
    name = "get",
    description = "Read a value. A file is written whole or not at all.",
    footer = {
      "",
      "Without FILE the bytes go to standard output: check the exit code before you use them.",
      "",
      "Examples:",
      "  floe get model/layer-0 copy.bin",
      "  floe get backup/docs.tar | tar t"
    })
public final class GetCommand extends ClusterCommand {
  @Mixin private final OutputOption output = new OutputOption();

  @Parameters(index = "0", paramLabel = "KEY", description = "The object.")
  private String key = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = "-",
      description = "Where to; - or nothing is standard output.")
  private String file = "-";

  public GetCommand(Terminal terminal, Clients clients, Ticker ticker) {
    super(terminal, clients, ticker);
  }

  @Override
  protected int run() throws IOException {
    ObjectKey objectKey = Keys.of(key);
    ClientConfig config = config();
    GetOptions plain = GetOptions.DEFAULT;
    GetOptions options = config.transferTimeout().map(plain::withTimeout).orElse(plain);
    try (Lifetime lifetime = new Lifetime(terminal())) {
      boolean isToOutput = file.equals("-");
      ProgressSink sink =
          new ProgressSink(
              isToOutput ? ValueSink.of(terminal().outBytes()) : openFile(lifetime),
              terminal(),
              ticker(),
              "get " + key);
      // Ctrl-C must not leave the unfinished file behind either.
      lifetime.own(sink::abort);
      ClusterAccess session = lifetime.own(clients().cluster(config));
      long start = ticker().nanos();
      GetResult.Loaded loaded = session.objects().get(objectKey.value(), sink, options);
      if (!isToOutput) {
        report(loaded, ticker().nanos() - start);
      }
    }
    return ExitCodes.OK;
  }

  private ValueSink openFile(Lifetime lifetime) throws IOException {
    Path path = LocalPath.of(file);
    if (Files.isDirectory(path)) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, path + " is a directory; name a file in it");
    }
    if (!Files.exists(path)) {
      Path folder = path.toAbsolutePath().getParent();
      if (folder == null || !Files.isDirectory(folder)) {
        throw new FloeException(
            ErrorCode.IO_ERROR, path + " cannot be written: there is no folder " + folder);
      }
      return ValueSink.ofFile(path);
    }
    if (!Files.isWritable(path)) {
      throw new FloeException(ErrorCode.IO_ERROR, path + " cannot be written: no permission");
    }
    // A link stays a link; a pipe or device cannot be replaced and gets the bytes as they come.
    return Files.isRegularFile(path)
        ? ValueSink.ofFile(path.toRealPath())
        : ValueSink.of(lifetime.own(FileChannel.open(path, StandardOpenOption.WRITE)));
  }

  private void report(GetResult.Loaded loaded, long nanos) {
    switch (output.format()) {
      case TABLE ->
          terminal()
              .out()
              .printf(
                  Locale.ROOT,
                  "read %s: %s, crc32c:%08x, %s/s%n",
                  Printable.of(loaded.key().value()),
                  ByteSize.rounded(loaded.sizeBytes()),
                  loaded.checksum(),
                  ByteSize.rounded(PutCommand.perSecond(loaded.sizeBytes(), nanos)));
      case JSON -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("key", loaded.key().value());
        fields.put("sizeBytes", loaded.sizeBytes());
        fields.put("crc32c", String.format(Locale.ROOT, "%08x", loaded.checksum()));
        fields.put("version", loaded.version().toString());
        fields.put("file", file);
        fields.put("millis", nanos / 1_000_000);
        terminal().out().print(Json.write(fields));
      }
    }
  }
}
