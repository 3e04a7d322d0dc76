package dev.floe.store.client;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.command.MetadataCommand.Strategy;
import dev.floe.meta.command.MetadataCommand.WriteOptions;
import dev.floe.meta.model.RuntimeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// How a value is stored.
///
/// @param replicaCount copies asked for, on different runtimes; 1 to `Limits.REPLICAS_MAX`, and fewer
///     are made when fewer runtimes have room
/// @param strategy how their runtimes are chosen
/// @param preferred runtimes to try first
/// @param write whether it may take the place of a value that is there, and what keeps it
/// @param timeout for the whole call; empty for the client's own
public record PutOptions(
    int replicaCount,
    Strategy strategy,
    List<RuntimeId> preferred,
    WriteOptions write,
    Optional<Duration> timeout) {
  /// One copy, where there is most room.
  public static final PutOptions DEFAULT = replicas(1);

  public PutOptions {
    preferred = List.copyOf(preferred);
    if (replicaCount < 1 || replicaCount > Limits.REPLICAS_MAX) {
      throw new FloeException(
          ErrorCode.INVALID_ARGUMENT,
          replicaCount + " replicas asked; allowed are 1 to " + Limits.REPLICAS_MAX);
    }
  }

  /// `count` copies, where there is most room.
  public static PutOptions replicas(int count) {
    return new PutOptions(
        count, Strategy.FREE_RATIO_FIRST, List.of(), WriteOptions.DEFAULT, Optional.empty());
  }

  /// The same with a timeout.
  public PutOptions withTimeout(Duration other) {
    return new PutOptions(replicaCount, strategy, preferred, write, Optional.of(other));
  }

  /// The same with another wish for what may be replaced and what keeps the value.
  public PutOptions withWrite(WriteOptions other) {
    return new PutOptions(replicaCount, strategy, preferred, other, timeout);
  }

  Placement placement() {
    return new Placement(replicaCount, strategy, preferred);
  }
}
