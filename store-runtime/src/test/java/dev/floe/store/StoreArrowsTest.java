package dev.floe.store;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The arrows inside the module: adapters do not know each other, and the segments know nobody.
class StoreArrowsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.floe.store");

  /// Ways in and out of the process. `store.node` and `store.local` put them together, and the
  /// command line starts what those offer.
  private static final List<String> ADAPTERS =
      List.of("dev.floe.store.cli..", "dev.floe.store.gateway..", "dev.floe.store.admin..");

  @Test
  void seesThePackages() {
    for (String name : List.of("segment", "wire", "client", "node", "cli")) {
      assertThat(CLASSES.stream().filter(c -> c.getName().startsWith("dev.floe.store." + name)))
          .as("classes of dev.floe.store.%s; without them the other tests prove nothing", name)
          .isNotEmpty();
    }
  }

  @Test
  void segmentsKnowNeitherWireNorClients() {
    noClasses()
        .that()
        .resideInAPackage("dev.floe.store.segment..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.floe.store.wire..",
            "dev.floe.store.client..",
            "dev.floe.store.node..",
            "dev.floe.store.cli..",
            "dev.floe.core.wire..",
            "dev.floe.core.peer..",
            "dev.floe.meta.client..",
            "dev.floe.proto..")
        .check(CLASSES);
  }

  @Test
  void clientsKnowOfStoresOnlyTheirMessages() {
    noClasses()
        .that()
        .resideInAPackage("dev.floe.store.client..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.floe.store.node..", "dev.floe.store.cli..", "dev.floe.proto..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("dev.floe.store.client..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("dev\\.floe\\.store\\.segment\\.(?!TokenRange).*")
        .check(CLASSES);
  }

  @Test
  void theServiceKnowsNoClient() {
    noClasses()
        .that()
        .resideInAPackage("dev.floe.store.wire..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.floe.store.client..", "dev.floe.store.node..")
        .check(CLASSES);
  }

  @Test
  void adaptersDoNotKnowEachOther() {
    for (String adapter : ADAPTERS) {
      List<String> others = new ArrayList<>(ADAPTERS);
      others.remove(adapter);
      others.add("dev.floe.store.wire..");
      noClasses()
          .that()
          .resideInAPackage(adapter)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(others.toArray(String[]::new))
          .allowEmptyShould(true)
          .check(CLASSES);
    }
    for (String adapter : ADAPTERS) {
      noClasses()
          .that()
          .resideInAnyPackage("dev.floe.store.wire..", "dev.floe.store.client..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(adapter)
          .check(CLASSES);
    }
  }
}
