package dev.floe.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataReply;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StateMachineSafetyOracleTest {
  private static final ByteString BYTES = ByteString.copyFromUtf8("entry");
  private static final List<MetadataReply> DONE = List.of(MetadataReply.Done.INSTANCE);

  private final StateMachineSafetyOracle oracle = new StateMachineSafetyOracle();

  @BeforeEach
  void oneEntry() {
    assertThat(oracle.applied("a", 1, 1, BYTES, DONE, 11)).isTrue();
  }

  @Test
  void acceptsTheSameEntryOnAnotherNodeAndInAnotherLife() {
    assertThat(oracle.applied("b", 1, 1, BYTES, DONE, 11)).isFalse();
    assertThat(oracle.applied("a", 1, 1, BYTES, DONE, 11)).isFalse();
    oracle.restored("c", 1, 11);
    assertThat(oracle.digestAt(1)).isEqualTo(11);
  }

  @Test
  void rejectsOtherBytesTermsRepliesAndDigests() {
    assertBroken(() -> oracle.applied("b", 1, 1, ByteString.EMPTY, DONE, 11));
    assertBroken(() -> oracle.applied("b", 1, 2, BYTES, DONE, 11));
    assertBroken(() -> oracle.applied("b", 1, 1, BYTES, DONE, 12));
    List<MetadataReply> other = List.of(new MetadataReply.Failed(ErrorCode.NOT_FOUND, "x"));
    assertBroken(() -> oracle.applied("b", 1, 1, BYTES, other, 11));
  }

  @Test
  void rejectsAGapAndASnapshotOfAnotherState() {
    assertBroken(() -> oracle.applied("b", 3, 1, BYTES, DONE, 11));
    assertBroken(() -> oracle.restored("b", 1, 12));
    assertBroken(() -> oracle.restored("b", 2, 11));
  }

  @Test
  void rejectsTwoLeadersOfOneTerm() {
    oracle.led("a", 1);
    oracle.led("a", 1);
    assertBroken(() -> oracle.led("b", 1));
  }

  private static void assertBroken(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            Violation.class,
            e -> assertThat(e.invariant()).isEqualTo(Invariant.STATE_MACHINE_SAFETY));
  }
}
