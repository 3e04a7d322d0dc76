package dev.floe.sim.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SimDiskTest {
  private static final PowerLoss ANY = new PowerLoss(PowerLoss.Survivors.ANY, false);
  private static final PowerLoss BEGINNING = new PowerLoss(PowerLoss.Survivors.BEGINNING, false);

  private SimDisk disk = disk(1, DiskOptions.LINUX);

  private static SimDisk disk(long seed, DiskOptions options) {
    return new SimDisk("d", options, DiskTime.NONE, new SplittableRandom(seed));
  }

  private FileChannel open(String name, OpenOption... options) throws IOException {
    return disk.open(Path.of(name), Set.of(options));
  }

  private void write(String name, String text, boolean isForced) throws IOException {
    try (FileChannel channel = open(name, CREATE, TRUNCATE_EXISTING, WRITE)) {
      channel.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
      if (isForced) {
        channel.force(true);
      }
    }
  }

  private String read(String name) throws IOException {
    try (FileChannel channel = open(name, READ)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
      return new String(bytes.array(), 0, bytes.position(), UTF_8);
    }
  }

  private void forceDirectory(String name) throws IOException {
    try (FileChannel channel = open(name, READ)) {
      channel.force(true);
    }
  }

  // --- a file system ---

  @Test
  void answersWithTheExceptionsOfTheJdk() throws Exception {
    write("a", "x", false);
    disk.createDirectory(Path.of("d"));
    write("d/b", "y", false);
    assertThatThrownBy(() -> open("missing", READ)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.createDirectory(Path.of("d")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> disk.delete(Path.of("d")))
        .isInstanceOf(DirectoryNotEmptyException.class);
    assertThatThrownBy(() -> disk.move(Path.of("a"), Path.of("d/b"), false))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(disk.list(Path.of("d"))).containsExactly("b");
    disk.move(Path.of("a"), Path.of("d/b"), true);
    assertThat(read("d/b")).isEqualTo("x");
    assertThat(disk.list(Path.of(""))).containsExactly("d");
  }

  @Test
  void aFileIsLockedForOneChannelUntilItIsClosedOrItsProcessDies() throws Exception {
    FileChannel first = open("lock", CREATE, WRITE);
    FileChannel second = open("lock", CREATE, WRITE);
    assertThat(first.tryLock()).isNotNull();
    assertThatThrownBy(second::tryLock).isInstanceOf(OverlappingFileLockException.class);
    first.close();
    assertThat(second.tryLock()).isNotNull();
    disk.processDied();
    assertThatThrownBy(second::size).isInstanceOf(ClosedChannelException.class);
    assertThat(open("lock", WRITE).tryLock()).isNotNull();
  }

  // --- what survives ---

  @Test
  void aDeadProcessLeavesAllThatItWrote() throws Exception {
    write("a", "unsynced", false);
    disk.processDied();
    assertThat(read("a")).isEqualTo("unsynced");
  }

  @Test
  void powerLossTakesWhatWasNotForced() throws Exception {
    write("a", "old", true);
    try (FileChannel channel = open("a", WRITE)) {
      channel.write(ByteBuffer.wrap("new".getBytes(UTF_8)), 0);
      channel.write(ByteBuffer.wrap("!".getBytes(UTF_8)), 3);
    }
    assertThat(read("a")).isEqualTo("new!");
    disk.powerLoss(PowerLoss.NOTHING);
    assertThat(read("a")).isEqualTo("old");
  }

  @Test
  void powerLossTakesNothingThatWasForced() throws Exception {
    for (int seed = 0; seed < 50; seed++) {
      disk = disk(seed, DiskOptions.LINUX.withSectorBytes(seed % 2 == 0 ? 512 : 4096));
      write("a", "x".repeat(5000), true);
      try (FileChannel channel = open("a", WRITE)) {
        channel.write(ByteBuffer.wrap("y".repeat(5000).getBytes(UTF_8)), 5000);
      }
      disk.powerLoss(new PowerLoss(PowerLoss.Survivors.ANY, true));
      assertThat(read("a")).startsWith("x".repeat(5000)).hasSizeLessThanOrEqualTo(10_000);
    }
  }

  @Test
  void aBeginningOfUnforcedWritesSurvivesUpToAnyOfThem() throws Exception {
    Set<String> seen = new TreeSet<>();
    for (int seed = 0; seed < 60; seed++) {
      disk = disk(seed, DiskOptions.LINUX);
      write("a", "", true);
      try (FileChannel channel = open("a", WRITE)) {
        for (String part : new String[] {"1", "2", "3"}) {
          channel.write(ByteBuffer.wrap(part.repeat(512).getBytes(UTF_8)));
        }
      }
      disk.powerLoss(BEGINNING);
      seen.add(read("a").replaceAll("(.)\\1+", "$1"));
    }
    assertThat(seen).containsExactlyInAnyOrder("", "1", "12", "123");
  }

  @Test
  void anySectorsOfUnforcedWritesSurvive() throws Exception {
    Set<String> seen = new TreeSet<>();
    for (int seed = 0; seed < 60; seed++) {
      disk = disk(seed, DiskOptions.LINUX);
      write("a", ".".repeat(1024), true);
      try (FileChannel channel = open("a", WRITE)) {
        channel.write(ByteBuffer.wrap("n".repeat(1024).getBytes(UTF_8)), 0);
      }
      disk.powerLoss(ANY);
      seen.add(read("a").replaceAll("(.)\\1{511}", "$1"));
    }
    assertThat(seen).containsExactlyInAnyOrder("..", "n.", ".n", "nn");
  }

  @Test
  void aTornSectorHasABeginningOfTheNewBytes() throws Exception {
    boolean isTorn = false;
    for (int seed = 0; seed < 100; seed++) {
      disk = disk(seed, DiskOptions.LINUX);
      write("a", ".".repeat(512), true);
      try (FileChannel channel = open("a", WRITE)) {
        channel.write(ByteBuffer.wrap("n".repeat(512).getBytes(UTF_8)), 0);
      }
      disk.powerLoss(new PowerLoss(PowerLoss.Survivors.ANY, true));
      assertThat(read("a")).matches("n*\\.*").hasSize(512);
      isTorn |= read("a").matches("n+\\.+");
    }
    assertThat(isTorn).isTrue();
  }

  @Test
  void aRenameIsLostUntilTheDirectoryIsForced() throws Exception {
    write("a", "old", true);
    forceDirectory("");
    write("a.tmp", "new", true);
    disk.move(Path.of("a.tmp"), Path.of("a"), true);
    assertThat(read("a")).isEqualTo("new");
    disk.powerLoss(PowerLoss.NOTHING);
    assertThat(read("a")).isEqualTo("old");
    assertThat(read("a.tmp")).isEqualTo("new");
    disk.move(Path.of("a.tmp"), Path.of("a"), true);
    forceDirectory("");
    disk.powerLoss(PowerLoss.NOTHING);
    assertThat(read("a")).isEqualTo("new");
    assertThat(disk.list(Path.of(""))).containsExactly("a");
  }

  @Test
  void forcingAFileKeepsItsCreationOnLinuxAndNotByPosix() throws Exception {
    write("a", "x", true);
    disk.powerLoss(PowerLoss.NOTHING);
    assertThat(read("a")).isEqualTo("x");
    disk = disk(1, DiskOptions.LINUX.withNames(DiskOptions.Names.POSIX));
    write("a", "x", true);
    disk.powerLoss(PowerLoss.NOTHING);
    assertThat(disk.list(Path.of(""))).isEmpty();
  }

  @Test
  void namesSurviveInTheOrderOfTheJournal() throws Exception {
    Set<String> seen = new TreeSet<>();
    for (int seed = 0; seed < 60; seed++) {
      disk = disk(seed, DiskOptions.LINUX);
      for (String name : new String[] {"a", "b", "c"}) {
        write(name, "", false);
      }
      disk.powerLoss(ANY);
      seen.add(String.join("", disk.list(Path.of(""))));
    }
    assertThat(seen).containsExactlyInAnyOrder("", "a", "ab", "abc");
  }

  // --- faults ---

  @Test
  void aLyingForceLosesWhatItPromised() throws Exception {
    write("a", "old", true);
    disk.faults().lieAboutForce(1);
    write("a", "new", true);
    assertThat(disk.faults().felt()).isPositive();
    disk.faults().heal();
    disk.powerLoss(PowerLoss.NOTHING);
    assertThat(read("a")).isEqualTo("old");
  }

  @Test
  void whatAFailedForceLeftBehindIsNotTriedAgain() throws Exception {
    write("a", "old", true);
    try (FileChannel channel = open("a", WRITE)) {
      channel.write(ByteBuffer.wrap("new".getBytes(UTF_8)), 0);
      disk.faults().errors(DiskFaults.Operation.FORCE, 1);
      assertThatThrownBy(() -> channel.force(false)).hasMessage("Input/output error");
      disk.faults().heal();
      channel.force(false);
    }
    assertThat(read("a")).as("the page cache has it").isEqualTo("new");
    disk.powerLoss(PowerLoss.NOTHING);
    assertThat(read("a")).as("the medium does not").isEqualTo("old");
  }

  @Test
  void aFullDiskTakesAPartThenNothingUntilThereIsRoom() throws Exception {
    disk.leaveSpace(3);
    try (FileChannel channel = open("a", CREATE, WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap("12345".getBytes(UTF_8));
      assertThat(channel.write(bytes)).isEqualTo(3);
      assertThatThrownBy(() -> channel.write(bytes)).hasMessage("No space left on device");
      assertThatThrownBy(() -> open("b", CREATE, WRITE))
          .hasMessageContaining("No space left on device");
      channel.write(ByteBuffer.wrap("x".getBytes(UTF_8)), 0);
      disk.makeSpace();
      channel.write(bytes);
    }
    assertThat(read("a")).isEqualTo("x2345");
  }

  @Test
  void rotTurnsOneBitOver() throws Exception {
    write("a", "aaaa", true);
    write("other", "aaaa", true);
    assertThat(disk.damage().rot(name -> name.equals("a"))).startsWith("a at ");
    byte[] now = read("a").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    assertThat(now).isNotEqualTo("aaaa".getBytes(UTF_8));
    assertThat(read("other")).isEqualTo("aaaa");
  }

  @Test
  void aMisdirectedWriteShowsWhenThePageCacheIsGone() throws Exception {
    write("a", ".".repeat(512 * 16), true);
    disk.faults().misdirectWrites(1);
    try (FileChannel channel = open("a", WRITE)) {
      channel.write(ByteBuffer.wrap("n".repeat(512).getBytes(UTF_8)), 512 * 8);
      channel.force(true);
    }
    disk.faults().heal();
    assertThat(read("a").indexOf('n')).isEqualTo(512 * 8);
    disk.restartMachine();
    assertThat(read("a").indexOf('n')).isNotNegative().isNotEqualTo(512 * 8);
  }

  @Test
  void shortWritesMoveSomeAndReadsCanFail() throws Exception {
    disk.faults().shortWrites(1);
    try (FileChannel channel = open("a", CREATE, WRITE)) {
      assertThat(channel.write(ByteBuffer.allocate(100))).isBetween(1, 99);
    }
    disk.faults().errors(DiskFaults.Operation.READ, 1);
    assertThatThrownBy(() -> read("a")).hasMessage("Input/output error");
  }
}
