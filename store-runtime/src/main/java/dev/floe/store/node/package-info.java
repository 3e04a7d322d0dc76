/// A store runtime as a whole: what a process needs to hold bytes for a cluster.
///
/// `StoreNode` is the composition root: segments, the data service and its listener, and the lease
/// that makes the masters place replicas here. Started from `StoreOptions`; everything from outside
/// (transport, masters, time, chance) comes in as `StoreNode.Seams`.
@NullMarked
package dev.floe.store.node;

import org.jspecify.annotations.NullMarked;
