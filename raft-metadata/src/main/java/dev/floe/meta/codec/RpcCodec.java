package dev.floe.meta.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.proto.metarpc.Address;
import dev.floe.proto.metarpc.DoneReply;
import dev.floe.proto.metarpc.FailedReply;
import dev.floe.proto.metarpc.MemoryLocation;
import dev.floe.proto.metarpc.PutStartedReply;
import dev.floe.proto.metarpc.ReplyMessage;
import dev.floe.proto.metarpc.RuntimeRegisteredReply;
import dev.floe.proto.metarpc.SegmentMountedReply;
import dev.floe.proto.metarpc.SessionName;
import dev.floe.proto.metarpc.SessionOpenedReply;
import dev.floe.proto.metarpc.Target;
import dev.floe.proto.metarpc.Version;
import java.util.List;

/// Values of the metadata service's messages (`meta_rpc.proto`): replies, replicas, versions, keys.
///
/// Decoders refuse what they do not know with `PROTOCOL_VIOLATION`, naming it.
public final class RpcCodec {
  private RpcCodec() {}

  /// Reads a message.
  ///
  /// @throws FloeException `PROTOCOL_VIOLATION` when the bytes are not one
  public static <M extends Message> M parse(Parser<M> parser, ByteString bytes) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new FloeException(
          ErrorCode.PROTOCOL_VIOLATION, "a header of " + bytes.size() + " bytes is malformed", e);
    }
  }

  /// @throws FloeException `INVALID_KEY` when the bytes are not a key
  public static ObjectKey key(ByteString bytes) {
    return ObjectKey.ofUtf8(bytes.toByteArray());
  }

  public static ByteString bytes(ObjectKey key) {
    return ByteString.copyFrom(key.toUtf8());
  }

  public static ReplyMessage encode(MetadataReply reply) {
    ReplyMessage.Builder message = ReplyMessage.newBuilder();
    switch (reply) {
      case MetadataReply.Done done -> message.setDone(DoneReply.getDefaultInstance());
      case MetadataReply.SessionOpened opened ->
          message.setSessionOpened(
              SessionOpenedReply.newBuilder().setSession(encode(opened.session())));
      case MetadataReply.RuntimeRegistered registered ->
          message.setRuntimeRegistered(
              RuntimeRegisteredReply.newBuilder().setEpoch(registered.epoch()));
      case MetadataReply.SegmentMounted mounted ->
          message.setSegmentMounted(
              SegmentMountedReply.newBuilder().setSegment(mounted.segment().value()));
      case MetadataReply.PutStarted started ->
          message.setPutStarted(
              PutStartedReply.newBuilder()
                  .setVersion(encode(started.version()))
                  .addAllTargets(started.targets().stream().map(RpcCodec::encode).toList()));
      case MetadataReply.Failed failed ->
          message.setFailed(failed(failed.code(), failed.message()));
    }
    return message.build();
  }

  public static MetadataReply decode(ReplyMessage message) {
    return switch (message.getReplyCase()) {
      case DONE -> MetadataReply.Done.INSTANCE;
      case RUNTIME_REGISTERED ->
          new MetadataReply.RuntimeRegistered(message.getRuntimeRegistered().getEpoch());
      case SEGMENT_MOUNTED ->
          new MetadataReply.SegmentMounted(new SegmentId(message.getSegmentMounted().getSegment()));
      case PUT_STARTED ->
          new MetadataReply.PutStarted(
              decode(message.getPutStarted().getVersion()),
              targets(message.getPutStarted().getTargetsList()));
      case FAILED ->
          new MetadataReply.Failed(
              ErrorCode.ofNumber(message.getFailed().getCode()), message.getFailed().getMessage());
      case SESSION_OPENED ->
          new MetadataReply.SessionOpened(decode(message.getSessionOpened().getSession()));
      case REPLY_NOT_SET -> throw unknown("a reply of a kind that this release does not know");
    };
  }

  public static FailedReply failed(ErrorCode code, String text) {
    return FailedReply.newBuilder().setCode(code.number()).setMessage(text).build();
  }

  public static Version encode(RouteVersion version) {
    return Version.newBuilder().setIndex(version.index()).setOrdinal(version.ordinal()).build();
  }

  public static RouteVersion decode(Version version) {
    return new RouteVersion(version.getIndex(), version.getOrdinal());
  }

  public static Target encode(ReplicaTarget target) {
    Replica replica = target.replica();
    Target.Builder message =
        Target.newBuilder()
            .setReplica(replica.id())
            .setStatus(
                switch (replica.status()) {
                  case PROCESSING -> 1;
                  case COMPLETE -> 2;
                })
            .setEndpoint(encode(target.endpoint()));
    switch (replica.location()) {
      case MemoryRange range ->
          message.setMemory(
              MemoryLocation.newBuilder()
                  .setSegment(range.segment().value())
                  .setRuntime(range.runtime().value())
                  .setOffsetBytes(range.offsetBytes())
                  .setLengthBytes(range.lengthBytes()));
    }
    return message.build();
  }

  public static List<ReplicaTarget> targets(List<Target> messages) {
    return messages.stream().map(RpcCodec::decode).toList();
  }

  public static ReplicaTarget decode(Target message) {
    ReplicaStatus status =
        switch (message.getStatus()) {
          case 1 -> ReplicaStatus.PROCESSING;
          case 2 -> ReplicaStatus.COMPLETE;
          default -> throw unknown("replica status " + message.getStatus());
        };
    if (!message.hasMemory()) {
      throw unknown("a replica location of a kind that this release does not know");
    }
    MemoryLocation memory = message.getMemory();
    try {
      MemoryRange range =
          new MemoryRange(
              new SegmentId(memory.getSegment()),
              new RuntimeId(memory.getRuntime()),
              memory.getOffsetBytes(),
              memory.getLengthBytes());
      return new ReplicaTarget(
          new Replica(message.getReplica(), status, range), decode(message.getEndpoint()));
    } catch (IllegalArgumentException e) {
      throw unknown(String.valueOf(e.getMessage()));
    }
  }

  public static Address encode(Endpoint endpoint) {
    return Address.newBuilder().setHost(endpoint.host()).setPort(endpoint.port()).build();
  }

  public static Endpoint decode(Address address) {
    return new Endpoint(address.getHost(), address.getPort());
  }

  public static SessionName encode(SessionId session) {
    return SessionName.newBuilder().setHigh(session.high()).setLow(session.low()).build();
  }

  public static SessionId decode(SessionName name) {
    return new SessionId(name.getHigh(), name.getLow());
  }

  static FloeException unknown(String what) {
    return new FloeException(
        ErrorCode.PROTOCOL_VIOLATION,
        "the other side sent " + what + "; are both of the same release?");
  }
}
