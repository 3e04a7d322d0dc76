package dev.floe.sim.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class YieldPointsTest {
  private static final String PRODUCTION = "dev/floe/core/Sample";

  /// What is rewritten.
  static final class Sample {
    private static final ConcurrentHashMap<String, String> MAP = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();
    private long plain;

    synchronized void inSynchronizedMethod() {
      plain++;
    }

    void inBlock() {
      synchronized (this) {
        plain++;
      }
    }

    long callsTwice() {
      count.incrementAndGet();
      return count.get() + MAP.size();
    }

    long alone() {
      return plain;
    }
  }

  private static byte[] rewritten() throws IOException {
    return Objects.requireNonNull(new ClassRewriter(PRODUCTION, true).rewrite(bytes()));
  }

  private static byte[] bytes() throws IOException {
    try (InputStream in = Sample.class.getResourceAsStream("YieldPointsTest$Sample.class")) {
      assertThat(in).isNotNull();
      return in.readAllBytes();
    }
  }

  /// The points of each method that has any, by name.
  private static Map<String, List<Integer>> pointsOf(byte[] rewritten) {
    Map<String, List<Integer>> all = new TreeMap<>();
    for (MethodModel method : ClassFile.of().parse(rewritten).methods()) {
      List<Integer> points = new ArrayList<>();
      CodeElement before = null;
      for (CodeElement element : method.code().orElseThrow()) {
        if (element instanceof InvokeInstruction call
            && call.name().equalsString("yieldPoint")
            && before instanceof ConstantInstruction number) {
          points.add((Integer) number.constantValue());
        }
        before = element;
      }
      if (!points.isEmpty()) {
        all.put(method.methodName().stringValue(), points);
      }
    }
    return all;
  }

  @Test
  void pointsStandWhereThreadsSynchroniseAndNowhereElse() throws IOException {
    Map<String, List<Integer>> points = pointsOf(rewritten());

    assertThat(points).containsOnlyKeys("<init>", "inSynchronizedMethod", "inBlock", "callsTwice");
    assertThat(points.get("callsTwice")).hasSize(3).doesNotHaveDuplicates();
    assertThat(points.get("inBlock")).hasSize(1);
    assertThat(points.get("inSynchronizedMethod")).hasSize(1);
    assertThat(pointsOf(rewritten())).isEqualTo(points);
  }

  @Test
  void thereAreNoneUnlessAskedFor() throws IOException {
    assertThat(new ClassRewriter(PRODUCTION, false).rewrite(bytes())).isNull();
  }

  @Test
  void theSimulatorItselfHasNone() throws IOException {
    assertThat(new ClassRewriter("dev/floe/sim/wire/Sample", true).rewrite(bytes())).isNull();
  }
}
