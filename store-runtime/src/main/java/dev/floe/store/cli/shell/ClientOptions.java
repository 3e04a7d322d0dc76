package dev.floe.store.cli.shell;

import dev.floe.store.config.ClientConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How a command finds its cluster; the same options on every command that needs one.
public final class ClientOptions {
  @Option(
      names = {"-m", "--masters"},
      paramLabel = "HOST:PORT,...",
      description =
          "Masters to ask; one that answers is enough. Else FLOE_MASTERS, else the client's file,"
              + " else 127.0.0.1:7401 to 7403.")
  private @Nullable String masters;

  @Option(
      names = {"-t", "--tenant"},
      paramLabel = "NAME",
      description = "Whose objects are meant. Else FLOE_TENANT, else the file, else 'default'.")
  private @Nullable String tenant;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description =
          "How long an operation may take, e.g. 500ms or 2m. Else FLOE_TIMEOUT, else the file,"
              + " else 30s.")
  private @Nullable String timeout;

  @Option(
      names = "--client-config",
      paramLabel = "PATH",
      description =
          "The client's file (YAML: masters, tenant, timeout). Else FLOE_CONFIG, else"
              + " ~/.floe/client.yaml.")
  private @Nullable Path file;

  ClientConfig resolve(Map<String, String> environment) {
    Map<String, String> flags = new HashMap<>();
    putIfGiven(flags, ClientConfig.MASTERS.key(), masters);
    putIfGiven(flags, ClientConfig.TENANT.key(), tenant);
    putIfGiven(flags, ClientConfig.TIMEOUT.key(), timeout);
    String home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
    return ClientConfig.resolve(file, Path.of(home), environment, flags);
  }

  private static void putIfGiven(Map<String, String> flags, String key, @Nullable String value) {
    if (value != null) {
      flags.put(key, value);
    }
  }
}
