package dev.floe.meta.node;

import dev.floe.core.time.Ticker;
import dev.floe.meta.log.MaintainedLog;
import dev.floe.meta.ratis.ApplyObserver;
import dev.floe.meta.ratis.FatalErrorHandler;
import dev.floe.meta.ratis.RaftRpc;
import dev.floe.meta.ratis.RatisMetaLog;
import dev.floe.meta.ratis.RatisSeams;
import dev.floe.meta.ratis.storage.StateFormat;

/// Where a master's replicated log comes from. All else of a master is the same over any log.
@FunctionalInterface
public interface LogSource {
  /// Ratis over gRPC: what every real master uses.
  LogSource RATIS = ratis(RaftRpc.GRPC, ApplyObserver.NONE);

  /// Opens the log of one master; when this returns the master takes part.
  ///
  /// @param fatal told when the log or the state cannot go on
  MaintainedLog open(
      MasterOptions options, StateFormat format, Ticker ticker, FatalErrorHandler fatal);

  /// Ratis over another transport, or watched.
  ///
  /// @param observer sees every applied entry
  static LogSource ratis(RaftRpc rpc, ApplyObserver observer) {
    return (options, format, ticker, fatal) ->
        RatisMetaLog.open(options.ratis(), format, new RatisSeams(ticker, fatal, rpc, observer));
  }
}
