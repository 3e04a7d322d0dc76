package dev.floe.store.config;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.model.RuntimeId;
import dev.floe.store.node.StoreOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The settings of a store, and how they become its options.
public final class StoreConfig {
  private static final int SEGMENTS_OF_A_STORE_MAX = 64;

  private static final Setting<String> CLUSTER =
      new Setting<>(
          "cluster", SettingType.text(), "floe", "Name of the cluster, the same on every node");
  private static final Setting<RuntimeId> NODE =
      new Setting<>(
          "node",
          SettingType.custom("ID", StoreConfig::readId),
          null,
          "Stable id of this store, its own in the whole cluster");
  private static final Setting<Path> DATA_DIR =
      new Setting<>("data-dir", SettingType.path(), null, "Folder of this store alone");
  private static final Setting<Endpoint> LISTEN =
      new Setting<>(
          "listen", SettingType.endpoint(), "127.0.0.1:7601", "Address it serves clients on");
  private static final Setting<String> ADVERTISED_HOST =
      new Setting<>(
          "advertised-host",
          SettingType.custom("HOST", text -> text),
          "",
          "Host that clients are told; needed when 'listen' is a wildcard such as 0.0.0.0");
  private static final Setting<List<Endpoint>> MASTERS =
      new Setting<>(
          "masters",
          SettingType.listOf(SettingType.endpoint()),
          "127.0.0.1:7401,127.0.0.1:7402,127.0.0.1:7403",
          "Where masters serve clients; one that answers is enough");
  private static final Setting<Integer> SEGMENTS =
      new Setting<>(
          "segments",
          SettingType.integer(1, SEGMENTS_OF_A_STORE_MAX),
          "1",
          "Memory segments of this store");
  private static final Setting<Long> SEGMENT_SIZE =
      new Setting<>(
          "segment-size",
          SettingType.size(Limits.SEGMENT_BYTES_MIN, Limits.SEGMENT_BYTES_MAX),
          "1GiB",
          "Bytes of each segment");
  private static final Setting<Map<String, String>> LABELS =
      new Setting<>("labels", SettingType.map(), "", "Free names and values, such as zone=a");

  /// What a store can be told.
  public static final Schema SCHEMA =
      new Schema(
          "store",
          "FLOE_STORE_",
          true,
          List.of(
              CLUSTER,
              NODE,
              DATA_DIR,
              LISTEN,
              ADVERTISED_HOST,
              MASTERS,
              SEGMENTS,
              SEGMENT_SIZE,
              LABELS));

  private StoreConfig() {}

  /// Where the masters are.
  public static List<Endpoint> masters(Settings settings) {
    return settings.get(MASTERS);
  }

  /// The options that the settings describe.
  ///
  /// @throws FloeException `INVALID_CONFIG` when one is missing or two contradict each other
  public static StoreOptions options(Settings settings) {
    List<StoreOptions.SegmentOptions> segments = new ArrayList<>();
    for (int i = 0; i < settings.get(SEGMENTS); i++) {
      segments.add(new StoreOptions.SegmentOptions("memory-" + i, settings.get(SEGMENT_SIZE)));
    }
    String host = settings.get(ADVERTISED_HOST);
    return new StoreOptions(
        settings.get(CLUSTER),
        settings.get(NODE),
        new StoreOptions.Address(
            settings.get(LISTEN), host.isBlank() ? Optional.empty() : Optional.of(host.strip())),
        settings.get(LABELS),
        segments,
        Optional.of(settings.get(DATA_DIR)));
  }

  private static RuntimeId readId(String text) {
    try {
      return new RuntimeId(text);
    } catch (FloeException e) {
      if (e.code() != ErrorCode.INVALID_ARGUMENT) {
        throw e;
      }
      throw new IllegalArgumentException("is no id: " + e.getMessage(), e);
    }
  }
}
