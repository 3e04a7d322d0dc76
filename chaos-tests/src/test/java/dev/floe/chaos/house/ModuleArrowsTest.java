package dev.floe.chaos.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The arrows between modules, as `docs/architecture.md` draws them.
class ModuleArrowsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.floe");

  /// Module root to the roots it must not know.
  private static final Map<String, List<String>> FORBIDDEN =
      Map.of(
          "dev.floe.core..",
              List.of("dev.floe.meta..", "dev.floe.nof..", "dev.floe.store..", "dev.floe.sim.."),
          "dev.floe.meta..", List.of("dev.floe.nof..", "dev.floe.store..", "dev.floe.sim.."),
          "dev.floe.nof..", List.of("dev.floe.meta..", "dev.floe.store..", "dev.floe.sim.."),
          "dev.floe.store..", List.of("dev.floe.sim.."));

  @Test
  void seesEveryModule() {
    for (String root : List.of("core", "meta", "nof", "store", "sim")) {
      assertThat(CLASSES.stream().filter(c -> c.getName().startsWith("dev.floe." + root + ".")))
          .as("classes of dev.floe.%s; without them the other tests here prove nothing", root)
          .isNotEmpty();
    }
  }

  @Test
  void noModuleKnowsOneAboveIt() {
    FORBIDDEN.forEach(
        (module, above) ->
            noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above.toArray(String[]::new))
                .check(CLASSES));
  }

  @Test
  void onlyTheRatisAdapterKnowsRatis() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.floe.meta.ratis..", "dev.floe.sim.ratis..", "dev.floe.bench..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.ratis..")
        .check(CLASSES);
  }

  @Test
  void pureCodeReadsNoClockAndNoRandomSource() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.floe.meta.model..",
            "dev.floe.meta.command..",
            "dev.floe.meta.state..",
            "dev.floe.meta.place..")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .callMethod(java.util.UUID.class, "randomUUID")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
        .check(CLASSES);
  }
}
