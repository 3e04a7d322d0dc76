package dev.floe.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.floe.core.error.Limits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every transport does; a subclass names the transport and an address that it may bind.
///
/// Here are the tests of the exchange itself; those of errors, time, and the life of a connection are
/// inherited.
public abstract class TransportContractTest extends TransportLifeContract {
  @Test
  void introducesBothSidesToEachOther() {
    assertThat(connection.peer()).isEqualTo(SERVER);
    Connection.Reply reply =
        connection.call(Connection.Call.of(TestHandlers.WHO, ByteString.EMPTY, soon()));
    assertThat(reply.header().toStringUtf8()).isEqualTo("blue client");
  }

  @Test
  void answersPingOnEveryNode() {
    Connection.Reply reply =
        connection.call(Connection.Call.of(FrameType.PING, text("hello"), soon()));
    assertThat(reply).isEqualTo(new Connection.Reply(text("hello"), 0));
  }

  @Test
  void carriesHeadersOfEverySizeUpToTheLimit() {
    for (int bytes : new int[] {0, 1, 8_000, 16_344, 16_345, 100_000, 5_000_000}) {
      ByteString header = ByteString.copyFrom(random(bytes, bytes));
      assertThat(connection.call(Connection.Call.of(FrameType.PING, header, soon())).header())
          .isEqualTo(header);
    }
  }

  @Test
  void carriesPayloadsBothWaysIntoTheNamedBuffers() {
    for (int bytes : new int[] {1, 39, 4096, 8192, 8193, 1 << 20, Limits.FRAME_BODY_BYTES_MAX}) {
      ByteBuffer sent = random(bytes, bytes);
      ByteBuffer received = ByteBuffer.allocateDirect(bytes + 20).position(7);
      Connection.Reply reply =
          connection.call(
              new Connection.Call(
                  TestHandlers.ECHO, text("x"), List.of(sent), (h, n) -> received, soon()));
      assertThat(reply.bodyBytes()).isEqualTo(bytes);
      assertThat(received.position()).isEqualTo(7);
      assertThat(received.slice(7, bytes)).isEqualTo(sent);
      assertThat(sent.remaining()).as("the caller's buffer is not moved").isEqualTo(bytes);
    }
    assertThat(handlers.opened()).isEqualTo(handlers.closed()).isEqualTo(7);
  }

  @Test
  void carriesPayloadsOfMixedHeapAndDirectBuffers() {
    List<ByteBuffer> parts = new ArrayList<>();
    ByteBuffer whole = ByteBuffer.allocate(300_000);
    for (int i = 0; i < 30; i++) {
      ByteBuffer part = random(10_000, i);
      whole.put(part.duplicate());
      parts.add(i % 3 == 0 ? ByteBuffer.allocate(10_000).put(part).flip() : part);
    }
    ByteBuffer received = ByteBuffer.allocate(300_000);
    connection.call(
        new Connection.Call(
            TestHandlers.ECHO, ByteString.EMPTY, parts, (h, n) -> received, soon()));
    assertThat(received).isEqualTo(whole.flip());
  }

  @Test
  void givesTheReplysHeaderToWhoeverChoosesTheBuffer() {
    ByteBuffer received = ByteBuffer.allocateDirect(10);
    List<String> seen = new ArrayList<>();
    connection.call(
        new Connection.Call(
            TestHandlers.ECHO,
            text("chunk 7"),
            List.of(random(10, 1)),
            (header, bytes) -> {
              seen.add(header.toStringUtf8() + " " + bytes);
              return received;
            },
            soon()));
    assertThat(seen).containsExactly("chunk 7 10");
  }

  @Test
  void matchesRepliesToRequestsWhateverTheirOrder() {
    Connection.PendingReply slow =
        connection.send(Connection.Call.of(TestHandlers.BLOCK, text("slow"), soon()));
    Connection.PendingReply quick =
        connection.send(Connection.Call.of(FrameType.PING, text("quick"), soon()));
    assertThat(quick.await().header()).isEqualTo(text("quick"));
    handlers.releaseAll();
    assertThat(slow.await().header()).isEqualTo(text("slow"));
  }

  @Test
  void servesManyCallersOfOneConnectionAtOnce() throws Exception {
    inParallel(
        8,
        caller -> {
          for (int i = 0; i < 50; i++) {
            int bytes = 1 + (i * 7919) % 50_000;
            String name = caller + "/" + i;
            ByteBuffer sent = random(bytes, caller * 1000L + i);
            ByteBuffer received = ByteBuffer.allocateDirect(bytes);
            connection.call(
                new Connection.Call(
                    TestHandlers.ECHO,
                    text(name),
                    List.of(sent),
                    (h, n) -> {
                      assertThat(h.toStringUtf8()).isEqualTo(name);
                      return received;
                    },
                    soon()));
            assertThat(received).isEqualTo(sent);
          }
        });
    assertThat(handlers.opened()).isEqualTo(handlers.closed()).isEqualTo(400);
  }

  @Test
  void keepsTheOrderOfRequestsThatAreServedOnTheReader() {
    List<Connection.PendingReply> replies = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      replies.add(
          connection.send(Connection.Call.of(TestHandlers.COUNT, ByteString.EMPTY, soon())));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(replies.get(i).await().header()).isEqualTo(text("" + i));
    }
  }

  @Test
  void closesTheTargetBeforeTheCallerLearnsTheOutcome() {
    connection.call(
        new Connection.Call(
            TestHandlers.SINK,
            ByteString.EMPTY,
            List.of(random(10, 1)),
            Connection.ReplyTarget.NONE,
            soon()));
    assertThat(handlers.closed()).isEqualTo(1);
  }

  @Test
  void runsAfterWriteOnceForEachAnswer() {
    ByteBuffer received = ByteBuffer.allocateDirect(10);
    for (int i = 0; i < 5; i++) {
      connection.call(
          new Connection.Call(
              TestHandlers.ECHO,
              ByteString.EMPTY,
              List.of(random(10, 1)),
              (h, n) -> received,
              soon()));
    }
    connection.close();
    listener.close();
    assertThat(handlers.written()).isEqualTo(5);
  }
}
