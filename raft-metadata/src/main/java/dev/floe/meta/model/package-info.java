/// The records of the metadata plane: what a route, a replica, a segment and a runtime are.
///
/// Values only: immutable, without nulls inside, checked when made. Imports nothing of ours but
/// `core.error` and `core.wire.Endpoint`.
@NullMarked
package dev.floe.meta.model;

import org.jspecify.annotations.NullMarked;
