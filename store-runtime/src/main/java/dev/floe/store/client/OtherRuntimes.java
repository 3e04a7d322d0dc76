package dev.floe.store.client;

import dev.floe.core.error.FloeException;
import dev.floe.core.error.Limits;
import dev.floe.core.time.Deadline;
import dev.floe.meta.client.MetadataApi.ClusterView;
import dev.floe.meta.command.MetadataCommand.Placement;
import dev.floe.meta.model.RuntimeId;
import dev.floe.meta.model.RuntimeRecord;
import dev.floe.meta.model.RuntimeState;
import dev.floe.store.client.transfer.TransferContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds where values go that some runtimes did not take: the masters are asked once which runtimes
/// are alive, and are told the ones to prefer. Confined to a put.
///
/// The masters may still name a runtime that failed when no other has room; whoever writes leaves
/// those out.
final class OtherRuntimes {
  private final TransferContext context;
  private final PutOptions options;
  private final Deadline deadline;
  private @Nullable List<RuntimeId> alive;

  OtherRuntimes(TransferContext context, PutOptions options, Deadline deadline) {
    this.context = context;
    this.options = options;
    this.deadline = deadline;
  }

  /// A placement on runtimes other than `failed`, for as many replicas as there are such runtimes at
  /// most; empty when there is none or no master tells.
  Optional<Placement> without(Set<RuntimeId> failed) {
    Set<RuntimeId> candidates = new LinkedHashSet<>(options.preferred());
    List<RuntimeId> all = alive();
    candidates.retainAll(all);
    candidates.addAll(all);
    candidates.removeAll(failed);
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Placement(
            Math.min(options.replicaCount(), candidates.size()),
            options.strategy(),
            candidates.stream().limit(Limits.PUT_CANDIDATES_MAX).toList()));
  }

  /// The runtimes that are alive, beginning anywhere, so that clients which were failed by the same
  /// runtime do not all go to the same other one.
  private List<RuntimeId> alive() {
    List<RuntimeId> known = alive;
    if (known == null) {
      known = ask();
      alive = known;
    }
    return known;
  }

  private List<RuntimeId> ask() {
    try {
      ClusterView view =
          context.metadata().clusterView(false, deadline.atMost(context.options().times().chunk()));
      List<RuntimeId> ids =
          new ArrayList<>(
              view.runtimes().stream()
                  .filter(runtime -> runtime.state() == RuntimeState.ALIVE)
                  .map(RuntimeRecord::id)
                  .toList());
      if (!ids.isEmpty()) {
        Collections.rotate(ids, context.random(ids.size()));
      }
      return ids;
    } catch (FloeException e) {
      context.ignored(e);
      return List.of();
    }
  }
}
