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
import dev.floe.store.cli.shell.Terminal;
import dev.floe.store.cli.text.Json;
import dev.floe.store.cli.text.Printable;
import dev.floe.store.client.GetOptions;
import dev.floe.store.client.GetResult;
import dev.floe.store.client.value.ValueSink;
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
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `floe get`: reads a value into a file or to standard output.
///
/// A file appears, or is replaced, when all bytes are there and right; until then the bytes are in
/// a file beside it that is removed whatever happens. A symbolic link stays: its target is written,
/// also when there was none.
@Command(
    name = "get",
    description = "Read a value. A file is written whole or not at all.",
    footer = {
      "",
      "A symbolic link is followed, also to a file that is yet to be made.",
      "Without FILE the bytes go to standard output: check the exit code before you use them.",
      "",
      "Examples:",
      "  floe get model/layer-0 copy.bin",
      "  floe get backup/docs.tar | tar t"
    })
public final class GetCommand extends ClusterCommand {
  /// As many as Linux follows.
  private static final int LINKS_MAX = 40;

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
              isToOutput
                  ? ValueSink.of(terminal().out().bytes())
                  : openFile(lifetime, deadline(config)),
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

  private ValueSink openFile(Lifetime lifetime, Deadline deadline) throws IOException {
    Path path = LocalPath.of(file);
    if (Files.isDirectory(path)) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT, path + " is a directory; name a file in it");
    }
    if (!Files.exists(path)) {
      return newFile(Files.isSymbolicLink(path) ? targetOf(path) : path, path);
    }
    if (!Files.isWritable(path)) {
      throw new FloeException(ErrorCode.IO_ERROR, path + " cannot be written: no permission");
    }
    // A link stays a link; a pipe or device cannot be replaced and gets the bytes as they come.
    return Files.isRegularFile(path)
        ? newFile(path.toRealPath(), path)
        : ValueSink.of(lifetime.own(openPipe(path, deadline)));
  }

  /// A file that appears, or is replaced, as a whole; for that its folder has to take a new one.
  private static ValueSink newFile(Path path, Path named) {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new FloeException(
          ErrorCode.IO_ERROR, named + " cannot be written: there is no folder " + folder);
    }
    if (!Files.isWritable(folder)) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          named + " cannot be written: no permission to make files in " + folder);
    }
    return ValueSink.ofFile(path);
  }

  /// Where a link leads, link by link, though nothing is there.
  private static Path targetOf(Path link) throws IOException {
    Path path = link.toAbsolutePath();
    for (int i = 0; i < LINKS_MAX; i++) {
      if (!Files.isSymbolicLink(path)) {
        return path;
      }
      // The system goes through links of folders before it takes "..", so they are gone first.
      Path folder = Objects.requireNonNull(path.getParent(), "a link lies in a folder");
      path = folder.toRealPath().resolve(Files.readSymbolicLink(path));
    }
    throw new FloeException(
        ErrorCode.INVALID_ARGUMENT,
        link + " leads through more than " + LINKS_MAX + " links; name a file");
  }

  private static FileChannel openPipe(Path path, Deadline deadline) throws IOException {
    return BlockingCall.within(
        deadline,
        () -> FileChannel.open(path, StandardOpenOption.WRITE),
        () ->
            new FloeException(
                ErrorCode.DEADLINE_EXCEEDED, "nobody opened " + path + " to read from it"));
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
