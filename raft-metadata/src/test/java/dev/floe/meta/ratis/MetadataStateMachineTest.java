package dev.floe.meta.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.ratis.storage.FloeStateFormat;
import dev.floe.meta.ratis.storage.FolderStorage;
import dev.floe.meta.ratis.storage.SnapshotFiles;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import dev.floe.meta.ratis.storage.SnapshotWorker;
import dev.floe.meta.ratis.storage.StateFormat;
import dev.floe.meta.state.DigestMismatchListener;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.server.protocol.TermIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataStateMachineTest {
  private static final TermIndex OLD = TermIndex.valueOf(1, 10);
  private static final TermIndex NEW = TermIndex.valueOf(2, 20);

  @TempDir private Path root;
  private final SnapshotFiles files = new SnapshotFiles();

  @Test
  void anInstalledSnapshotThatIsDamagedIsNotReplacedByAnOlderState() throws IOException {
    files.init(FolderStorage.in(root));
    FloeStateFormat format = new FloeStateFormat(StateConfig.DEFAULT, DigestMismatchListener.NONE);
    MetadataState state = format.empty();
    state.apply(1, OLD.getIndex(), new CommandBatch(1, List.of()));
    try (StateFormat.Frozen frozen = format.freeze(state)) {
      files.write(OLD, frozen::write);
    }
    files.write(NEW, channel -> channel.write(ByteBuffer.wrap(new byte[] {2})));
    onMachine(
        format,
        machine ->
            assertThatThrownBy(machine::reinitialize)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("index 20"));
  }

  @Test
  void aStartIsRefusedWhereLogAndOlderSnapshotDoNotReachADamagedOne() throws IOException {
    Path log = Files.createDirectories(root.resolve("current"));
    files.init(FolderStorage.in(root));
    files.write(OLD, channel -> channel.write(ByteBuffer.wrap(new byte[] {1})));
    files.write(NEW, channel -> channel.write(ByteBuffer.wrap(new byte[] {2})));
    Path newest = root.resolve("sm").resolve("snapshot.2_20");
    Files.write(newest, new byte[] {9});
    files.loadNewest(path -> path);
    FloeStateFormat format = new FloeStateFormat(StateConfig.DEFAULT, DigestMismatchListener.NONE);
    onMachine(
        format,
        machine -> {
          assertGap(machine, log, "11 to 20");
          Files.createFile(log.resolve("log_5-18"));
          assertGap(machine, log, "19 to 20");
          // A second start refuses too: the damaged one has been put aside by then.
          files.loadNewest(path -> path);
          assertGap(machine, log, "19 to 20");
          Files.createFile(log.resolve("log_19-20"));
          machine.checkNoGap(log);
        });
  }

  @Test
  void aSnapshotThatALossOfPowerLeftHalfInstalledIsNoGap() throws IOException {
    Path log = Files.createDirectories(root.resolve("current"));
    files.init(FolderStorage.in(root));
    files.write(OLD, channel -> channel.write(ByteBuffer.wrap(new byte[] {1})));
    Files.write(root.resolve("sm").resolve("snapshot.2_20"), new byte[] {9});
    files.loadNewest(path -> path);
    FloeStateFormat format = new FloeStateFormat(StateConfig.DEFAULT, DigestMismatchListener.NONE);
    onMachine(format, machine -> machine.checkNoGap(log));
  }

  /// What the followers of a leader have applied before their own logs were forced.
  @Test
  void aLogThatEndsBeforeTheSnapshotGivesWayToIt() throws IOException {
    Path log = Files.createDirectories(root.resolve("current"));
    files.init(FolderStorage.in(root));
    files.write(OLD, channel -> channel.write(ByteBuffer.wrap(new byte[] {1})));
    Path covered = Files.createFile(log.resolve("log_1-" + (OLD.getIndex() - 1)));
    Path meta = Files.createFile(log.resolve("raft-meta"));
    FloeStateFormat format = new FloeStateFormat(StateConfig.DEFAULT, DigestMismatchListener.NONE);
    onMachine(
        format,
        machine -> {
          files.loadNewest(path -> path);
          machine.checkNoGap(log);
          assertThat(covered).doesNotExist();
          assertThat(meta).exists();
          Path reaching = Files.createFile(log.resolve("log_1-" + OLD.getIndex()));
          machine.checkNoGap(log);
          assertThat(reaching).exists();
        });
  }

  private static void assertGap(MetadataStateMachine machine, Path log, String entries) {
    assertThatThrownBy(() -> machine.checkNoGap(log))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
        .hasMessageContaining("the entries " + entries)
        .hasMessageContaining("new id");
  }

  private interface Use {
    void of(MetadataStateMachine machine) throws IOException;
  }

  private void onMachine(FloeStateFormat format, Use use) throws IOException {
    SnapshotTrigger trigger = new SnapshotTrigger(SnapshotTrigger.Thresholds.DEFAULT, 0);
    try (SnapshotWorker worker = new SnapshotWorker("m1", files, trigger, () -> 0, () -> {});
        LeadershipRelay relay = new LeadershipRelay("m1")) {
      MetadataStateMachine machine =
          new MetadataStateMachine(
              new MetadataStateMachine.Parts(
                  "m1",
                  format,
                  files,
                  worker,
                  relay,
                  new RatisSeams(
                      () -> 0,
                      (what, cause) -> {
                        throw new AssertionError(what, cause);
                      })),
              ClientId.randomId(),
              new ConcurrentHashMap<>());
      use.of(machine);
    }
  }
}
