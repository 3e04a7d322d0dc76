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
import org.jspecify.annotations.Nullable;

/// The random name of a data directory, drawn once and kept in it, and how many processes have
/// started on it.
///
/// Durable state: the file `floe-directory.id`, three lines of text, `format=2`, `name=UUID` and
/// `starts=NUMBER`; format 1 had no third line. Who holds the directory locked and says its name
/// proves that no other process has it: so a process that died and was started again on its
/// directory is told from a stranger with the same node id, and by the number of its start from a
/// message that its dead predecessor had sent. A copied directory has the same name; two processes
/// on two copies are told apart only as far as their numbers differ.
public final class DirectoryName {
  /// The file that keeps name and number.
  public static final String FILE = "floe-directory.id";

  private static final Pattern CONTENT =
      Pattern.compile(
          "format=[12]\nname=([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\n"
              + "(?:starts=([0-9]{1,18})\n)?");

  private DirectoryName() {}

  /// A start on a directory.
  ///
  /// @param number counts the starts from 1; each process has a larger one than all before it
  public record Start(UUID name, long number) {}

  /// Counts a start of the process that holds the directory; draws the directory's name when it has
  /// none yet. Name and number are durable when this returns.
  ///
  /// @throws FloeException `CORRUPT` when the file is not what was written, `DIRECTORY_UNUSABLE` or
  ///     `IO_ERROR` when it cannot be read or written
  public static Start begin(NodeDirectory directory, RandomGenerator random) {
    Path file = directory.resolve(FILE);
    Start before = read(file);
    Start now =
        before == null
            ? new Start(new UUID(random.nextLong(), random.nextLong()), 1)
            : new Start(before.name(), before.number() + 1);
    String content = "format=2\nname=" + now.name() + "\nstarts=" + now.number() + "\n";
    AtomicFile.write(file, content.getBytes(StandardCharsets.UTF_8));
    return now;
  }

  private static @Nullable Start read(Path file) {
    try {
      return decode(new String(Files.readAllBytes(file), StandardCharsets.UTF_8), file);
    } catch (NoSuchFileException e) {
      return null;
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

  private static Start decode(String content, Path file) {
    Matcher matcher = CONTENT.matcher(content);
    boolean isWhole =
        matcher.matches() && content.startsWith("format=2") == (matcher.group(2) != null);
    if (!isWhole) {
      throw new FloeException(
          ErrorCode.CORRUPT,
          file
              + " is damaged: it is not the three lines format=2, name=UUID and starts=NUMBER; delete"
              + " it: the node then counts as a new one and joins as soon as the lease of its earlier"
              + " process has ended");
    }
    String starts = matcher.group(2);
    return new Start(
        UUID.fromString(matcher.group(1)), starts == null ? 0 : Long.parseLong(starts));
  }
}
