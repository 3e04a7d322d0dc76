package dev.floe.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeDirectoryTest {
  private static final NodeIdentity M1 = new NodeIdentity("blue", "master", "m1");

  @TempDir Path root;

  private static void assertFails(ErrorCode code, ThrowingCallable call, String... named) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FloeException.class,
            e -> {
              assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
              for (String name : named) {
                assertThat(e.getMessage()).contains(name);
              }
            });
  }

  @Test
  void createsTheDirectoryAndRemembersItsNode() throws IOException {
    Path path = root.resolve("a/b");
    assertThat(NodeDirectory.identityOf(path)).isEmpty();
    try (NodeDirectory directory = NodeDirectory.open(path, M1)) {
      assertThat(directory.path()).isEqualTo(path.toRealPath());
      assertThat(directory.identity()).isEqualTo(M1);
      assertThat(directory.resolve("x")).isEqualTo(path.toRealPath().resolve("x"));
    }
    assertThat(NodeDirectory.identityOf(path)).contains(M1);
    assertThat(Files.readString(path.resolve(NodeDirectory.IDENTITY_FILE)))
        .isEqualTo("format=1\ncluster=blue\nrole=master\nnode=m1\n");
    NodeDirectory.open(path, M1).close();
  }

  @Test
  void refusesASecondHolderAndNamesTheFirst() {
    NodeDirectory first = NodeDirectory.open(root, M1);
    for (int i = 0; i < 2; i++) {
      assertFails(
          ErrorCode.DIRECTORY_IN_USE,
          () -> NodeDirectory.open(root.resolve("x/.."), M1),
          String.valueOf(root.getFileName()),
          "process " + ProcessHandle.current().pid());
    }
    first.close();
    NodeDirectory second = NodeDirectory.open(root, M1);
    first.close();
    assertFails(ErrorCode.DIRECTORY_IN_USE, () -> NodeDirectory.open(root, M1));
    second.close();
  }

  @Test
  void refusesTheDirectoryOfAnotherNodeAndNamesBoth() {
    NodeDirectory.open(root, M1).close();
    for (NodeIdentity other :
        new NodeIdentity[] {
          new NodeIdentity("green", "master", "m1"),
          new NodeIdentity("blue", "store", "m1"),
          new NodeIdentity("blue", "master", "m2")
        }) {
      assertFails(
          ErrorCode.DIRECTORY_OF_ANOTHER_NODE,
          () -> NodeDirectory.open(root, other),
          M1.toString(),
          other.toString());
    }
    NodeDirectory.open(root, M1).close();
  }

  @Test
  void namesAPathThatIsNoDirectory() throws IOException {
    Path file = Files.writeString(root.resolve("file"), "x");
    assertFails(ErrorCode.DIRECTORY_UNUSABLE, () -> NodeDirectory.open(file, M1), file.toString());
    assertFails(ErrorCode.DIRECTORY_UNUSABLE, () -> NodeDirectory.open(file.resolve("below"), M1));
  }

  @Test
  void refusesALockFileThatCannotBeWritten() throws IOException {
    Files.createDirectories(root.resolve(NodeDirectory.LOCK_FILE));
    assertFails(ErrorCode.DIRECTORY_UNUSABLE, () -> NodeDirectory.open(root, M1));
  }

  @Test
  void refusesADamagedIdentity() throws IOException {
    Path file = root.resolve(NodeDirectory.IDENTITY_FILE);
    for (String damaged :
        new String[] {
          "",
          "garbage",
          "format=1\ncluster=blue\nrole=master\n",
          "format=1\ncluster=blue\nrole=master\nnode=\n",
          "format=1\nformat=1\ncluster=blue\nrole=master\nnode=m1\n"
        }) {
      Files.writeString(file, damaged);
      assertFails(ErrorCode.CORRUPT, () -> NodeDirectory.open(root, M1), file.toString());
    }
    Files.writeString(file, "format=2\nsomething=else\n");
    assertFails(ErrorCode.VERSION_MISMATCH, () -> NodeDirectory.open(root, M1), "format 2");
  }

  @Test
  void refusesNamesThatCannotBeStored() {
    assertFails(ErrorCode.INVALID_CONFIG, () -> new NodeIdentity("a\nb", "master", "m1"));
    assertFails(ErrorCode.INVALID_CONFIG, () -> new NodeIdentity("a", " ", "m1"));
    assertFails(ErrorCode.INVALID_CONFIG, () -> new NodeIdentity("a", "master", "m1 "));
  }

  @Test
  void replacesAFileAsAWholeAndIgnoresALeftover() throws IOException {
    Path file = root.resolve("state");
    Files.writeString(
        root.resolve("state.tmp"), "a leftover of a crash that is longer than the new");
    AtomicFile.write(file, new byte[] {1, 2, 3});
    AtomicFile.write(file, new byte[] {4});
    assertThat(Files.readAllBytes(file)).containsExactly(4);
    try (var files = Files.list(root)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void keepsTheOldContentWhenWritingFails() throws IOException {
    Path file = root.resolve("state");
    AtomicFile.write(file, new byte[] {1});
    Files.createDirectories(root.resolve("state.tmp"));
    assertFails(ErrorCode.IO_ERROR, () -> AtomicFile.write(file, new byte[] {2}), file.toString());
    assertThat(Files.readAllBytes(file)).containsExactly(1);
  }
}
