package dev.floe.store.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
  private static final Setting<String> NODE =
      new Setting<>("node", SettingType.text(), null, "Name of the node");
  private static final Setting<Long> SIZE =
      new Setting<>(
          "segment-size", SettingType.size(1L << 20, 1L << 40), "512MiB", "Bytes of a segment");
  private static final Setting<Duration> PAUSE =
      new Setting<>(
          "lease.pause",
          SettingType.duration(Duration.ofMillis(10), Duration.ofMinutes(1)),
          "1s",
          "Pause");
  private static final Setting<Integer> COUNT =
      new Setting<>("count", SettingType.integer(1, 8), "2", "How many");
  private static final Setting<Boolean> FAST =
      new Setting<>("fast", SettingType.bool(), "false", "Whether fast");
  private static final Setting<List<Endpoint>> PEERS =
      new Setting<>("peers", SettingType.listOf(SettingType.endpoint()), "h:1", "Peers");
  private static final Setting<Map<String, String>> LABELS =
      new Setting<>("labels", SettingType.map(), "", "Labels");
  private static final Schema SCHEMA =
      new Schema(
          "store", "FLOE_STORE_", true, List.of(NODE, SIZE, PAUSE, COUNT, FAST, PEERS, LABELS));

  @TempDir private Path dir;

  private Path file(String yaml) throws IOException {
    return Files.writeString(dir.resolve("store.yaml"), yaml);
  }

  private Settings of(String yaml) throws IOException {
    return Settings.resolve(SCHEMA, file(yaml), Map.of(), Map.of());
  }

  private AbstractThrowableAssert<?, ?> assertRefused(String yaml) {
    return assertThatThrownBy(() -> of(yaml))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
  }

  @Test
  void readsEveryKindOfValue() throws IOException {
    Settings settings =
        of(
            """
            # a comment
            node: s1
            segment-size: 4GiB
            lease:
              pause: 500ms
            count: 3
            fast: true
            peers:
              - 10.0.0.1:7401
              - "[::1]:7402"
            labels:
              zone: a
              rack: 7
            """);
    assertThat(settings.get(NODE)).isEqualTo("s1");
    assertThat(settings.get(SIZE)).isEqualTo(4L << 30);
    assertThat(settings.get(PAUSE)).isEqualTo(Duration.ofMillis(500));
    assertThat(settings.get(COUNT)).isEqualTo(3);
    assertThat(settings.get(FAST)).isTrue();
    assertThat(settings.get(PEERS))
        .containsExactly(new Endpoint("10.0.0.1", 7401), new Endpoint("::1", 7402));
    assertThat(settings.get(LABELS)).isEqualTo(Map.of("zone", "a", "rack", "7"));
  }

  @Test
  void namesAnUnknownKeyItsLineAndTheNearestKnownOne() {
    assertRefused("node: s1\n\nsegment-sise: 1GiB\n")
        .hasMessageContaining("store.yaml:3:")
        .hasMessageContaining("unknown key 'segment-sise'")
        .hasMessageContaining("did you mean 'segment-size'?");
    assertRefused("node: s1\nlease:\n  puase: 1s\n")
        .hasMessageContaining("store.yaml:3:")
        .hasMessageContaining("unknown key 'lease.puase'")
        .hasMessageContaining("did you mean 'lease.pause'?");
    assertRefused("replication: 3\n").hasMessageContaining("known are node, segment-size");
  }

  @Test
  void namesTheValueTheLimitAndTheLineOfAValueOutOfRange() {
    assertRefused("node: s1\ncount: 9\n")
        .hasMessageContaining("store.yaml:2: 'count' is '9'")
        .hasMessageContaining("above the limit; allowed is 1 to 8");
    assertRefused("segment-size: 1KiB\n")
        .hasMessageContaining("below the limit; allowed is 1MiB to 1TiB");
    assertRefused("lease:\n  pause: 2m\n").hasMessageContaining("allowed is 10ms to 1m");
    assertRefused("count: 99999999999\n").hasMessageContaining("above the limit");
  }

  @Test
  void namesAValueOfTheWrongType() {
    assertRefused("count: many\n").hasMessageContaining("is 'many', which is not a whole number");
    assertRefused("fast: maybe\n").hasMessageContaining("neither true nor false");
    assertRefused("node: [a, b]\n").hasMessageContaining("'node' is a list; give one TEXT");
    assertRefused("node:\n  a: 1\n").hasMessageContaining("unknown key 'node.a'");
    assertRefused("node:\n").hasMessageContaining("store.yaml:1: 'node' has no value");
    assertRefused("peers: [10.0.0.1]\n").hasMessageContaining("'10.0.0.1' is not host:port");
    assertRefused("peers: []\n").hasMessageContaining("holds no value");
    assertRefused("segment-size: 4 gigs\n").hasMessageContaining("unknown unit 'gigs'");
  }

  @Test
  void refusesWhatIsNoSettingsFile() throws IOException {
    assertRefused("- a\n- b\n").hasMessageContaining("has to start with settings");
    assertRefused("node: 'open\n").hasMessageContaining("this is not YAML");
    assertRefused("node: a\nnode: b\n").hasMessageContaining("store.yaml:2:");
    assertRefused("node: a\n---\nnode: b\n").hasMessageContaining("second document");
    assertThatThrownBy(() -> Settings.resolve(SCHEMA, dir.resolve("none.yaml"), Map.of(), Map.of()))
        .hasMessageContaining("none.yaml does not exist");
    Path binary = Files.write(dir.resolve("b.yaml"), new byte[] {(byte) 0xc3, 0x28});
    assertThatThrownBy(() -> Settings.resolve(SCHEMA, binary, Map.of(), Map.of()))
        .hasMessageContaining("not UTF-8");
    Path big =
        Files.write(
            dir.resolve("big.yaml"), "#".repeat(1 << 21).getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(() -> Settings.resolve(SCHEMA, big, Map.of(), Map.of()))
        .hasMessageContaining("limit is 1048576");
    assertThatThrownBy(() -> Settings.resolve(SCHEMA, dir, Map.of(), Map.of()))
        .isInstanceOf(FloeException.class);
  }

  @Test
  void anEmptyFileLeavesEverythingAtItsDefault() throws IOException {
    assertThat(of("").get(COUNT)).isEqualTo(2);
    assertThat(of("# nothing\n").get(SIZE)).isEqualTo(512L << 20);
  }

  @Test
  void flagsWinOverEnvironmentOverFileOverDefault() throws IOException {
    Path file = file("node: from-file\ncount: 3\nsegment-size: 1GiB\n");
    Settings settings =
        Settings.resolve(
            SCHEMA,
            file,
            Map.of("FLOE_STORE_COUNT", "4", "FLOE_STORE_SEGMENT_SIZE", "2GiB", "HOME", "/x"),
            Map.of("segment-size", "3GiB"));
    assertThat(settings.get(NODE)).isEqualTo("from-file");
    assertThat(settings.get(COUNT)).isEqualTo(4);
    assertThat(settings.get(SIZE)).isEqualTo(3L << 30);
    assertThat(settings.get(PAUSE)).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.explain())
        .extracting(Settings.Explained::key, Settings.Explained::value, Settings.Explained::source)
        .contains(
            org.assertj.core.groups.Tuple.tuple("node", "from-file", file + ":1"),
            org.assertj.core.groups.Tuple.tuple("count", "4", "FLOE_STORE_COUNT"),
            org.assertj.core.groups.Tuple.tuple("segment-size", "3GiB", "--segment-size"),
            org.assertj.core.groups.Tuple.tuple("lease.pause", "1s", "default"));
  }

  @Test
  void aSectionOfTheFileIsOneWordInEnvironmentAndFlags() {
    assertThat(PAUSE.variable("FLOE_STORE_")).isEqualTo("FLOE_STORE_LEASE_PAUSE");
    assertThat(PAUSE.flag()).isEqualTo("--lease-pause");
  }

  @Test
  void namesAnUnknownVariableButNotThoseOfKubernetes() {
    assertThatThrownBy(
            () -> Settings.resolve(SCHEMA, null, Map.of("FLOE_STORE_CUONT", "1"), Map.of()))
        .hasMessageContaining("unknown variable 'FLOE_STORE_CUONT'")
        .hasMessageContaining("did you mean 'FLOE_STORE_COUNT'?");
    Map<String, String> links =
        Map.of(
            "FLOE_STORE_SERVICE_HOST", "10.0.0.1",
            "FLOE_STORE_SERVICE_PORT_DATA", "7501",
            "FLOE_STORE_PORT", "tcp://10.0.0.1:7501",
            "FLOE_STORE_PORT_7501_TCP_ADDR", "10.0.0.1");
    assertThat(Settings.resolve(SCHEMA, null, links, Map.of()).get(COUNT)).isEqualTo(2);
  }

  @Test
  void aMissingValueTellsTheThreeWaysToGiveIt() {
    assertThatThrownBy(() -> Settings.resolve(SCHEMA, null, Map.of(), Map.of()).get(NODE))
        .hasMessageContaining("'node' is not set")
        .hasMessageContaining("FLOE_STORE_NODE")
        .hasMessageContaining("--node TEXT")
        .hasMessageContaining("--config");
  }

  @Test
  void aWrongValueStopsEvenWhenAnotherSourceOverridesIt() {
    assertThatThrownBy(
            () -> Settings.resolve(SCHEMA, file("count: 99\n"), Map.of(), Map.of("count", "2")))
        .hasMessageContaining("'count' is '99'");
  }
}
