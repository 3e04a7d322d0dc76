package dev.floe.meta.ratis.storage;

import dev.floe.core.probe.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// From which entry to which the segments of a Raft log reach, by their names and, for the open one,
/// by the records in it.
///
/// @param first the first entry; `NOTHING` when there is no segment
/// @param last the last one; below `first` when there is none
public record LogExtent(long first, long last) {
  /// What `first` is when there is no segment.
  public static final long NOTHING = Long.MAX_VALUE;

  private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");
  private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");
  private static final int ENTRY_BYTES_MAX = 1 << 30;

  /// Looks at a folder whose log was repaired and is not open.
  public static LogExtent of(Path logDirectory) throws IOException {
    long first = NOTHING;
    long last = -1;
    for (Path segment : DirectoryListing.of(logDirectory, "log_*")) {
      String name = segment.getFileName().toString();
      Matcher closed = CLOSED.matcher(name);
      Matcher open = OPEN.matcher(name);
      if (closed.matches()) {
        first = Math.min(first, Long.parseLong(closed.group(1)));
        last = Math.max(last, Long.parseLong(closed.group(2)));
      } else if (open.matches()) {
        long begin = Long.parseLong(open.group(1));
        first = Math.min(first, begin);
        last = Math.max(last, begin + records(segment) - 1);
      }
    }
    return new LogExtent(first, last);
  }

  /// Whether there is a log and it ends before an entry.
  ///
  /// A follower applies what others have made durable, and may snapshot it, before it is durable in its
  /// own log. After a loss of power its log ends before its snapshot, and Ratis 3.2.2 keeps the open
  /// segment, to which the next entry does not fit: the master would stay behind for ever.
  public boolean endsBefore(long index) {
    return first != NOTHING && last < index;
  }

  /// Removes the segments of a log that is not open; a snapshot has all that is in them. What a loss
  /// of power leaves of it is again a log that ends before the snapshot, or none.
  public static void drop(Path logDirectory) throws IOException {
    Probe.sometimes("log.dropped-as-it-ends-before-the-snapshot");
    for (Path segment : DirectoryListing.of(logDirectory, "log_*")) {
      String name = segment.getFileName().toString();
      if (CLOSED.matcher(name).matches() || OPEN.matcher(name).matches()) {
        Files.delete(segment);
      }
    }
    SnapshotFiles.forceDirectory(logDirectory);
  }

  private static int records(Path open) throws IOException {
    return SegmentScan.scan(Files.readAllBytes(open), ENTRY_BYTES_MAX)
            instanceof SegmentScan.Verdict.Intact intact
        ? intact.records()
        : 0;
  }
}
