package dev.floe.store.cli.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// Which release this is.
///
/// @param version as in the POM
/// @param revision of the sources in git, with `-dirty` when they had changes; `unknown` when they were
///     not in git
public record BuildInfo(String version, String revision) {
  public static BuildInfo read() {
    Properties properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
      if (in == null) {
        throw new IllegalStateException("build.properties is missing beside " + BuildInfo.class);
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String revision = properties.getProperty("revision", "");
    // Without git the build has nothing to fill in.
    boolean isKnown = !revision.isBlank() && !revision.startsWith("$");
    return new BuildInfo(
        properties.getProperty("version", "unknown"), isKnown ? revision : "unknown");
  }
}
