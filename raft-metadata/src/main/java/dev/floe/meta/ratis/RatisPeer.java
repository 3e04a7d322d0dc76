package dev.floe.meta.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;

/// A configured master.
///
/// @param node its stable id, 1 to 64 of `[0-9A-Za-z_.-]`
/// @param raftEndpoint where masters talk to each other
/// @param rpcEndpoint where it serves clients
public record RatisPeer(String node, Endpoint raftEndpoint, Endpoint rpcEndpoint) {
  public RatisPeer {
    if (!node.matches("[0-9A-Za-z_.-]{1,64}")) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG, "master id '" + node + "' is not 1 to 64 of [0-9A-Za-z_.-]");
    }
  }
}
