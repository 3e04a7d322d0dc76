package dev.floe.meta.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.command.MetadataReply.ReplicaTarget;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.Replica;
import dev.floe.meta.model.ReplicaLocation;
import dev.floe.meta.model.ReplicaLocation.MemoryRange;
import dev.floe.meta.model.ReplicaStatus;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.meta.model.Segment;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.model.TenantId;
import dev.floe.proto.log.DoneMessage;
import dev.floe.proto.log.EndpointMessage;
import dev.floe.proto.log.EvictedMessage;
import dev.floe.proto.log.FailedMessage;
import dev.floe.proto.log.LabelMessage;
import dev.floe.proto.log.MemoryRangeMessage;
import dev.floe.proto.log.ObjectIdMessage;
import dev.floe.proto.log.PutStartedMessage;
import dev.floe.proto.log.ReplicaMessage;
import dev.floe.proto.log.ReplicaTargetMessage;
import dev.floe.proto.log.ReplyMessage;
import dev.floe.proto.log.RuntimeRecordMessage;
import dev.floe.proto.log.RuntimeRegisteredMessage;
import dev.floe.proto.log.SegmentMessage;
import dev.floe.proto.log.SegmentMountedMessage;
import dev.floe.proto.log.SessionIdMessage;
import dev.floe.proto.log.SessionOpenedMessage;
import dev.floe.proto.log.SoftPinMessage;
import dev.floe.proto.log.VersionMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The pieces that the log, the snapshots and the service share (`model.proto`).
///
/// Decoders throw a `FloeException`: `VERSION_MISMATCH` for what this release does not know, the
/// model's own codes for values that no model record takes.
public final class ModelCodec {
  private ModelCodec() {}

  /// Refuses a message with fields that this release does not know.
  ///
  /// @throws FloeException `VERSION_MISMATCH`
  public static <M extends Message> M known(M message) {
    if (!message.getUnknownFields().asMap().isEmpty()) {
      throw unknown(
          "fields "
              + new TreeMap<>(message.getUnknownFields().asMap()).keySet()
              + " of a "
              + message.getDescriptorForType().getName());
    }
    return message;
  }

  public static FloeException unknown(String what) {
    return new FloeException(
        ErrorCode.VERSION_MISMATCH,
        "this release does not know " + what + "; it was written by a newer one: upgrade");
  }

  public static SessionIdMessage encode(SessionId id) {
    return SessionIdMessage.newBuilder().setHigh(id.high()).setLow(id.low()).build();
  }

  public static SessionId decode(SessionIdMessage message) {
    return new SessionId(message.getHigh(), message.getLow());
  }

  public static ObjectIdMessage encode(ObjectId id) {
    ObjectIdMessage.Builder message = ObjectIdMessage.newBuilder();
    if (!id.tenant().equals(TenantId.DEFAULT)) {
      message.setTenant(id.tenant().value());
    }
    return message.setKey(ByteString.copyFrom(id.key().toUtf8())).build();
  }

  public static ObjectId decode(ObjectIdMessage message) {
    TenantId tenant =
        message.getTenant().isEmpty() ? TenantId.DEFAULT : new TenantId(message.getTenant());
    return new ObjectId(tenant, ObjectKey.ofUtf8(message.getKey().toByteArray()));
  }

  public static EndpointMessage encode(Endpoint endpoint) {
    return EndpointMessage.newBuilder().setHost(endpoint.host()).setPort(endpoint.port()).build();
  }

  public static Endpoint decode(EndpointMessage message) {
    return new Endpoint(message.getHost(), message.getPort());
  }

  /// Sorted by name, so that equal maps have equal bytes.
  public static List<LabelMessage> encode(Map<String, String> labels) {
    List<LabelMessage> messages = new ArrayList<>(labels.size());
    new TreeMap<>(labels)
        .forEach(
            (name, value) ->
                messages.add(LabelMessage.newBuilder().setName(name).setValue(value).build()));
    return messages;
  }

