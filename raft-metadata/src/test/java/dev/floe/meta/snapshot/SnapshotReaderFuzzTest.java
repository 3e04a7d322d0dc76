package dev.floe.meta.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.FloeException;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateChecker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/// Files that no writer made: the reader answers with its own exception or with a sound state.
class SnapshotReaderFuzzTest {
  private static final byte[] SOUND = SnapshotTest.write(SnapshotTest.scenario().state());

  private static void readsOrRefuses(byte[] bytes) {
    try {
      MetadataState state = SnapshotTest.read(bytes);
      assertThat(StateChecker.check(state)).isEmpty();
    } catch (FloeException e) {
      assertThat(e.getMessage()).contains("snapshot");
    }
  }

  @Property(tries = 300)
  void refusesGarbage(@ForAll byte[] bytes) {
    readsOrRefuses(bytes);
  }

  @Property(tries = 300)
  void refusesDamagedBytes(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = SOUND.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    readsOrRefuses(bytes);
  }

  /// Damage behind right checksums: what a buggy writer would leave.
  @Property(tries = 600)
  void refusesDamagedRecordsWithRightChecksums(@ForAll long seed) {
    Random random = new Random(seed);
    List<byte[]> payloads = new ArrayList<>();
    List<SnapshotFormat.Kind> kinds = new ArrayList<>();
    SnapshotFiles.split(SOUND, kinds, payloads);
    int victim = random.nextInt(payloads.size());
    switch (random.nextInt(4)) {
      case 0 -> {
        payloads.remove(victim);
        kinds.remove(victim);
      }
      case 1 -> {
        payloads.add(payloads.get(victim));
        kinds.add(kinds.get(victim));
      }
      case 2 -> {
        int other = random.nextInt(payloads.size());
        Collections.swap(payloads, victim, other);
        Collections.swap(kinds, victim, other);
      }
      default -> {
        byte[] payload = payloads.get(victim).clone();
        payload[random.nextInt(payload.length)] = (byte) random.nextInt();
        payloads.set(victim, payload);
      }
    }
    readsOrRefuses(SnapshotFiles.join(kinds, payloads));
  }
}
