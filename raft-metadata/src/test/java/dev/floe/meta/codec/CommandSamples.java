package dev.floe.meta.codec;

import dev.floe.core.wire.Endpoint;
import dev.floe.meta.command.MetadataCommand;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.RuntimeEpoch;
import dev.floe.meta.command.MetadataCommand.Strategy;
import dev.floe.meta.model.DataType;
import dev.floe.meta.model.ObjectId;
import dev.floe.meta.model.ObjectKey;
import dev.floe.meta.model.RouteVersion;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeProcess;
import dev.floe.meta.model.SegmentId;
import dev.floe.meta.model.SessionId;
import dev.floe.meta.model.SoftPin;
import dev.floe.meta.model.TenantId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// One command of each kind, with a value in every field.
final class CommandSamples {
  private static final RuntimeId RUNTIME = new RuntimeId("store-1");
  private static final ObjectId OBJECT =
      new ObjectId(new TenantId("team"), new ObjectKey("model/layer-7/α😀"));

  static final List<MetadataCommand> ONE_OF_EACH =
      List.of(
          new MetadataCommand.OpenSession(new SessionId(1, -2)),
          new MetadataCommand.CloseSession(new SessionId(3, 4)),
          new MetadataCommand.RegisterRuntime(
              RUNTIME,
              new RuntimeProcess(new SessionId(5, 6), new SessionId(-7, 8), 9),
              new Endpoint("10.0.0.1", 7500),
              Map.of("host", "h1", "zone", "z1", "rack", ""),
              9000),
          new MetadataCommand.MountSegment(RUNTIME, 7, "memory-0", 1L << 40),
          new MetadataCommand.UnmountSegment(RUNTIME, 8, new SegmentId(9)),
          new MetadataCommand.PutStart(
              OBJECT, 5L << 30, new Placement(2, Strategy.RANDOM, List.of(RUNTIME))),
          new MetadataCommand.PutEnd(ObjectId.of("k"), List.of(10L, 11L), 0xFFFF_FFFFL),
          new MetadataCommand.PutRevoke(OBJECT, List.of(12L, -1L)),
          new MetadataCommand.Remove(OBJECT, true),
          new MetadataCommand.Barrier(),
          new MetadataCommand.SuspectRuntimes(List.of(new RuntimeEpoch(RUNTIME, 13))),
          new MetadataCommand.ReviveRuntimes(List.of(new RuntimeEpoch(RUNTIME, 14))),
          new MetadataCommand.ExpireRuntimes(
              List.of(
                  new RuntimeEpoch(RUNTIME, 15), new RuntimeEpoch(new RuntimeId("store-2"), 16))),
          new MetadataCommand.ExpireSessions(
              List.of(new SessionId(17, 18), new SessionId(0, 0)), 19),
          new MetadataCommand.Tick(20, -21),
          new MetadataCommand.Evict(
              List.of(new MetadataCommand.Victim(OBJECT, new RouteVersion(22, 23))), true));

  /// A write for each thing that it may ask for.
  static final List<MetadataCommand> WRITES =
      Stream.of(
              MetadataCommand.WriteOptions.DEFAULT.replacing(),
              new MetadataCommand.WriteOptions(
                  true, DataType.KVCACHE, "conversation-7", true, new SoftPin.Enable(86_400_000)),
              new MetadataCommand.WriteOptions(
                  false, DataType.GENERAL, "", false, SoftPin.Disable.INSTANCE))
          .<MetadataCommand>map(
              options -> new MetadataCommand.PutStart(OBJECT, 24, Placement.replicas(1), options))
          .toList();

  private CommandSamples() {}
}