  public static Map<String, String> decodeLabels(List<LabelMessage> messages) {
    Map<String, String> labels = new TreeMap<>();
    messages.forEach(message -> labels.put(message.getName(), message.getValue()));
    return labels;
  }

  public static VersionMessage encode(RouteVersion version) {
    return VersionMessage.newBuilder()
        .setIndex(version.index())
        .setOrdinal(version.ordinal())
        .build();
  }

  public static RouteVersion decode(VersionMessage message) {
    return new RouteVersion(message.getIndex(), message.getOrdinal());
  }

  /// @throws FloeException `VERSION_MISMATCH`
  public static DataType dataType(int number) {
    DataType type = DataType.ofNumber(number);
    if (type == null) {
      throw unknown("data type " + number);
    }
    return type;
  }

  /// Null for a pin that stays as it is.
  public static @Nullable SoftPinMessage encode(SoftPin softPin) {
    return switch (softPin) {
      case SoftPin.Preserve _ -> null;
      case SoftPin.Disable _ -> SoftPinMessage.getDefaultInstance();
      case SoftPin.Enable enable ->
          SoftPinMessage.newBuilder().setTtlMillis(enable.ttlMillis()).build();
    };
  }

  public static SoftPin decode(SoftPinMessage message) {
    long ttlMillis = known(message).getTtlMillis();
    return ttlMillis == 0 ? SoftPin.Disable.INSTANCE : new SoftPin.Enable(ttlMillis);
  }

  public static MemoryRangeMessage encode(MemoryRange range) {
    return MemoryRangeMessage.newBuilder()
        .setSegment(range.segment().value())
        .setRuntime(range.runtime().value())
        .setOffsetBytes(range.offsetBytes())
        .setLengthBytes(range.lengthBytes())
        .build();
  }

  public static MemoryRange decode(MemoryRangeMessage message) {
    return new MemoryRange(
        new SegmentId(message.getSegment()),
        new RuntimeId(message.getRuntime()),
        message.getOffsetBytes(),
        message.getLengthBytes());
  }

  public static ReplicaMessage encode(Replica replica) {
    ReplicaMessage.Builder message = ReplicaMessage.newBuilder().setId(replica.id());
    message.setStatus(
        switch (replica.status()) {
          case PROCESSING -> 1;
          case COMPLETE -> 2;
        });
    switch (replica.location()) {
      case MemoryRange range -> message.setMemory(encode(range));
    }
    return message.build();
  }

  public static Replica decode(ReplicaMessage message) {
    ReplicaStatus status =
        switch (message.getStatus()) {
          case 1 -> ReplicaStatus.PROCESSING;
          case 2 -> ReplicaStatus.COMPLETE;
          default -> throw unknown("replica status " + message.getStatus());
        };
    ReplicaLocation location =
        switch (message.getLocationCase()) {
          case MEMORY -> decode(message.getMemory());
          case LOCATION_NOT_SET -> throw unknown("the kind of a replica's location");
        };
    return new Replica(message.getId(), status, location);
  }

  public static RuntimeRecordMessage encode(RuntimeRecord runtime) {
    return RuntimeRecordMessage.newBuilder()
        .setId(runtime.id().value())
        .setIncarnation(encode(runtime.process().incarnation()))
        .setDirectory(encode(runtime.process().directory()))
        .setStart(runtime.process().start())
        .setEpoch(runtime.epoch())
        .setState(
            switch (runtime.state()) {
              case ALIVE -> 1;
              case SUSPECTED -> 2;
            })
        .setDataEndpoint(encode(runtime.dataEndpoint()))
        .addAllLabels(encode(runtime.labels()))
        .build();
  }

