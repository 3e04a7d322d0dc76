package dev.floe.meta;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.floe.core.probe.Probe;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.model.ObjectRoute;
import dev.floe.meta.place.RangeAllocator;
import dev.floe.meta.state.MetadataState;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The arrows inside the module, and what pure packages may touch.
class RaftMetadataArchitectureTest {
  private static final String[] PURE = {
    "dev.floe.meta.model..",
    "dev.floe.meta.command..",
    "dev.floe.meta.state..",
    "dev.floe.meta.place.."
  };

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.floe.meta");

  private static void check(ArchRule rule) {
    rule.check(CLASSES);
  }

  @Test
  void readsTheClassFilesOfThisModule() {
    assertThat(CLASSES.contain(MetadataState.class)).isTrue();
    assertThat(CLASSES.contain(RangeAllocator.class)).isTrue();
    assertThat(CLASSES.get(ObjectRoute.class).getDirectDependenciesFromSelf())
        .as("without dependencies the other tests here prove nothing")
        .isNotEmpty();
  }

  @Test
  void pureCodeImportsNoAdapter() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    "com.google..",
                    "dev.floe.proto..",
                    "org.apache..",
                    "org.slf4j..",
                    "dev.floe.core.time..",
                    "dev.floe.meta.codec..",
                    "dev.floe.meta.snapshot..",
                    "dev.floe.meta.inspect..",
                    "dev.floe.meta.ratis..",
                    "dev.floe.meta.rpc..",
                    "dev.floe.meta.leader..",
                    "dev.floe.meta.client..",
                    "dev.floe.meta.log.."))
            .because("pure code is the same on every node and in every release"));
  }

  @Test
  void pureCodeTouchesNoClockThreadSocketFileOrChance() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                        "java.io..",
                        "java.net..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.time..",
                        "java.util.random..")
                    .and(not("java.io.Serializable", "java.io.IOException"))
                    .or(
                        named(
                            "java.lang.Thread",
                            "java.lang.Process",
                            "java.lang.ProcessBuilder",
                            "java.lang.ThreadLocal",
                            "java.util.Random",
                            "java.util.SplittableRandom",
                            "java.util.UUID",
                            "java.util.Date",
                            "java.util.Timer",
                            "java.util.concurrent.ThreadLocalRandom",
                            "java.util.concurrent.CompletableFuture",
                            "java.util.concurrent.Executors")))
            .because("apply reads nothing but its entries"));
    for (String method : List.of("nanoTime", "currentTimeMillis", "identityHashCode")) {
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callMethod(
              System.class,
              method,
              method.equals("identityHashCode") ? new Class<?>[] {Object.class} : new Class<?>[0])
          .check(CLASSES);
    }
    check(
        noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(Enum.class, "hashCode")
            .orShould()
            .callMethod(Probe.class, "buggify", String.class)
            .because("they differ between JVMs, or between the nodes of a simulation"));
  }

  @Test
  void onlyTheCodecsKnowGeneratedCode() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.floe.proto..", "dev.floe.meta.codec..", "dev.floe.meta.snapshot..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.floe.proto..")));
  }

  @Test
  void theModelKnowsOfOursOnlyErrorsAndEndpoints() {
    DescribedPredicate<JavaClass> ours = resideInAPackage("dev.floe..");
    DescribedPredicate<JavaClass> allowed =
        resideInAnyPackage("dev.floe.meta.model..", "dev.floe.core.error..")
            .or(equivalentTo(Endpoint.class));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.floe.meta.model..")
            .should()
            .dependOnClassesThat(ours.and(DescribedPredicate.not(allowed))));
  }

  @Test
  void commandsKnowTheModelAndPlacementDoesNotKnowTheState() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("dev.floe.meta.command..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.floe.meta.state..", "dev.floe.meta.place.."));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.floe.meta.place..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.floe.meta.state.."));
  }

  @Test
  void onlyTheStateKnowsItsTables() {
    DescribedPredicate<JavaClass> records =
        named(
            "dev.floe.meta.state.table.Abandoned",
            "dev.floe.meta.state.table.Counters",
            "dev.floe.meta.state.table.SessionRecord");
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.floe.meta.state..")
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.floe.meta.state.table..")
                    .and(DescribedPredicate.not(records)))
            .because("hard state changes in apply alone"));
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.floe.meta.state.table..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.floe.meta.state"));
  }

  @Test
  void theRulesDoFindWhatTheyForbid() {
    // The adapter for Raft breaks both, as it should.
    assertThat(
            noClasses()
                .that()
                .resideInAPackage("dev.floe.meta.ratis..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache..", "java.nio.file.."))
                .evaluate(CLASSES)
                .hasViolation())
        .isTrue();
  }

  private static DescribedPredicate<JavaClass> named(String... names) {
    List<String> all = List.of(names);
    return DescribedPredicate.describe(
        "are among " + all, javaClass -> all.contains(javaClass.getName()));
  }

  private static DescribedPredicate<JavaClass> not(String... names) {
    return DescribedPredicate.not(named(names));
  }
}
