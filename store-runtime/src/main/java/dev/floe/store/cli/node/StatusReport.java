package dev.floe.store.cli.node;

import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.client.MetadataApi.ClusterView.Master;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.SegmentUsage;
import dev.floe.meta.state.MetadataView.Totals;
import dev.floe.store.cli.text.Table;
import dev.floe.store.config.ByteSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A cluster view as text and as JSON.
public final class StatusReport {
  /// Several heartbeats: a master that has not answered for so long is down or cut off.
  private static final long SILENT_MILLIS = 3000;

  private StatusReport() {}

  static boolean hasLeader(ClusterView view) {
    return leaderOf(view) != null;
  }

  private static @Nullable Master leaderOf(ClusterView view) {
    return view.masters().stream().filter(Master::isLeader).findFirst().orElse(null);
  }

  static String asText(ClusterView view) {
    Master leader = leaderOf(view);
    String head =
        String.format(
            Locale.ROOT,
            "cluster %s: %s, term %d, applied %d%s%n%n",
            view.cluster(),
            leader == null ? "NO LEADER" : "leader " + leader.node(),
            view.term(),
            view.appliedIndex(),
            view.isLeader() ? "" : " (as follower " + view.answeredBy() + " knows it)");
    return head
        + masters(view).render()
        + "\n"
        + runtimes(view).render()
        + "\n"
        + segments(view).render()
        + "\n"
        + totals(view.totals());
  }

  private static Table masters(ClusterView view) {
    Table table = new Table("master", "endpoint", "role", ">applied");
    for (Master master : view.masters()) {
      Long applied = master.appliedIndexOrNull();
      table.row(
          master.node(), master.endpoint(), role(master, view), applied == null ? "-" : applied);
    }
    return table;
  }

  private static String role(Master master, ClusterView view) {
    Long silentMillis = master.silentMillisOrNull();
    if (master.isLeader()) {
      return "leader";
    }
    if (silentMillis != null) {
      return silentMillis < SILENT_MILLIS ? "follower" : "SILENT for " + silentMillis / 1000 + " s";
    }
    return master.node().equals(view.answeredBy()) ? "follower" : "unknown";
  }

  private static Table runtimes(ClusterView view) {
    Table table = new Table("store", "endpoint", "state", ">epoch", "labels");
    for (RuntimeRecord runtime : view.runtimes()) {
      List<String> labels = new ArrayList<>();
      runtime.labels().forEach((name, value) -> labels.add(name + "=" + value));
      table.row(
          runtime.id(),
          runtime.dataEndpoint(),
          runtime.state(),
          runtime.epoch(),
          String.join(",", labels));
    }
    return table;
  }

  private static Table segments(ClusterView view) {
    Table table = new Table("segment", "store", "name", ">used", ">capacity", ">full");
    for (SegmentUsage usage : view.segments()) {
      table.row(
          usage.segment().id(),
          usage.segment().runtime(),
          usage.segment().name(),
          ByteSize.rounded(usage.usedBytes()),
          ByteSize.rounded(usage.segment().capacityBytes()),
          share(usage.usedBytes(), usage.segment().capacityBytes()));
    }
    return table;
  }

  private static String totals(Totals totals) {
    return String.format(
        Locale.ROOT,
        "%d objects of %s; %d being written; %s of %s used (%s), %s of it abandoned; %d sessions%n",
        totals.objects(),
        ByteSize.rounded(totals.objectBytes()),
        totals.writing(),
        ByteSize.rounded(totals.usedBytes()),
        ByteSize.rounded(totals.capacityBytes()),
        share(totals.usedBytes(), totals.capacityBytes()),
        ByteSize.rounded(totals.abandonedBytes()),
        totals.sessions());
  }

  private static String share(long part, long whole) {
    return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }

  static Map<String, Object> asJson(ClusterView view) {
    Master leader = leaderOf(view);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("cluster", view.cluster());
    fields.put("leader", leader == null ? null : leader.node());
    fields.put("answeredBy", view.answeredBy());
    fields.put("isLeader", view.isLeader());
    fields.put("term", view.term());
    fields.put("appliedIndex", view.appliedIndex());
    fields.put("digest", String.format(Locale.ROOT, "%016x", view.digest()));
    fields.put("masters", view.masters().stream().map(StatusReport::asJson).toList());
    fields.put("runtimes", view.runtimes().stream().map(StatusReport::asJson).toList());
    fields.put("segments", view.segments().stream().map(StatusReport::asJson).toList());
    fields.put("totals", asJson(view.totals()));
    return fields;
  }

  private static Map<String, Object> asJson(Master master) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("node", master.node());
    fields.put("endpoint", master.endpoint());
    fields.put("isLeader", master.isLeader());
    fields.put("appliedIndex", master.appliedIndexOrNull());
    fields.put("silentMillis", master.silentMillisOrNull());
    return fields;
  }

  private static Map<String, Object> asJson(RuntimeRecord runtime) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", runtime.id().value());
    fields.put("endpoint", runtime.dataEndpoint().toString());
    fields.put("state", runtime.state().name());
    fields.put("epoch", runtime.epoch());
    fields.put("labels", runtime.labels());
    return fields;
  }

  private static Map<String, Object> asJson(SegmentUsage usage) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", usage.segment().id().value());
    fields.put("runtime", usage.segment().runtime().value());
    fields.put("name", usage.segment().name());
    fields.put("usedBytes", usage.usedBytes());
    fields.put("capacityBytes", usage.segment().capacityBytes());
    fields.put("largestFreeBytes", usage.largestFreeBytes());
    return fields;
  }

  private static Map<String, Object> asJson(Totals totals) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("objects", totals.objects());
    fields.put("objectBytes", totals.objectBytes());
    fields.put("writing", totals.writing());
    fields.put("sessions", totals.sessions());
    fields.put("capacityBytes", totals.capacityBytes());
    fields.put("usedBytes", totals.usedBytes());
    fields.put("abandonedBytes", totals.abandonedBytes());
    return fields;
  }
}
