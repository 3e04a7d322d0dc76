package dev.floe.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterRecordTest {
  @TempDir Path root;

  private static ClusterShape shape(Path directory, int basePort) {
    // Not by PortPlan.from, which looks whether the ports are free.
    PortPlan ports = new PortPlan(at(basePort), at(basePort + 100), at(basePort + 200));
    return new ClusterShape("local", directory, ports, 1 << 20);
  }

  private static List<Endpoint> at(int port) {
    return List.of(new Endpoint("127.0.0.1", port));
  }

  private static FloeException failure(Path directory, int basePort) {
    return catchThrowableOfType(
        FloeException.class, () -> ClusterRecord.check(shape(directory, basePort)));
  }

  @Test
  void theSameShapeMayComeAgainAndAnotherIsRefused() {
    Path directory = root.resolve("cluster");
    ClusterRecord.check(shape(directory, 7401));
    assertThatCode(() -> ClusterRecord.check(shape(directory, 7401))).doesNotThrowAnyException();
    FloeException failure = failure(directory, 8401);
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
    assertThat(failure).hasMessageContaining("127.0.0.1:7501").hasMessageContaining("8501");
  }

  @Test
  void saysWhyAFolderCannotBeUsed() throws Exception {
    Path file = Files.writeString(root.resolve("file"), "x");
    FloeException failure = failure(file, 7401);
    assertThat(failure.code()).isEqualTo(ErrorCode.DIRECTORY_UNUSABLE);
    assertThat(failure).hasMessageContaining(file + " exists and is a file");
  }

  @Test
  void aBasePortThatLeavesNoRoomIsRefusedHoweverLarge() {
    for (int base : new int[] {Integer.MIN_VALUE, 0, 65_400, Integer.MAX_VALUE}) {
      FloeException failure =
          catchThrowableOfType(FloeException.class, () -> PortPlan.from(base, 3, 2));
      assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(failure).hasMessageContaining("--base-port " + base);
    }
  }
}
