package dev.floe.store.segment;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.lang.management.ManagementFactory;

/// How much memory a process may use for its segments.
///
/// @param physicalBytes of the machine or of the container's limit
/// @param heapMaxBytes what the Java heap may grow to
/// @param directMaxBytes what `-XX:MaxDirectMemorySize` allows outside the heap
public record MemoryBudget(long physicalBytes, long heapMaxBytes, long directMaxBytes) {
  /// The budget of this process.
  public static MemoryBudget ofThisProcess() {
    long heapMax = Runtime.getRuntime().maxMemory();
    long physical =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    HotSpotDiagnosticMXBean hotspot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long direct = Long.parseLong(hotspot.getVMOption("MaxDirectMemorySize").getValue());
    return new MemoryBudget(physical, heapMax, direct == 0 ? heapMax : direct);
  }

  /// Checks that segments of `askedBytes` in total fit.
  ///
  /// @param isDirect whether they count against `-XX:MaxDirectMemorySize`
  /// @throws FloeException `INVALID_CONFIG` naming what was asked, what there is, and what to change
  public void check(long askedBytes, boolean isDirect) {
    long free = Math.max(0, physicalBytes - heapMaxBytes);
    if (askedBytes > free) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "segments of "
              + askedBytes
              + " bytes asked, but "
              + free
              + " are available: "
              + physicalBytes
              + " of memory less "
              + heapMaxBytes
              + " of Java heap; make the segments smaller, lower -Xmx, or raise the memory limit");
    }
    if (isDirect && askedBytes > directMaxBytes) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "segments of "
              + askedBytes
              + " bytes asked, but -XX:MaxDirectMemorySize allows "
              + directMaxBytes
              + "; raise it above "
              + askedBytes
              + " or make the segments smaller");
    }
  }
}
