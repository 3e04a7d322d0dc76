package dev.floe.meta.ratis.storage;

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

  private static int records(Path open) throws IOException {
    return SegmentScan.scan(Files.readAllBytes(open), ENTRY_BYTES_MAX)
            instanceof SegmentScan.Verdict.Intact intact
        ? intact.records()
        : 0;
  }
}
