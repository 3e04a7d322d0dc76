package dev.floe.core.file;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The random name of a data directory, drawn once and kept in it.
///
/// Durable state: the file `floe-directory.id`, two lines of text, `format=1` and `name=UUID`. Who
/// holds the directory locked and says its name proves that no other process has it: so a process
/// that died and was started again on its directory is told from a stranger with the same node id.
/// A copied directory has the same name; two processes on two copies are not told apart.
public final class DirectoryName {
  /// The file that keeps the name.
  public static final String FILE = "floe-directory.id";

  private static final Pattern CONTENT =
      Pattern.compile(
          "format=1\nname=([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\n");

  private DirectoryName() {}

  /// The directory's name; draws one and makes it durable when there is none yet.
  ///
  /// @throws FloeException `CORRUPT` when the file is not what was written, `DIRECTORY_UNUSABLE` or
  ///     `IO_ERROR` when it cannot be read or written
  public static UUID of(NodeDirectory directory, RandomGenerator random) {
    Path file = directory.resolve(FILE);
    try {
      return decode(new String(Files.readAllBytes(file), StandardCharsets.UTF_8), file);
    } catch (NoSuchFileException e) {
      UUID drawn = new UUID(random.nextLong(), random.nextLong());
      AtomicFile.write(file, ("format=1\nname=" + drawn + "\n").getBytes(StandardCharsets.UTF_8));
      return drawn;
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.DIRECTORY_UNUSABLE,
          "the name of the directory cannot be read from "
              + file
              + ": "
              + IoReason.of(e)
              + "; check its owner and permissions",
          e);
    }
  }

  private static UUID decode(String content, Path file) {
    Matcher matcher = CONTENT.matcher(content);
    if (!matcher.matches()) {
      throw new FloeException(
          ErrorCode.CORRUPT,
          file
              + " is damaged: it is not the two lines format=1 and name=UUID; delete it: the node"
              + " then counts as a new one and joins as soon as the lease of its earlier process"
              + " has ended");
    }
    return UUID.fromString(matcher.group(1));
  }
}
