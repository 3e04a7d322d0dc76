package dev.floe.meta.snapshot;

import static dev.floe.meta.state.StateDriver.KIB;
import static dev.floe.meta.state.StateDriver.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.command.MetadataCommand.Barrier;
import dev.floe.meta.command.MetadataCommand.ExpireSessions;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.PutEnd;
import dev.floe.meta.command.MetadataCommand.PutStart;
import dev.floe.meta.command.MetadataCommand.Remove;
import dev.floe.meta.command.MetadataCommand.SuspectRuntimes;
import dev.floe.meta.command.MetadataCommand.WriteOptions;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.PutStarted;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateCapture;
import dev.floe.meta.state.StateConfig;
import dev.floe.meta.state.StateDriver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SnapshotTest {
  private static final String GOLDEN = "/golden/snapshot-v2.bin";

  static byte[] write(MetadataState state) {
    try (StateCapture capture = state.capture()) {
      return write(capture);
    }
  }

  static byte[] write(StateCapture capture) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      SnapshotWriter.write(capture, out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  static MetadataState read(byte[] bytes) {
    try {
      return SnapshotReader.read(new ByteArrayInputStream(bytes), StateConfig.DEFAULT);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// A state with something in every section.
  static StateDriver scenario() {
    StateDriver driver = new StateDriver();
    SessionId session = driver.openSession(1);
    driver.store("a", MIB);
    driver.store("b", 2 * MIB);
    driver.mount(driver.register("b", 1), "memory-1", 100);
    for (int i = 0; i < 20; i++) {
      driver.put(session, "object-" + i, 100L * i * i, 1 + i % 2);
    }
    for (int i = 0; i < 20; i += 3) {
      driver.in(session, new Remove(ObjectId.of("object-" + i), false));
    }
    driver.start(session, "unfinished", 5 * KIB, 2);
    SessionId dead = driver.openSession(2);
    driver.start(dead, "abandoned", 7 * KIB, 1);
    driver.leader(new ExpireSessions(List.of(dead), driver.index()));
    driver.leader(new SuspectRuntimes(List.of(driver.register("suspect", 1))));
    driver.in(session, new PutStart(ObjectId.of("x"), -1, Placement.replicas(1)));
    driver.openSession(3);
    return driver;
  }

  /// A state in which objects are pinned, grouped and being replaced.
  static StateDriver replacing() {
    StateDriver driver = new StateDriver();
    SessionId session = driver.openSession(1);
    driver.store("a", MIB);
    for (int i = 0; i < 8; i++) {
      WriteOptions options =
          new WriteOptions(
              true,
              DataType.KVCACHE,
              "g" + i % 2,
              i % 3 == 0,
              i % 4 == 0 ? new SoftPin.Enable(60_000 + i) : SoftPin.Disable.INSTANCE);
      ObjectId id = ObjectId.of("object-" + i);
      PutStart start = new PutStart(id, 1000 + i, Placement.replicas(1), options);
      MetadataReply started = driver.in(session, start);
      driver.in(session, new PutEnd(id, StateDriver.tokens((PutStarted) started), i));
      if (i > 4) {
        driver.in(session, start);
      }
    }
    return driver;
  }

  /// Commands after a snapshot whose outcome depends on every detail of the state.
  static List<MetadataReply> continuation(StateDriver driver) {
    List<MetadataReply> replies = new ArrayList<>();
    SessionId session = driver.sessionNamed(1);
    for (int i = 0; i < 30; i++) {
      long sequence = 1000 + 2L * i;
      ObjectId id = ObjectId.of("later-" + i);
      replies.addAll(
          driver.apply(
              new SessionCommand(
                  session, sequence, 1, new PutStart(id, 777L * i, Placement.replicas(2))),
              new SessionCommand(session, 1 + i, 1, new Barrier()),
              new SessionCommand(
                  session,
                  sequence + 1,
                  1,
                  i % 3 == 0
                      ? new Remove(ObjectId.of("object-" + i), true)
                      : new PutEnd(ObjectId.of("later-" + (i - 1)), List.of(1L + i), i))));
    }
    driver.passMillis(600_000);
    driver.tick();
    return replies;
  }

  @Test
  void aRestoredStateIsEqualAndGoesOnTheSameWay() {
    StateDriver original = scenario();
    byte[] bytes = write(original.state());

    StateDriver restored = new StateDriver(read(bytes));
    assertThat(restored.state().digest()).isEqualTo(original.state().digest());
    assertThat(restored.state().totals()).isEqualTo(original.state().totals());
    assertThat(write(restored.state())).isEqualTo(bytes);

    assertThat(continuation(restored)).isEqualTo(continuation(original));
    assertThat(restored.state().digest()).isEqualTo(original.state().digest());
    assertThat(write(restored.state())).isEqualTo(write(original.state()));
  }

  /// Which range the next write gets depends on the order of frees, not only on what is free.
  @Test
  void theOrderOfFreeRangesIsKept() {
    StateDriver original = new StateDriver();
    SessionId session = original.openSession(1);
    original.store("a", MIB);
    for (int i = 0; i < 40; i++) {
      original.put(session, "object-" + i, 1000, 1);
    }
    for (int i : new int[] {7, 31, 1, 15, 23, 3, 37, 11}) {
      original.in(session, new Remove(ObjectId.of("object-" + i), false));
    }

    StateDriver restored = new StateDriver(read(write(original.state())));

    for (int i = 0; i < 8; i++) {
      SessionCommand start =
          new SessionCommand(
              session,
              500 + i,
              1,
              new PutStart(ObjectId.of("later-" + i), 1000, Placement.replicas(1)));
      assertThat(restored.apply(start)).isEqualTo(original.apply(start));
    }
    assertThat(restored.state().digest()).isEqualTo(original.state().digest());
  }

  @Test
  void pinsGroupsAndVersionsToComeAreKept() {
    MetadataState original = replacing().state();
    MetadataState restored = read(write(original));
    assertThat(restored.digest()).isEqualTo(original.digest());
    for (int i = 0; i < 8; i++) {
      ObjectId id = ObjectId.of("object-" + i);
      assertThat(restored.route(id)).isEqualTo(original.route(id));
      assertThat(restored.groupWith(Objects.requireNonNull(restored.route(id)))).hasSize(4);
    }
  }

  @Test
  void theEmptyStateCanBeKeptToo() {
    MetadataState empty = new MetadataState(StateConfig.DEFAULT);

    assertThat(read(write(empty)).digest()).isEqualTo(empty.digest());
  }

  @Test
  void aCaptureKeepsItsMomentWhileApplyGoesOn() {
    StateDriver driver = scenario();
    byte[] before = write(driver.state());
    try (StateCapture first = driver.state().capture()) {
      continuation(driver);
      byte[] middle = write(driver.state());
      try (StateCapture second = driver.state().capture()) {
        for (int i = 0; i < 20; i++) {
          driver.leader(new Remove(ObjectId.of("object-" + i), true));
        }
        driver.leader(new ExpireSessions(List.of(driver.sessionNamed(1)), driver.index()));
        assertThat(write(first)).isEqualTo(before);
        assertThat(write(second)).isEqualTo(middle);
      }
    }
    byte[] after = write(driver.state());
    assertThat(read(after).digest()).isEqualTo(driver.state().digest());
  }

  @Test
  void writingRunsBesideApply() throws Exception {
    StateDriver driver = scenario();
    for (int round = 0; round < 5; round++) {
      SessionId session = driver.sessionNamed(3);
      byte[] expected = write(driver.state());
      StateCapture capture = driver.state().capture();
      byte[][] written = new byte[1][];
      Thread writer = new Thread(() -> written[0] = write(capture), "snapshot-writer");
      writer.start();
      for (int i = 0; i < 20; i++) {
        driver.put(session, "beside-" + round + "-" + i, 50L * i, 2);
      }
      writer.join();
      capture.close();
      assertThat(written[0]).isEqualTo(expected);
    }
  }

  /// What is in snapshots today must stay readable; after the first release a changed file means a
  /// new format version. Error messages in it may be older than today's, the digest is the same.
  @Test
  void theGoldenFileIsReadAndWrittenAgainTheSame() throws IOException {
    StateDriver driver = scenario();
    Path copy = Path.of("target", "golden-snapshot-actual.bin");
    Files.write(copy, write(driver.state()));
    try (InputStream in = SnapshotTest.class.getResourceAsStream(GOLDEN)) {
      assertThat(in).as("%s; %s is what it should be", GOLDEN, copy).isNotNull();
      byte[] golden = in.readAllBytes();
      MetadataState state = read(golden);
      assertThat(write(state)).isEqualTo(golden);
      assertThat(state.digest()).isEqualTo(driver.state().digest());
      assertThat(state.sessions()).isEqualTo(driver.state().sessions());
      assertThat(state.totals()).isEqualTo(driver.state().totals());
    }
  }

  @Test
  void manyRepliesAndRangesSpanSeveralMessages() {
    StateDriver driver = new StateDriver();
    SessionId session = driver.openSession(1);
    MetadataState state = driver.state();
    long index = driver.index();
    List<SessionCommand> barriers = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      barriers.add(new SessionCommand(session, i, 1, new Barrier()));
    }
    state.apply(1, index + 1, new dev.floe.meta.command.CommandBatch(1, barriers));

    assertThat(read(write(state)).digest()).isEqualTo(state.digest());
  }

  @Test
  void anotherVersionIsRefused() {
    byte[] bytes = write(scenario().state());
    bytes[SnapshotFormat.MAGIC.length + 3]++;

    assertRefused(bytes, ErrorCode.VERSION_MISMATCH, "version 3");
  }

  @Test
  void everyTruncationIsRefusedWithItsPlace() {
    byte[] bytes = write(scenario().state());
    for (int length = 0; length < bytes.length; length++) {
      FloeException refusal = refusal(Arrays.copyOf(bytes, length));
      if (refusal == null
          || refusal.code() != ErrorCode.CORRUPT
          || !String.valueOf(refusal.getMessage()).contains("at byte")) {
        throw new AssertionError("cut to " + length + " bytes", refusal);
      }
    }
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] bytes = write(scenario().state());
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= (byte) (1 << (i % 8));
      if (refusal(bytes) == null) {
        throw new AssertionError("a changed bit of byte " + i + " went through");
      }
      bytes[i] ^= (byte) (1 << (i % 8));
    }
    read(bytes);
  }

  @Test
  void bytesBehindTheFooterAreRefused() {
    byte[] bytes = write(scenario().state());

    assertRefused(Arrays.copyOf(bytes, bytes.length + 1), ErrorCode.CORRUPT, "kind 0");
    byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length - SnapshotFormat.PREFIX_BYTES);
    System.arraycopy(
        bytes,
        SnapshotFormat.PREFIX_BYTES,
        twice,
        bytes.length,
        bytes.length - SnapshotFormat.PREFIX_BYTES);
    assertRefused(twice, ErrorCode.CORRUPT, "follows the footer");
  }

  private static @Nullable FloeException refusal(byte[] bytes) {
    try {
      read(bytes);
      return null;
    } catch (FloeException e) {
      return e;
    }
  }

  private static void assertRefused(byte[] bytes, ErrorCode code, String hint) {
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(FloeException.class)
        .hasMessageContaining(hint)
        .extracting(e -> ((FloeException) e).code())
        .isEqualTo(code);
  }
}
