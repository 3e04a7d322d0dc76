package dev.floe.meta.rpc;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.state.MetadataView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cuts the runtimes and segments of a cluster into pages: first all runtimes by id, then all
/// segments by number. Pure; nothing is remembered between pages, so what comes or goes meanwhile
/// may be missed, and what stays is seen exactly once.
///
/// A page token is `r:ID` or `s:NUMBER`, the last one of the page before.
final class ClusterPages {
  private static final String AFTER_RUNTIME = "r:";
  private static final String AFTER_SEGMENT = "s:";
  private static final long ITEM_BYTES = 256;
  private static final long BYTES_PER_CHAR_MAX = 3;

  private final List<RuntimeRecord> runtimes = new ArrayList<>();
  private final List<SegmentUsage> segments = new ArrayList<>();
  private long bytes;
  private String last = "";

  private ClusterPages() {}

  /// @param nextToken empty on the last page
  record Page(List<RuntimeRecord> runtimes, List<SegmentUsage> segments, String nextToken) {}

  /// The page after the one with this token.
  ///
  /// @throws FloeException `INVALID_ARGUMENT` when it is no token
  static Page after(String token, MetadataView view) {
    return new ClusterPages().fill(token, view);
  }

  private Page fill(String token, MetadataView view) {
    if (!token.startsWith(AFTER_SEGMENT)) {
      RuntimeId after = token.isEmpty() ? null : runtimeOf(token);
      for (RuntimeRecord runtime : view.runtimes()) {
        if (after != null && runtime.id().compareTo(after) <= 0) {
          continue;
        }
        if (!fits(bytesOf(runtime))) {
          return new Page(runtimes, segments, last);
        }
        runtimes.add(runtime);
        last = AFTER_RUNTIME + runtime.id();
      }
    }
    long after = token.startsWith(AFTER_SEGMENT) ? segmentOf(token) : Long.MIN_VALUE;
    List<SegmentUsage> byNumber = new ArrayList<>(view.segments());
    byNumber.sort(Comparator.comparingLong(usage -> usage.segment().id().value()));
    for (SegmentUsage usage : byNumber) {
      if (usage.segment().id().value() <= after) {
        continue;
      }
      if (!fits(usage.segment().name().length() * BYTES_PER_CHAR_MAX)) {
        return new Page(runtimes, segments, last);
      }
      segments.add(usage);
      last = AFTER_SEGMENT + usage.segment().id().value();
    }
    return new Page(runtimes, segments, "");
  }

  /// Counts one more, if there is room for it or nothing else is on the page.
  private boolean fits(long textBytes) {
    int count = runtimes.size() + segments.size();
    long more = ITEM_BYTES + textBytes;
    if (count == Limits.CLUSTER_PAGE_MAX
        || (count > 0 && bytes + more > Limits.CLUSTER_PAGE_BYTES_MAX)) {
      return false;
    }
    bytes += more;
    return true;
  }

  private static long bytesOf(RuntimeRecord runtime) {
    long chars = runtime.dataEndpoint().host().length();
    for (var label : runtime.labels().entrySet()) {
      chars += label.getKey().length() + label.getValue().length() + 4;
    }
    return chars * BYTES_PER_CHAR_MAX;
  }

  private static RuntimeId runtimeOf(String token) {
    if (!token.startsWith(AFTER_RUNTIME)) {
      throw noToken(token, null);
    }
    try {
      return new RuntimeId(token.substring(AFTER_RUNTIME.length()));
    } catch (FloeException e) {
      throw noToken(token, e);
    }
  }

  private static long segmentOf(String token) {
    try {
      return Long.parseLong(token.substring(AFTER_SEGMENT.length()));
    } catch (NumberFormatException e) {
      throw noToken(token, e);
    }
  }

  private static FloeException noToken(String token, @Nullable Exception cause) {
    return new FloeException(
        ErrorCode.INVALID_ARGUMENT,
        "'" + token + "' is not a page token; pass the one of the page before, or none",
        cause);
  }
}
