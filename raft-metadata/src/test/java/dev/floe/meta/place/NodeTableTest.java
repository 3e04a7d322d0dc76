package dev.floe.meta.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class NodeTableTest {
  private static NodeTable withNodes(int count) {
    NodeTable table = new NodeTable();
    for (int i = 0; i < count; i++) {
      table.setSize(table.add(), i);
    }
    return table;
  }

  private record Copied(WeakReference<NodeTable> original, NodeTable copy) {}

  private static Copied copied() {
    NodeTable original = withNodes(200);
    NodeTable copy = original.copy();
    copy.setSize(0, 1000);
    return new Copied(new WeakReference<>(original), copy);
  }

  @Test
  void whatIsWrittenToACopyIsNotSeenInTheOriginal() {
    NodeTable original = withNodes(200);
    NodeTable copy = original.copy();
    copy.setSize(199, 7);
    assertThat(original.size(199)).isEqualTo(199);
    assertThat(copy.size(199)).isEqualTo(7);
    assertThat(copy.size(0)).isZero();
  }

  @Test
  void theOriginalGoesThoughItsCopyStillUsesItsPages() {
    Copied copied = copied();
    for (int i = 0; i < 100 && copied.original().get() != null; i++) {
      System.gc();
    }
    assertThat(copied.original().get()).isNull();
    assertThat(copied.copy().size(199)).isEqualTo(199);
  }
}
