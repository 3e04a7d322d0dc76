package dev.floe.store.config;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.model.TenantId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How a client finds its cluster.
///
/// @param masters where to ask first; any of them tells who leads
/// @param tenant whose objects are meant
/// @param timeout how long one operation may take
/// @param isTimeoutGiven whether somebody chose it; otherwise transfers get more time for large
///     values
public record ClientConfig(
    List<Endpoint> masters, TenantId tenant, Duration timeout, boolean isTimeoutGiven) {
  public static final Setting<List<Endpoint>> MASTERS =
      new Setting<>(
          "masters",
          SettingType.listOf(SettingType.endpoint()),
          "127.0.0.1:7401,127.0.0.1:7402,127.0.0.1:7403",
          "Masters of the cluster; one that answers is enough");
  public static final Setting<TenantId> TENANT =
      new Setting<>(
          "tenant",
          SettingType.custom("NAME", ClientConfig::readTenant),
          TenantId.DEFAULT.value(),
          "Whose objects are meant");
  public static final Setting<Duration> TIMEOUT =
      new Setting<>(
          "timeout",
          SettingType.duration(Duration.ofMillis(1), Duration.ofDays(1)),
          "30s",
          "How long one operation may take");
  public static final Schema SCHEMA =
      new Schema("client", "FLOE_", false, List.of(MASTERS, TENANT, TIMEOUT));

  /// The variable that names the client's file.
  public static final String FILE_VARIABLE = "FLOE_CONFIG";

  /// What Java puts in place of bytes that are not UTF-8.
  private static final char REPLACEMENT = '\ufffd';

  public ClientConfig {
    masters = List.copyOf(masters);
  }

  /// Reads the client's settings: flags, then `FLOE_MASTERS`, `FLOE_TENANT` and `FLOE_TIMEOUT`, then
  /// the file, then defaults.
  ///
  /// @param file the file that was named, or null: then the one of `FLOE_CONFIG`, else
  ///     `.floe/client.yaml` in `home` when it exists
  public static ClientConfig resolve(
      @Nullable Path file, Path home, Map<String, String> environment, Map<String, String> flags) {
    Settings settings =
        Settings.resolve(SCHEMA, chooseFile(file, home, environment), environment, flags);
    return new ClientConfig(
        settings.get(MASTERS),
        settings.get(TENANT),
        settings.get(TIMEOUT),
        settings.isGiven(TIMEOUT));
  }

  /// For one whole transfer: the chosen timeout, or empty for one that grows with the value.
  public Optional<Duration> transferTimeout() {
    return isTimeoutGiven ? Optional.of(timeout) : Optional.empty();
  }

  private static @Nullable Path chooseFile(
      @Nullable Path named, Path home, Map<String, String> environment) {
    if (named != null) {
      return named;
    }
    String variable = environment.get(FILE_VARIABLE);
    if (variable != null && !variable.isBlank()) {
      return Path.of(variable);
    }
    Path usual = home.resolve(".floe").resolve("client.yaml");
    return Files.exists(usual) ? usual : null;
  }

  private static TenantId readTenant(String text) {
    String flaw =
        text.indexOf(REPLACEMENT) < 0
            ? TenantId.flawOf(text)
            : "has bytes that are not UTF-8 (or the character U+FFFD that stands for them)";
    if (flaw != null) {
      throw new IllegalArgumentException(flaw + "; use a name such as team-a");
    }
    return new TenantId(text);
  }
}
