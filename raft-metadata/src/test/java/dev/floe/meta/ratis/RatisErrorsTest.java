package dev.floe.meta.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.meta.ratis.storage.FloeStateFormat;
import dev.floe.meta.ratis.storage.SnapshotFiles;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import dev.floe.meta.ratis.storage.SnapshotWorker;
import dev.floe.meta.state.DigestMismatchListener;
import dev.floe.meta.state.StateConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.ClientId;
import org.junit.jupiter.api.Test;

class RatisErrorsTest {
  private final Throwable diskFull =
      new CompletionException(
          new IOException("log failed at index 213", new IOException("No space left on device")));

  @Test
  void theReasonIsWhatIsAtTheBottom() {
    assertThat(RatisErrors.rootReason(diskFull)).isEqualTo("No space left on device");
  }

  @Test
  void aReasonThatIsNoIoErrorNamesItsClass() {
    assertThat(RatisErrors.rootReason(new IllegalStateException("x")))
        .isEqualTo("java.lang.IllegalStateException: x");
  }

  @Test
  void aMasterWhoseLogFailedStopsWithTheReason() {
    List<String> told = new ArrayList<>();
    SnapshotFiles files = new SnapshotFiles();
    SnapshotTrigger trigger = new SnapshotTrigger(SnapshotTrigger.Thresholds.DEFAULT, 0);
    try (SnapshotWorker worker = new SnapshotWorker("m1", files, trigger, () -> 0, () -> {});
        LeadershipRelay relay = new LeadershipRelay("m1")) {
      MetadataStateMachine machine =
          new MetadataStateMachine(
              new MetadataStateMachine.Parts(
                  "m1",
                  new FloeStateFormat(StateConfig.DEFAULT, DigestMismatchListener.NONE),
                  files,
                  worker,
                  relay,
                  new RatisSeams(() -> 0, (what, cause) -> told.add(what))),
              ClientId.randomId(),
              new ConcurrentHashMap<>());
      machine.notifyLogFailed(diskFull, null);
    }
    assertThat(told).hasSize(1);
    assertThat(told.getFirst()).contains("master m1").contains("No space left on device");
  }
}
