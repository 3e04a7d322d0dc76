package dev.floe.meta.state.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.meta.command.MetadataReply;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

class ReplyWindowPropertyTest {
  @Property
  void behavesLikeASortedMap(@ForAll("steps") List<Step> steps) {
    ReplyWindow window = new ReplyWindow();
    TreeMap<Long, MetadataReply> expected = new TreeMap<>();
    for (Step step : steps) {
      switch (step) {
        case Add(long sequence) -> {
          MetadataReply reply = new MetadataReply.RuntimeRegistered(sequence);
          assertThat(window.add(sequence, reply, sequence * 31))
              .isEqualTo(expected.putIfAbsent(sequence, reply) == null);
        }
        case ForgetBelow(long sequence) -> {
          var forgotten = expected.headMap(sequence);
          long sum = forgotten.keySet().stream().mapToLong(s -> s * 31).sum();
          forgotten.clear();
          assertThat(window.forgetBelow(sequence)).isEqualTo(sum);
        }
        case Copy _ -> {
          ReplyWindow copy = new ReplyWindow(window);
          window.add(1000, MetadataReply.Done.INSTANCE, 1);
          window.forgetBelow(1001);
          window = copy;
        }
      }
      assertThat(window.toMap()).isEqualTo(expected);
      assertThat(window.hash()).isEqualTo(expected.keySet().stream().mapToLong(s -> s * 31).sum());
      for (long sequence = 0; sequence < 40; sequence++) {
        assertThat(window.get(sequence)).isEqualTo(expected.get(sequence));
      }
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<Long> sequences = Arbitraries.longs().between(1, 39);
    return Arbitraries.frequencyOf(
            Tuple.of(8, sequences.map(Add::new)),
            Tuple.of(2, sequences.map(ForgetBelow::new)),
            Tuple.of(1, Arbitraries.create(Copy::new)))
        .map(step -> (Step) step)
        .list()
        .ofMaxSize(60);
  }

  sealed interface Step {}

  record Add(long sequence) implements Step {}

  record ForgetBelow(long sequence) implements Step {}

  record Copy() implements Step {}
}
