package dev.floe.sim.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.probe.Probe;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeTest {
  @Test
  void findsTheProbesOfTheProductInItsClassFiles() throws IOException {
    ProbeCatalogue found = ProbeCatalogue.ofClassPath(System.getProperty("java.class.path"));
    assertThat(found.sites()).contains("test.site", "batcher.entry-of-one");
    assertThat(found.situations()).contains("test.situation", "session.answered-from-table");
  }

  @Test
  void followsTheClassPathOfAManifest(@TempDir Path folder) throws IOException {
    Path lib = Files.createDirectories(folder.resolve("the lib"));
    String name = Probe.class.getPackageName().replace('.', '/') + "/ProbeTestMarks.class";
    byte[] marks;
    try (InputStream in = ProbeTest.class.getResourceAsStream("ProbeTest.class")) {
      marks = Objects.requireNonNull(in).readAllBytes();
    }
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(lib.resolve("marks.jar")))) {
      jar.putNextEntry(new ZipEntry(name));
      jar.write(marks);
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "the%20lib/marks.jar none.jar");
    Path launcher = folder.resolve("launcher.jar");
    new JarOutputStream(Files.newOutputStream(launcher), manifest).close();
    assertThat(ProbeCatalogue.ofClassPath(launcher.toString()).sites())
        .containsExactly("test.site");
  }

  /// Only here to be found.
  static boolean marks() {
    Probe.sometimes("test.situation");
    return Probe.buggify("test.site");
  }

  @Test
  void doesNothingOutsideOfASimulation() {
    assertThat(marks()).isFalse();
  }

  @Test
  void firesAtAQuarterOfTheCallsInAQuarterOfTheRuns() {
    int active = 0;
    long calls = 0;
    long fired = 0;
    Set<String> patterns = new HashSet<>();
    for (long seed = 1; seed <= 2000; seed++) {
      ProbeRun run = new ProbeRun(seed, true);
      if (run.isActive("a.site")) {
        active++;
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < 64; i++) {
          calls++;
          pattern.append(run.buggify("a.site") ? '1' : '0');
        }
        patterns.add(pattern.toString());
        fired += run.fired().getOrDefault("a.site", 0L);
      } else {
        assertThat(run.buggify("a.site")).isFalse();
      }
    }
    assertThat(active).isBetween(400, 600);
    assertThat(fired).isBetween(calls / 5, calls * 3 / 10);
    assertThat(patterns).as("each run has its own").hasSize(active);
  }

  @Test
  void anotherSitesCallsChangeNothing() {
    long seed = 1;
    while (!new ProbeRun(seed, true).isActive("a.site")
        || !new ProbeRun(seed, true).isActive("b.site")) {
      seed++;
    }
    ProbeRun alone = new ProbeRun(seed, true);
    ProbeRun mixed = new ProbeRun(seed, true);
    for (int i = 0; i < 100; i++) {
      mixed.buggify("b.site");
      assertThat(mixed.buggify("a.site")).isEqualTo(alone.buggify("a.site"));
    }
  }

  @Test
  void aQuietRunCountsSituationsOnly() {
    for (long seed = 1; seed < 100; seed++) {
      ProbeRun run = new ProbeRun(seed, false);
      assertThat(run.buggify("a.site")).isFalse();
      run.sometimes("b.situation");
      assertThat(run.seen()).containsExactly(Map.entry("b.situation", 1L));
    }
  }

  @Test
  void reportsWhatNoRunHasSeen() {
    Coverage coverage =
        new Coverage(
            new ProbeCatalogue(
                new TreeSet<>(Set.of("a.site")), new TreeSet<>(Set.of("b.s", "c.s"))));
    coverage.add(Map.of("a.site", 3L), Map.of());
    coverage.add(Map.of(), Map.of("b.s", 1L));
    assertThat(coverage.never()).containsExactly("c.s");
    StringWriter text = new StringWriter();
    coverage.print(new PrintWriter(text, true));
    assertThat(text.toString()).contains("MISSING").contains("2 of 3 situations seen in 2 runs");
    assertThatThrownBy(() -> coverage.add(Map.of("d.s", 1L), Map.of())).hasMessageContaining("d.s");
  }
}
