package dev.floe.core.wire;

/// The request types of the protocol; numbers are stable. 0x00xx connection, 0x01xx metadata,
/// 0x02xx data.
public final class FrameType {
  public static final int HELLO = 0x0001;
  public static final int PING = 0x0002;

  public static final int META_SUBMIT = 0x0101;
  public static final int META_RESOLVE = 0x0102;
  public static final int META_EXIST = 0x0103;
  public static final int META_LIST = 0x0104;
  public static final int META_CLUSTER_VIEW = 0x0105;
  public static final int META_RENEW = 0x0106;
  public static final int META_LOCATE_LEADER = 0x0107;

  public static final int DATA_WRITE = 0x0201;
  public static final int DATA_READ = 0x0202;
  public static final int DATA_STATUS = 0x0203;

  private FrameType() {}
}
