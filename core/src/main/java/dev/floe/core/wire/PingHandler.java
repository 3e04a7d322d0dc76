package dev.floe.core.wire;

import org.jspecify.annotations.Nullable;

/// Answers `PING` with the header it was given: every node does, so a peer can tell a live node from
/// a port that merely accepts.
final class PingHandler implements RequestHandler {
  @Override
  public boolean isInline() {
    return true;
  }

  @Override
  public Response handle(RequestHead head, @Nullable BodyTarget body) {
    return Response.of(head.header());
  }
}
