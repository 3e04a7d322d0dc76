package dev.floe.meta.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.core.time.Ticker;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.log.FakeMetaLog;
import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CommandBatcherPropertyTest {
  /// Whatever the sizes of requests, the slots and the faults: every command that succeeded is in
  /// the log exactly once, every other at most once, requests keep their order, entries keep their
  /// limits.
  @Property(tries = 60)
  void everyCommandOnceInOrderWithinLimits(
      @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 1, max = 700) Integer> requests,
      @ForAll @IntRange(min = 1, max = 4) int slots,
      @ForAll @Size(max = 6) List<FakeMetaLog.Fault> faults) {
    FakeMetaLog log =
        new FakeMetaLog(new MetadataState(StateConfig.DEFAULT), CommandBatcherPropertyTest::echo);
    log.lead();
    faults.stream().filter(fault -> fault != FakeMetaLog.Fault.ERROR).forEach(log::failNext);
    long next = 1;
    Map<Long, Boolean> succeeded = new ConcurrentHashMap<>();
    List<List<SessionCommand>> all = new ArrayList<>();
    for (int size : requests) {
      List<SessionCommand> request = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        request.add(CommandBatcherTest.command(next++));
      }
      all.add(request);
    }
    try (CommandBatcher batcher =
        new CommandBatcher(log, InstantSource.system(), c -> 1000, slots)) {
      batcher.start(1);
      try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        for (List<SessionCommand> request : all) {
          callers.execute(() -> submit(batcher, request, succeeded));
        }
      }
    }
    check(log.entries(), all, succeeded, !faults.isEmpty());
  }

  private static void submit(
      CommandBatcher batcher, List<SessionCommand> request, Map<Long, Boolean> succeeded) {
    try {
      List<MetadataReply> replies =
          batcher.submit(1, request, Deadline.after(Ticker.system(), Duration.ofMinutes(1)));
      for (int i = 0; i < request.size(); i++) {
        long sequence = request.get(i).sequence();
        assertThat(replies.get(i)).isEqualTo(new MetadataReply.RuntimeRegistered(sequence));
        succeeded.put(sequence, true);
      }
    } catch (FloeException e) {
      request.forEach(c -> succeeded.put(c.sequence(), false));
    }
  }

  private static void check(
      List<CommandBatch> entries,
      List<List<SessionCommand>> requests,
      Map<Long, Boolean> succeeded,
      boolean hasFaults) {
    Map<Long, Integer> places = new HashMap<>();
    int place = 0;
    for (CommandBatch entry : entries) {
      assertThat(entry.commands()).hasSizeBetween(1, Limits.ENTRY_COMMANDS_MAX);
      assertThat(entry.commands().size() * 1000).isLessThanOrEqualTo(Limits.ENTRY_BYTES_MAX);
      for (SessionCommand command : entry.commands()) {
        assertThat(places.put(command.sequence(), place++)).as("in the log twice").isNull();
      }
    }
    for (List<SessionCommand> request : requests) {
      int last = -1;
      for (SessionCommand command : request) {
        Boolean isDone = succeeded.get(command.sequence());
        assertThat(isDone).as("every caller was answered").isNotNull();
        Integer at = places.get(command.sequence());
        if (Boolean.TRUE.equals(isDone)) {
          assertThat(at).isNotNull();
        }
        if (at != null) {
          assertThat(at).isGreaterThan(last);
          last = at;
        }
      }
    }
    if (!hasFaults) {
      assertThat(succeeded.values()).doesNotContain(false);
    }
  }

  private static List<MetadataReply> echo(long index, CommandBatch batch) {
    return batch.commands().stream()
        .map(c -> (MetadataReply) new MetadataReply.RuntimeRegistered(c.sequence()))
        .toList();
  }
}
