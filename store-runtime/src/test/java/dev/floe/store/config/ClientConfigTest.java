package dev.floe.store.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.wire.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientConfigTest {
  @TempDir private Path home;
  private Path usualFile;

  @BeforeEach
  void makeFolder() throws IOException {
    usualFile = Files.createDirectory(home.resolve(".floe")).resolve("client.yaml");
  }

  @Test
  void withoutAnythingItLooksAtTheDefaultPorts() {
    ClientConfig config = ClientConfig.resolve(null, home, Map.of(), Map.of());
    assertThat(config.masters()).extracting(Endpoint::port).containsExactly(7401, 7402, 7403);
    assertThat(config.tenant().value()).isEqualTo("default");
    assertThat(config.timeout()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void flagWinsOverVariableOverFile() throws IOException {
    Files.writeString(usualFile, "masters: [file:1]\ntenant: from-file\n");
    Map<String, String> environment = Map.of("FLOE_MASTERS", "env:2");
    ClientConfig fromFile = ClientConfig.resolve(null, home, Map.of(), Map.of());
    assertThat(fromFile.masters()).containsExactly(new Endpoint("file", 1));
    ClientConfig fromEnvironment = ClientConfig.resolve(null, home, environment, Map.of());
    assertThat(fromEnvironment.masters()).containsExactly(new Endpoint("env", 2));
    assertThat(fromEnvironment.tenant().value()).isEqualTo("from-file");
    ClientConfig fromFlag =
        ClientConfig.resolve(null, home, environment, Map.of("masters", "flag:3,flag:4"));
    assertThat(fromFlag.masters())
        .containsExactly(new Endpoint("flag", 3), new Endpoint("flag", 4));
  }

  @Test
  void aNamedFileWinsOverTheVariableAndTheUsualOne() throws IOException {
    Files.writeString(usualFile, "masters: usual:1\n");
    Path byVariable = Files.writeString(home.resolve("v.yaml"), "masters: variable:2\n");
    Path named = Files.writeString(home.resolve("n.yaml"), "masters: named:3\n");
    Map<String, String> environment = Map.of("FLOE_CONFIG", byVariable.toString());
    assertThat(ClientConfig.resolve(null, home, environment, Map.of()).masters())
        .containsExactly(new Endpoint("variable", 2));
    assertThat(ClientConfig.resolve(named, home, environment, Map.of()).masters())
        .containsExactly(new Endpoint("named", 3));
  }

  @Test
  void variablesOfNodesAreNoneOfItsBusiness() {
    Map<String, String> environment = Map.of("FLOE_MASTER_DATA_DIR", "/x", "FLOE_JAVA_OPTS", "-X");
    assertThat(ClientConfig.resolve(null, home, environment, Map.of()).masters()).hasSize(3);
  }

  @Test
  void namesATenantThatCannotBe() {
    assertThatThrownBy(
            () -> ClientConfig.resolve(null, home, Map.of(), Map.of("tenant", "_system")))
        .hasMessageContaining("'tenant' is '_system'")
        .hasMessageContaining("starts with '_'");
    assertThatThrownBy(
            () -> ClientConfig.resolve(null, home, Map.of(), Map.of("tenant", "a\ufffd")))
        .hasMessageContaining("not UTF-8");
  }
}
