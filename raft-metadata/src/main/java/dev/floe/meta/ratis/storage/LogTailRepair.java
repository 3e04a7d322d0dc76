package dev.floe.meta.ratis.storage;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import dev.floe.core.probe.Probe;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks at a Raft log before Ratis opens it and cuts off what was not written completely at the
/// end of the open segment.
///
/// Ratis writes records into space that was allocated ahead and filled with zeros. When the machine
/// stops in the middle of a write, blocks of it are missing; the record fails its checksum, and
/// Ratis, told to be strict, refuses to start. A block that is missing was never forced, and then
/// nothing behind it was: nothing of it was acknowledged, so all of it may go; its bytes are kept in
/// a file beside. Everything else that is wrong is damage: the log is left as it is and the start is
/// refused, because a master that forgets entries it acknowledged can undo a committed write. What
/// is left is forced to the medium before Ratis counts on it.
public final class LogTailRepair {
  private static final Logger LOG = LoggerFactory.getLogger(LogTailRepair.class);
  private static final String ADVICE =
      "; stop this master, keep its directory for analysis, and add it again with an empty"
          + " directory and a new master id: it will fetch everything from the others";

  private final Path current;
  private final int entryBytesMax;

  /// @param groupDirectory the folder of the Raft group
  /// @param entryBytesMax the largest entry that Ratis is configured to accept
  public LogTailRepair(Path groupDirectory, int entryBytesMax) {
    this.current = groupDirectory.resolve("current");
    this.entryBytesMax = entryBytesMax;
  }

  /// Checks, repairs and makes the log durable; nothing to do when there is no log yet.
  ///
  /// @return what was cut
  /// @throws FloeException `CORRUPT` naming file and offset when the log is damaged, `IO_ERROR`
  ///     when it cannot be read or cut
  public List<Cut> run() {
    if (!Files.isDirectory(current)) {
      return List.of();
    }
    try {
      checkVote();
      List<Cut> cuts = new ArrayList<>();
      for (Path segment : DirectoryListing.of(current, "log_inprogress_*")) {
        inspect(segment, cuts);
      }
      forceLog();
      return cuts;
    } catch (IOException e) {
      throw new FloeException(
          ErrorCode.IO_ERROR,
          "the Raft log in " + current + " cannot be checked: " + IoReason.of(e),
          e);
    }
  }

  /// The file that remembers term and vote: without it this master could vote twice in a term.
  private void checkVote() throws IOException {
    Path meta = current.resolve("raft-meta");
    if (!Files.exists(meta)) {
      if (!DirectoryListing.of(current, "log_*").isEmpty()) {
        throw corrupt(meta, 0, "it is missing though there is a log");
      }
      return;
    }
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(meta)) {
      properties.load(reader);
    } catch (IllegalArgumentException e) {
      throw corrupt(meta, 0, "it is not readable");
    }
    String term = properties.getProperty("term", "");
    if (!term.matches("[0-9]{1,19}") || properties.getProperty("votedFor") == null) {
      throw corrupt(meta, 0, "it does not name term and vote (" + Files.size(meta) + " bytes)");
    }
  }

  private void inspect(Path segment, List<Cut> cuts) throws IOException {
    switch (SegmentScan.scan(Files.readAllBytes(segment), entryBytesMax)) {
      case SegmentScan.Verdict.Intact intact ->
          LOG.debug("{}: {} valid records", segment, intact.records());
      case SegmentScan.Verdict.Torn torn -> cuts.add(cut(segment, torn));
      case SegmentScan.Verdict.Damaged damaged ->
          throw corrupt(segment, damaged.offset(), damaged.why());
    }
  }

  /// Ratis takes what it reads for durable. After a killed process that is not so: what was written
  /// and not forced is still in the page cache, and a later loss of power would take entries that
  /// were acknowledged meanwhile.
  private void forceLog() throws IOException {
    for (Path segment : DirectoryListing.of(current, "log_*")) {
      try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
    SnapshotFiles.forceDirectory(current);
  }

  private Cut cut(Path segment, SegmentScan.Verdict.Torn torn) throws IOException {
    Path kept = current.resolve("torn." + segment.getFileName() + "." + torn.offset());
    try (FileChannel in =
            FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel out =
            FileChannel.open(
                kept,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
      for (long done = 0; done < torn.length(); ) {
        done += in.transferTo(torn.offset() + done, torn.length() - done, out);
      }
      out.force(true);
      in.truncate(torn.offset());
      in.force(true);
    }
    SnapshotFiles.forceDirectory(current);
    Probe.sometimes("log.torn-tail-cut");
    LOG.warn(
        "{}: what was written last, from offset {}, is there in part as the machine stopped; cut it"
            + " off and kept its {} bytes in {}",
        segment,
        torn.offset(),
        torn.length(),
        kept.getFileName());
    return new Cut(segment, torn.offset(), torn.length(), kept);
  }

  private static FloeException corrupt(Path file, long offset, String why) {
    return new FloeException(
        ErrorCode.CORRUPT, file + " is damaged at offset " + offset + ": " + why + ADVICE);
  }

  /// What was cut off.
  ///
  /// @param kept the file that now holds its bytes
  public record Cut(Path segment, long offset, long length, Path kept) {}
}
