package dev.floe.meta.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.meta.model.SessionId;
import dev.floe.meta.snapshot.SnapshotWriter;
import dev.floe.meta.state.StateCapture;
import dev.floe.meta.state.StateDriver;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotInspectorTest {
  @TempDir private Path folder;
  private final StateDriver driver = new StateDriver();
  private Path file = Path.of("");

  @BeforeEach
  void writeSnapshot() throws IOException {
    SessionId session = driver.openSession(1);
    driver.store("store-1", StateDriver.MIB);
    driver.put(session, "k", 1000, 1);
    file = folder.resolve("snapshot.1_5");
    try (StateCapture capture = driver.state().capture();
        OutputStream out = Files.newOutputStream(file)) {
      SnapshotWriter.write(capture, out);
    }
  }

  @Test
  void describesASoundSnapshot() throws IOException {
    SnapshotInspector.Inspection inspection = SnapshotInspector.inspect(file);

    assertThat(inspection.isSound()).as(inspection.text()).isTrue();
    assertThat(inspection.text())
        .contains("index      " + driver.index())
        .contains(String.format("digest     %016x", driver.state().digest()))
        .containsPattern("routes +1 +\\d+ +1\n")
        .contains("objects    1 with 1000 bytes")
        .contains("1024 of 1048576 bytes used")
        .contains("runtime    store-1 epoch 1 ALIVE at store-1.local:7500 {host=store-1}")
        .contains("verdict    sound");
  }

  @Test
  void saysWhereADamagedSnapshotIsDamaged() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);

    SnapshotInspector.Inspection inspection = SnapshotInspector.inspect(file);

    assertThat(inspection.isSound()).isFalse();
    assertThat(inspection.text()).contains("NOT SOUND, CORRUPT").containsPattern("at byte \\d+");
  }
}
