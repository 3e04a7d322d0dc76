package dev.floe.sim.wire;

import dev.floe.core.wire.FrameType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Names what is under way on a connection, for people.
final class FrameWords {
  private static final int FLAGS_AT = 5;
  private static final int TYPE_AT = 6;

  private FrameWords() {}

  /// What begins with these bytes, if that is a frame of ours.
  static String of(ByteBuffer bytes) {
    ByteBuffer frame = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    boolean isFrame =
        frame.remaining() > TYPE_AT + 1
            && frame.get(0) == 'F'
            && frame.get(1) == 'L'
            && frame.get(2) == 'O'
            && frame.get(3) == 'E';
    if (!isFrame) {
      return bytes.remaining() + " bytes";
    }
    String direction =
        switch (frame.get(FLAGS_AT)) {
          case 0 -> "asks ";
          case 1 -> "answers ";
          default -> "refuses ";
        };
    return direction + type(frame.getShort(TYPE_AT) & 0xFFFF);
  }

  private static String type(int type) {
    return switch (type) {
      case FrameType.HELLO -> "hello";
      case FrameType.PING -> "ping";
      case FrameType.META_SUBMIT -> "submit";
      case FrameType.META_RESOLVE -> "resolve";
      case FrameType.META_EXIST -> "exist";
      case FrameType.META_LIST -> "list";
      case FrameType.META_CLUSTER_VIEW -> "cluster view";
      case FrameType.META_RENEW -> "renew";
      case FrameType.META_LOCATE_LEADER -> "locate leader";
      case FrameType.DATA_WRITE -> "write";
      case FrameType.DATA_READ -> "read";
      case FrameType.DATA_STATUS -> "status";
      default -> "type " + type;
    };
  }
}
