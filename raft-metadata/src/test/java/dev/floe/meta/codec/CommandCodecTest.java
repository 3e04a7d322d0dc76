package dev.floe.meta.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.meta.command.CommandBatch;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.SessionCommand;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.SessionId;
import dev.floe.proto.log.CommandMessage;
import dev.floe.proto.log.ObjectIdMessage;
import dev.floe.proto.log.PutStartMessage;
import dev.floe.proto.log.RemoveMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CommandCodecTest {
  private static final String GOLDEN = "/golden/log-commands-v1.txt";
  private static final UnknownFieldSet FROM_THE_FUTURE =
      UnknownFieldSet.newBuilder()
          .addField(1999, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
          .build();

  private static final MetadataCommand TICK = new MetadataCommand.Tick(20, -21);

  private static CommandBatch batch(MetadataCommand command) {
    return new CommandBatch(
        1_700_000_000_000L, List.of(new SessionCommand(new SessionId(-1, 2), 300, 299, command)));
  }

  private static void assertRefused(ByteString bytes, ErrorCode code, String hint) {
    assertThatThrownBy(() -> CommandCodec.decode(bytes))
        .isInstanceOf(FloeException.class)
        .hasMessageContaining(hint)
        .extracting(e -> ((FloeException) e).code())
        .isEqualTo(code);
  }

  /// The file keeps a line `Command hex` for each command: what is in logs today must stay
  /// readable. But for the last they are of no term, as all entries were before these named one.
  @Test
  void everyCommandHasItsGoldenBytes() throws IOException {
    Map<String, String> actual = new TreeMap<>();
    for (MetadataCommand command : CommandSamples.ONE_OF_EACH) {
      actual.put(
          command.getClass().getSimpleName(),
          HexFormat.of().formatHex(CommandCodec.encode(batch(command)).toByteArray()));
    }
    CommandBatch ofTerm = new CommandBatch(300, 1_700_000_000_000L, batch(TICK).commands());
    actual.put("Tick@term", HexFormat.of().formatHex(CommandCodec.encode(ofTerm).toByteArray()));
    String text =
        actual.entrySet().stream()
            .map(e -> e.getKey() + " " + e.getValue() + "\n")
            .collect(Collectors.joining());
    Path copy = Path.of("target", "golden-log-commands-actual.txt");
    Files.writeString(copy, text);
    try (InputStream in = CommandCodecTest.class.getResourceAsStream(GOLDEN)) {
      assertThat(in).as("%s; %s is what it should be", GOLDEN, copy).isNotNull();
      assertThat(text).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void whatAWriteAsksForIsKept() {
    for (MetadataCommand write : CommandSamples.WRITES) {
      assertThat(CommandCodec.decode(CommandCodec.encode(batch(write)))).isEqualTo(batch(write));
    }
  }

  @Test
  void aRemovalKeepsWhatTheLeaderSaw() {
    CommandBatch leased = batch(new MetadataCommand.Remove(ObjectId.of("k"), false, 4999));

    assertThat(CommandCodec.decode(CommandCodec.encode(leased))).isEqualTo(leased);
  }

  @Test
  void theSamplesHoldEveryCommand() {
    List<Class<?>> kinds =
        Arrays.stream(new Class<?>[] {MetadataCommand.Client.class, MetadataCommand.Leader.class})
            .flatMap(kind -> Arrays.stream(kind.getPermittedSubclasses()))
            .<Class<?>>map(kind -> kind)
            .toList();
    assertThat(CommandSamples.ONE_OF_EACH)
        .extracting(Object::getClass)
        .containsExactlyInAnyOrderElementsOf(kinds);
  }

  @Test
  void whatWasEncodedIsDecoded() {
    for (MetadataCommand command : CommandSamples.ONE_OF_EACH) {
      ByteString bytes = CommandCodec.encode(batch(command));
      assertThat(CommandCodec.decode(bytes)).isEqualTo(batch(command));
      ByteBuffer buffer = bytes.asReadOnlyByteBuffer();
      assertThat(CommandCodec.decode(buffer)).isEqualTo(batch(command));
      assertThat(buffer.position()).isZero();
    }
    CommandBatch many =
        new CommandBatch(
            -5, CommandSamples.ONE_OF_EACH.stream().map(SessionCommand::unguarded).toList());
    assertThat(CommandCodec.decode(CommandCodec.encode(many))).isEqualTo(many);
    CommandBatch ofTerm = new CommandBatch(Long.MAX_VALUE, 7, many.commands());
    assertThat(CommandCodec.decode(CommandCodec.encode(ofTerm))).isEqualTo(ofTerm);
    CommandBatch none = new CommandBatch(0, List.of());
    assertThat(CommandCodec.decode(CommandCodec.encode(none))).isEqualTo(none);
  }

  @Test
  void theEstimateIsCloseToTheBytes() {
    List<SessionCommand> commands =
        CommandSamples.ONE_OF_EACH.stream().map(SessionCommand::unguarded).toList();
    int estimate = commands.stream().mapToInt(CommandCodec::encodedBytes).sum();

    assertThat(CommandCodec.encode(new CommandBatch(1, commands)).size())
        .isBetween(estimate - 4 * commands.size(), estimate + 20);
  }

  @Test
  void anotherFormatVersionIsRefused() {
    for (int version : new int[] {0, 2, -1}) {
      assertRefused(
          dev.floe.proto.log.CommandBatch.newBuilder()
              .setFormatVersion(version)
              .build()
              .toByteString(),
          ErrorCode.VERSION_MISMATCH,
          "format version " + version);
    }
    assertRefused(ByteString.EMPTY, ErrorCode.VERSION_MISMATCH, "format version 0");
  }

  @Test
  void unknownCommandsFieldsAndStrategiesAreRefused() {
    assertRefused(
        batchOf(CommandMessage.getDefaultInstance()).toByteString(),
        ErrorCode.VERSION_MISMATCH,
        "a command");
    assertRefused(
        batchOf(CommandMessage.newBuilder().setUnknownFields(FROM_THE_FUTURE).build())
            .toByteString(),
        ErrorCode.VERSION_MISMATCH,
        "1999");
    assertRefused(
        dev.floe.proto.log.CommandBatch.newBuilder()
            .setFormatVersion(1)
            .setUnknownFields(FROM_THE_FUTURE)
            .build()
            .toByteString(),
        ErrorCode.VERSION_MISMATCH,
        "1999");
    assertRefused(
        batchOf(
                CommandMessage.newBuilder()
                    .setRemove(RemoveMessage.newBuilder().setUnknownFields(FROM_THE_FUTURE))
                    .build())
            .toByteString(),
        ErrorCode.VERSION_MISMATCH,
        "1999");
    assertRefused(
        batchOf(
                CommandMessage.newBuilder()
                    .setPutStart(
                        PutStartMessage.newBuilder()
                            .setId(key(ByteString.copyFromUtf8("k")))
                            .setStrategy(77))
                    .build())
            .toByteString(),
        ErrorCode.VERSION_MISMATCH,
        "strategy 77");
  }

  @Test
  void keysThatAreNoneAreRefused() {
    for (ByteString bad :
        List.of(
            ByteString.EMPTY,
            ByteString.copyFrom(new byte[] {(byte) 0xC3}),
            ByteString.copyFrom(new byte[1025]))) {
      assertRefused(
          batchOf(
                  CommandMessage.newBuilder()
                      .setRemove(RemoveMessage.newBuilder().setId(key(bad)))
                      .build())
              .toByteString(),
          ErrorCode.INVALID_KEY,
          "key");
    }
  }

  @Test
  void bytesThatAreNoBatchAreRefused() {
    byte[] garbage = {(byte) 0xFF, (byte) 0xFF, 1, 2, 3};

    assertRefused(ByteString.copyFrom(garbage), ErrorCode.PROTOCOL_VIOLATION, "5 bytes");
    assertThatThrownBy(() -> CommandCodec.decode(ByteBuffer.wrap(garbage)))
        .isInstanceOf(FloeException.class);
  }

  private static dev.floe.proto.log.CommandBatch batchOf(CommandMessage command) {
    return dev.floe.proto.log.CommandBatch.newBuilder()
        .setFormatVersion(1)
        .addCommands(command)
        .build();
  }

  private static ObjectIdMessage key(ByteString bytes) {
    return ObjectIdMessage.newBuilder().setKey(bytes).build();
  }
}
