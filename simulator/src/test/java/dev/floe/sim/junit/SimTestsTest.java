package dev.floe.sim.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.sim.profile.Profile;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What is kept in `regressions` is run by the test of its profile, so each profile needs one.
class SimTestsTest {
  @Test
  void everyProfileHasATestThatRunsItsRegressions() throws Exception {
    Set<String> run = new TreeSet<>();
    for (Class<?> test : testClasses()) {
      for (Method method : test.getDeclaredMethods()) {
        SimTest seeds = method.getAnnotation(SimTest.class);
        if (seeds != null) {
          run.add(seeds.profile());
        }
      }
    }
    assertThat(run)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Profile.values()).map(Profile::toString).toList());
  }

  private static List<Class<?>> testClasses()
      throws IOException, URISyntaxException, ClassNotFoundException {
    Path root =
        Path.of(SimTestsTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> names;
    try (Stream<Path> files = Files.walk(root)) {
      names =
          files
              .map(file -> root.relativize(file).toString())
              .filter(name -> name.endsWith("Test.class"))
              .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
              .toList();
    }
    List<Class<?>> classes = new java.util.ArrayList<>();
    for (String name : names) {
      classes.add(Class.forName(name, false, SimTestsTest.class.getClassLoader()));
    }
    return classes;
  }
}
