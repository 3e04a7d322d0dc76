package dev.floe.meta.log;

import dev.floe.core.wire.Endpoint;

/// Where a master is.
///
/// @param node its stable id, 1 to 64 of `[0-9A-Za-z_.-]`
/// @param raftEndpoint where masters talk to each other
/// @param rpcEndpoint where it serves clients
public record MasterAddress(String node, Endpoint raftEndpoint, Endpoint rpcEndpoint) {}
