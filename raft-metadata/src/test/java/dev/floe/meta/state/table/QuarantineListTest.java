package dev.floe.meta.state.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SegmentId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

class QuarantineListTest {
  private final CaptureEpochs epochs = new CaptureEpochs();
  private final QuarantineList list = new QuarantineList(epochs);

  private static Abandoned range(long releaseMillis, int segment, long offset) {
    return new Abandoned(
        releaseMillis,
        new MemoryRange(new SegmentId(segment), new RuntimeId("s" + segment), offset, 10));
  }

  private static List<Abandoned> flat(List<SortedSet<Abandoned>> captured) {
    List<Abandoned> all = new ArrayList<>();
    captured.forEach(all::addAll);
    return all;
  }

  @Test
  void releasesInTheOrderOfTimeAcrossSeconds() {
    list.add(range(2_500, 1, 0));
    list.add(range(999, 2, 0));
    list.add(range(2_400, 2, 10));
    assertThat(list.takeReleased(2_400, 10))
        .containsExactly(range(999, 2, 0).range(), range(2_400, 2, 10).range());
    assertThat(list.takeReleased(2_499, 10)).isEmpty();
    assertThat(list.takeReleased(9_999, 10)).containsExactly(range(2_500, 1, 0).range());
    assertThat(list.bytes()).isZero();
    assertThat(list.digest()).isZero();
  }

  @Test
  void aCaptureKeepsWhatItSawWhileTheListChanges() {
    for (int i = 0; i < 5; i++) {
      list.add(range(1_000L * i, 1 + i % 2, 10L * i));
    }
    epochs.begin();
    List<SortedSet<Abandoned>> captured = list.captured();
    List<Abandoned> before = flat(captured);
    list.takeReleased(1_000, 10);
    list.dropSegment(new SegmentId(1));
    list.add(range(3_001, 7, 0));
    assertThat(flat(captured)).isEqualTo(before).hasSize(5);
    epochs.end();
    assertThat(flat(list.captured())).containsExactly(range(3_000, 2, 30), range(3_001, 7, 0));
  }

  @Test
  void onlyTheBucketThatChangesIsCopied() {
    list.add(range(1_000, 1, 0));
    list.add(range(5_000, 1, 10));
    epochs.begin();
    List<SortedSet<Abandoned>> captured = list.captured();
    list.add(range(5_001, 1, 20));
    assertThat(list.captured().get(0)).isSameAs(captured.get(0));
    assertThat(list.captured().get(1)).isNotSameAs(captured.get(1));
    epochs.end();
  }

  @Test
  void refusesWhatItHasOrHasNot() {
    list.add(range(1_000, 1, 0));
    assertThatThrownBy(() -> list.add(range(1_000, 1, 0))).hasMessageContaining("already");
  }
}
