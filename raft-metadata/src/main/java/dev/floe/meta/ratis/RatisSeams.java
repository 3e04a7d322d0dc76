package dev.floe.meta.ratis;

import dev.floe.core.time.Ticker;

/// What a master's log takes from its surroundings.
///
/// @param fatal told when this master cannot go on
/// @param rpc how it reaches the other masters
/// @param observer sees every applied entry
public record RatisSeams(
    Ticker ticker, FatalErrorHandler fatal, RaftRpc rpc, ApplyObserver observer) {
  /// gRPC, and nobody looking.
  public RatisSeams(Ticker ticker, FatalErrorHandler fatal) {
    this(ticker, fatal, RaftRpc.GRPC, ApplyObserver.NONE);
  }
}
