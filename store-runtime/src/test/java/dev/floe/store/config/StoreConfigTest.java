package dev.floe.store.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.wire.Endpoint;
import dev.floe.store.node.StoreOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreConfigTest {
  private static final Path EXAMPLE = Path.of("..", "config", "store.yaml");

  private static StoreOptions options(String... keysAndValues) {
    Map<String, String> flags = new HashMap<>(Map.of("node", "s1", "data-dir", "/d"));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      flags.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return StoreConfig.options(Settings.resolve(StoreConfig.SCHEMA, null, Map.of(), flags));
  }

  @Test
  void theExampleFileShowsEverySetting() {
    Settings settings = Settings.resolve(StoreConfig.SCHEMA, EXAMPLE, Map.of(), Map.of());
    assertThat(StoreConfig.SCHEMA.settings()).allMatch(settings::isGiven);
    StoreOptions options = StoreConfig.options(settings);
    assertThat(options.labels()).isEqualTo(Map.of("zone", "a", "rack", "7"));
    assertThat(options.address().advertisedHost()).contains("10.0.0.11");
    assertThat(options.segments()).isEqualTo(options().segments());
    assertThat(StoreConfig.masters(settings)).hasSize(3);
  }

  @Test
  void everySettingReachesTheOptions() {
    StoreOptions options =
        options(
            "cluster", "c",
            "node", "s9",
            "data-dir", "/x",
            "listen", "127.0.0.2:7",
            "segments", "3",
            "segment-size", "2MiB",
            "labels", "zone=b");
    assertThat(options.cluster()).isEqualTo("c");
    assertThat(options.runtime()).hasToString("s9");
    assertThat(options.directory()).contains(Path.of("/x"));
    assertThat(options.address().listen()).isEqualTo(new Endpoint("127.0.0.2", 7));
    assertThat(options.segments()).hasSize(3);
    assertThat(options.totalBytes()).isEqualTo(6 << 20);
    assertThat(options.labels()).isEqualTo(Map.of("zone", "b"));
  }

  @Test
  void refusesWhatCannotWork() {
    assertThatThrownBy(() -> options("listen", "0.0.0.0:7601"))
        .hasMessageContaining("0.0.0.0:7601");
    assertThatThrownBy(() -> options("node", "s 1")).hasMessageContaining("'node' is 's 1'");
    assertThatThrownBy(() -> options("segments", "0")).hasMessageContaining("1 to 64");
    assertThatThrownBy(() -> options("segment-size", "1KiB")).hasMessageContaining("1MiB to 16TiB");
    assertThatThrownBy(() -> options("labels", "zone")).hasMessageContaining("not NAME=VALUE");
  }
}
