package dev.floe.sim.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.file.AtomicFile;
import dev.floe.core.file.NodeDirectory;
import dev.floe.core.file.NodeIdentity;
import dev.floe.meta.ratis.storage.LogTailRepair;
import dev.floe.sim.vthread.InSimulationJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.ratis.util.AtomicFileOutputStream;
import org.junit.jupiter.api.Test;

/// What our own classes promise about power losses, each alone.
@InSimulationJvm
class DurabilitySimTest {
  private static final NodeIdentity NODE = new NodeIdentity("c", "master", "m1");

  private static void write(Path path, byte[] bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      channel.write(ByteBuffer.wrap(bytes));
    }
  }

  @Test
  void anAtomicFileIsDurableWhenItsWriteReturns() {
    OnSimDisk.run(
        on -> {
          Path before = on.nextLife();
          AtomicFile.write(before.resolve("f"), "old".getBytes(UTF_8));
          AtomicFile.write(before.resolve("f"), "new".getBytes(UTF_8));
          assertThat(Files.readAllBytes(on.afterPowerLoss().resolve("f")))
              .asString(UTF_8)
              .isEqualTo("new");
        });
  }

  @Test
  void aNodeDirectoryStillBelongsToItsNodeAfterPowerLoss() {
    OnSimDisk.run(
        on -> {
          NodeDirectory.open(on.nextLife().resolve("data"), NODE);
          assertThat(NodeDirectory.identityOf(on.afterPowerLoss().resolve("data"))).contains(NODE);
        });
  }

  /// A killed process leaves entries in the page cache that it had no time to force. Ratis reads
  /// them, counts them as durable and acknowledges on top of them.
  @Test
  void whatALogReadsAfterAKillIsThereAfterAPowerLoss() {
    OnSimDisk.run(
        on -> {
          Path current = Files.createDirectories(on.nextLife().resolve("group/current"));
          AtomicFile.write(current.resolve("raft-meta"), "term=1\nvotedFor=m1\n".getBytes(UTF_8));
          write(current.resolve("log_0-4"), "closed".getBytes(UTF_8));
          write(current.resolve("log_inprogress_5"), "RaftLog1".getBytes(US_ASCII));
          on.disk().processDied();
          Path group = on.nextLife().resolve("group");
          assertThat(new LogTailRepair(group, 1 << 20).run()).isEmpty();
          Path after = on.afterPowerLoss().resolve("group/current");
          assertThat(Files.readAllBytes(after.resolve("log_inprogress_5")))
              .isEqualTo("RaftLog1".getBytes(US_ASCII));
          assertThat(Files.readAllBytes(after.resolve("log_0-4"))).isNotEmpty();
        });
  }

  /// The planted bug that the first test here must see.
  @Test
  void anAtomicFileWithoutTheForceOfItsDirectoryIsLost() {
    OnSimDisk.run(
        on -> {
          Path before = on.nextLife();
          AtomicFile.write(before.resolve("f"), "old".getBytes(UTF_8));
          on.disk().leaveOutForces(String::isEmpty);
          AtomicFile.write(before.resolve("f"), "new".getBytes(UTF_8));
          assertThat(Files.readAllBytes(on.afterPowerLoss().resolve("f")))
              .asString(UTF_8)
              .isEqualTo("old");
        });
  }

  /// Ratis 3.2.2 renames the file of term and vote without forcing the folder: this is why a vote
  /// can be forgotten when the power goes soon after it.
  @Test
  void aFileThatRatisReplacesIsNotDurableYet() {
    OnSimDisk.run(
        on -> {
          Path file = on.nextLife().resolve("raft-meta");
          AtomicFile.write(file, "old".getBytes(UTF_8));
          try (AtomicFileOutputStream out = new AtomicFileOutputStream(file.toFile())) {
            out.write("new".getBytes(UTF_8));
          }
          assertThat(Files.readAllBytes(file)).asString(UTF_8).isEqualTo("new");
          assertThat(Files.readAllBytes(on.afterPowerLoss().resolve("raft-meta")))
              .asString(UTF_8)
              .isEqualTo("old");
        });
  }
}
