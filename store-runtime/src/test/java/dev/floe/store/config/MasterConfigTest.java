package dev.floe.store.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.leader.EvictionOptions;
import dev.floe.meta.node.MasterOptions;
import dev.floe.meta.ratis.RatisPeer;
import dev.floe.meta.state.StateConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MasterConfigTest {
  private static final Path EXAMPLE = Path.of("..", "config", "master.yaml");

  private static Map<String, String> flags(String... keysAndValues) {
    Map<String, String> flags = new HashMap<>();
    flags.put("node", "m1");
    flags.put("data-dir", "/d");
    flags.put("masters", "m1=h:1/2");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      flags.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return flags;
  }

  private static MasterOptions options(String... keysAndValues) {
    return MasterConfig.options(
        Settings.resolve(MasterConfig.SCHEMA, null, Map.of(), flags(keysAndValues)));
  }

  @Test
  void theExampleFileShowsEverySettingAndItsDefault() {
    Settings settings = Settings.resolve(MasterConfig.SCHEMA, EXAMPLE, Map.of(), Map.of());
    assertThat(MasterConfig.SCHEMA.settings()).allMatch(settings::isGiven);
    MasterOptions options = MasterConfig.options(settings);
    assertThat(options.behaviour()).isEqualTo(MasterOptions.Behaviour.DEFAULT);
    assertThat(options.peers()).hasSize(3);
    assertThat(options.peers().get(1))
        .isEqualTo(
            new RatisPeer("m2", new Endpoint("10.0.0.2", 7501), new Endpoint("10.0.0.2", 7401)));
  }

  @Test
  void withoutAnythingButTheNecessaryTheDefaultsHold() {
    assertThat(options().behaviour()).isEqualTo(MasterOptions.Behaviour.DEFAULT);
    assertThat(options().cluster()).isEqualTo("floe");
  }

  @Test
  void everySettingReachesTheOptions() {
    MasterOptions options =
        options(
            "cluster", "c",
            "election.timeout-min", "300ms",
            "election.timeout-max", "600ms",
            "lease.store-ttl", "1s",
            "lease.store-grace", "2s",
            "lease.session-ttl", "3s",
            "lease.read-ttl", "4s",
            "eviction.above", "80",
            "eviction.frees", "10",
            "snapshot.entries", "7",
            "snapshot.log-size", "8MiB",
            "snapshot.age", "9s",
            "free-space-min", "10MiB");
    assertThat(options.cluster()).isEqualTo("c");
    assertThat(options.behaviour().timing().electionMin()).hasMillis(300);
    assertThat(options.behaviour().timing().electionMax()).hasMillis(600);
    assertThat(options.behaviour().leader().leases().runtimeTtl()).hasSeconds(1);
    assertThat(options.behaviour().leader().leases().runtimeGrace()).hasSeconds(2);
    assertThat(options.behaviour().leader().leases().sessionTtl()).hasSeconds(3);
    assertThat(options.behaviour().leader().leases().readTtl()).hasSeconds(4);
    assertThat(options.behaviour().leader().eviction()).isEqualTo(new EvictionOptions(0.8, 0.1));
    assertThat(options.behaviour().storage().snapshot().entries()).isEqualTo(7);
    assertThat(options.behaviour().storage().snapshot().logBytes()).isEqualTo(8 << 20);
    assertThat(options.behaviour().storage().snapshot().age()).hasSeconds(9);
    assertThat(options.behaviour().storage().freeSpaceMinBytes()).isEqualTo(10 << 20);
  }

  @Test
  void whatApplyDecidesWithIsNoSetting() {
    assertThat(options().behaviour().state()).isEqualTo(StateConfig.DEFAULT);
    assertThat(MasterConfig.SCHEMA.settings()).noneMatch(s -> s.key().startsWith("put."));
  }

  @Test
  void evictionThatFreesMoreThanThereIsIsRefused() {
    assertThatThrownBy(() -> options("eviction.above", "5", "eviction.frees", "10"))
        .hasMessageContaining("0.05")
        .hasMessageContaining("0.1");
    assertThatThrownBy(() -> options("eviction.above", "101")).hasMessageContaining("101");
  }

  @Test
  void aMasterThatIsNotAmongTheMastersIsNamed() {
    assertThatThrownBy(() -> options("node", "m9"))
        .hasMessageContaining("'node' is 'm9'")
        .hasMessageContaining("(m1)");
  }

  @Test
  void saysWhatIsWrongWithAMaster() {
    assertThatThrownBy(() -> options("masters", "m1=h:1"))
        .hasMessageContaining("NODE=HOST:PORT/RAFT-PORT");
    assertThatThrownBy(() -> options("masters", "m1=h:1/x")).hasMessageContaining("no number");
    assertThatThrownBy(() -> options("masters", "m1=h:1/1")).hasMessageContaining("same port");
    assertThatThrownBy(() -> options("masters", "m1=h/2")).hasMessageContaining("host:port");
    assertThatThrownBy(() -> options("masters", "m 1=h:1/2")).hasMessageContaining("master id");
    assertThatThrownBy(() -> options("masters", "m1=h:1/99999")).hasMessageContaining("99999");
  }

  @Test
  void aMasterReadsBackAsItIsWritten() {
    String text = "m1=[::1]:7401/7501";
    assertThat(MasterConfig.peerText(MasterConfig.readPeer(text))).isEqualTo(text);
  }
}
