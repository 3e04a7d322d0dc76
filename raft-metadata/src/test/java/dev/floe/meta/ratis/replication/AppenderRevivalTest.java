package dev.floe.meta.ratis.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionProperties;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Test;

final class AppenderRevivalTest {
  private static final RaftPeerId ID = RaftPeerId.valueOf("m2");

  private final List<LogAppender> restarted = new ArrayList<>();
  private boolean isRunning = true;
  private int works;
  private long successorIndex;
  private long nextIndex = 9;
  private int advance;

  /// The follower as the leader hands it to a new appender.
  private final FollowerInfo successor =
      (FollowerInfo)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {FollowerInfo.class},
              (proxy, method, args) -> {
                if (method.getName().equals("setNextIndex")) {
                  successorIndex = (long) args[0];
                }
                return switch (method.getName()) {
                  case "getId" -> ID;
                  case "updateMatchIndex" -> true;
                  default -> null;
                };
              });

  private final LeaderState leader =
      (LeaderState)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {LeaderState.class},
              (proxy, method, args) -> {
                assertThat(method.getName()).isEqualTo("restart");
                restarted.add((LogAppender) args[0]);
                AppenderRevival.begins(successor);
                return null;
              });

  private final LogAppender appender = answering(LogAppender.class, this::answer);

  private Object answer(String method) {
    return switch (method) {
      case "isRunning" -> isRunning;
      case "getLeaderState" -> leader;
      case "getFollower" ->
          answering(
              FollowerInfo.class, asked -> asked.equals("getId") ? ID : (nextIndex += advance));
      case "getServer" ->
          answering(
              RaftServer.Division.class,
              property -> answering(DivisionProperties.class, pause -> TimeDuration.ZERO));
      case "toString" -> "an appender";
      default -> throw new AssertionError(method);
    };
  }

  private interface Answers {
    Object of(String method);
  }

  private static <T> T answering(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            AppenderRevivalTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> answers.of(method.getName())));
  }

  /// Work that stumbles so often, then ends in good order.
  private AppenderRevival.Work stumbling(int times, Exception with) {
    return () -> {
      works++;
      if (works > times) {
        return;
      }
      if (with instanceof IOException e) {
        throw e;
      }
      throw (RuntimeException) with;
    };
  }

  @Test
  void appenderThatFindsThatItsEntriesArePurgedGoesOn() throws Exception {
    AppenderRevival.run(
        appender, stumbling(1, new RaftLogIOException("Log entry not found: index = 9")));
    assertThat(works).isEqualTo(2);
    assertThat(restarted).isEmpty();
  }

  @Test
  void appenderThatMissesTheEntryBeforeGoesOn() throws Exception {
    AppenderRevival.run(
        appender, stumbling(2, new NullPointerException("Previous TermIndex not found")));
    assertThat(works).isEqualTo(3);
    assertThat(restarted).isEmpty();
  }

  @Test
  void appenderThatMakesNoProgressIsReplaced() throws Exception {
    AppenderRevival.run(
        appender, stumbling(100, new IllegalStateException("buffer has 1 elements.")));
    assertThat(works).isEqualTo(10);
    assertThat(restarted).singleElement().isSameAs(appender);
    assertThat(successorIndex).isEqualTo(9);
    AppenderRevival.begins(successor);
    assertThat(successorIndex).as("only while it is replaced").isEqualTo(9);
  }

  @Test
  void appenderThatStumblesNowAndThenIsNotReplaced() throws Exception {
    advance = 1;
    AppenderRevival.run(
        appender, stumbling(100, new IllegalStateException("buffer has 1 elements.")));
    assertThat(works).isEqualTo(101);
    assertThat(restarted).isEmpty();
  }

  @Test
  void appenderThatEndsInGoodOrderStaysEnded() throws Exception {
    AppenderRevival.run(appender, () -> {});
    assertThat(restarted).isEmpty();
  }

  @Test
  void appenderThatWasStoppedOrInterruptedStaysEnded() {
    assertThatThrownBy(
            () ->
                AppenderRevival.run(
                    appender,
                    () -> {
                      throw new InterruptedIOException();
                    }))
        .isInstanceOf(InterruptedIOException.class);
    isRunning = false;
    assertThatThrownBy(
            () ->
                AppenderRevival.run(
                    appender,
                    () -> {
                      throw new IOException("closed");
                    }))
        .hasMessage("closed");
    assertThat(restarted).isEmpty();
  }
}