  public static RuntimeRecord decode(RuntimeRecordMessage message) {
    return new RuntimeRecord(
        new RuntimeId(message.getId()),
        new RuntimeProcess(
            decode(message.getIncarnation()), decode(message.getDirectory()), message.getStart()),
        message.getEpoch(),
        switch (message.getState()) {
          case 1 -> RuntimeState.ALIVE;
          case 2 -> RuntimeState.SUSPECTED;
          default -> throw unknown("runtime state " + message.getState());
        },
        decode(message.getDataEndpoint()),
        decodeLabels(message.getLabelsList()));
  }

  public static SegmentMessage encode(Segment segment) {
    return SegmentMessage.newBuilder()
        .setId(segment.id().value())
        .setRuntime(segment.runtime().value())
        .setEpoch(segment.epoch())
        .setName(segment.name())
        .setCapacityBytes(segment.capacityBytes())
        .build();
  }

  public static Segment decode(SegmentMessage message) {
    return new Segment(
        new SegmentId(message.getId()),
        new RuntimeId(message.getRuntime()),
        message.getEpoch(),
        message.getName(),
        message.getCapacityBytes());
  }

  public static ReplicaTargetMessage encode(ReplicaTarget target) {
    return ReplicaTargetMessage.newBuilder()
        .setReplica(encode(target.replica()))
        .setEndpoint(encode(target.endpoint()))
        .build();
  }

  public static ReplicaTarget decode(ReplicaTargetMessage message) {
    return new ReplicaTarget(decode(message.getReplica()), decode(message.getEndpoint()));
  }

  public static ReplyMessage encode(MetadataReply reply) {
    ReplyMessage.Builder message = ReplyMessage.newBuilder();
    switch (reply) {
      case MetadataReply.Done _ -> message.setDone(DoneMessage.getDefaultInstance());
      case MetadataReply.SessionOpened opened ->
          message.setSessionOpened(
              SessionOpenedMessage.newBuilder().setSession(encode(opened.session())));
      case MetadataReply.RuntimeRegistered registered ->
          message.setRuntimeRegistered(
              RuntimeRegisteredMessage.newBuilder().setEpoch(registered.epoch()));
      case MetadataReply.SegmentMounted mounted ->
          message.setSegmentMounted(
              SegmentMountedMessage.newBuilder().setSegment(mounted.segment().value()));
      case MetadataReply.PutStarted started -> {
        PutStartedMessage.Builder put =
            PutStartedMessage.newBuilder().setVersion(encode(started.version()));
        for (ReplicaTarget target : started.targets()) {
          put.addTargets(encode(target));
        }
        message.setPutStarted(put);
      }
      case MetadataReply.Evicted evicted ->
          message.setEvicted(
              EvictedMessage.newBuilder().setObjects(evicted.objects()).setBytes(evicted.bytes()));
      case MetadataReply.Failed failed ->
          message.setFailed(
              failed(failed.code(), failed.message()).toBuilder()
                  .setRetryAfterMillis(failed.retryAfterMillis()));
    }
    return message.build();
  }

  static FailedMessage failed(ErrorCode code, String text) {
    return FailedMessage.newBuilder().setCode(code.number()).setMessage(text).build();
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
              message.getPutStarted().getTargetsList().stream().map(ModelCodec::decode).toList());
      case FAILED -> decode(message.getFailed());
      case SESSION_OPENED ->
          new MetadataReply.SessionOpened(decode(message.getSessionOpened().getSession()));
      case EVICTED ->
          new MetadataReply.Evicted(
              message.getEvicted().getObjects(), message.getEvicted().getBytes());
      case REPLY_NOT_SET -> throw unknown("the kind of a reply");
    };
  }

  private static MetadataReply.Failed decode(FailedMessage message) {
    ErrorCode code = ErrorCode.ofNumber(message.getCode());
    if (code.number() != message.getCode()) {
      throw unknown("error code " + message.getCode());
    }
    return new MetadataReply.Failed(code, message.getMessage(), message.getRetryAfterMillis());
  }
}
