package dev.floe.core.wire;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which handler serves which request type; fixed before the server starts. `PING` is always served.
public final class HandlerTable {
  private static final RequestHandler PING = new PingHandler();

  private final Map<Integer, RequestHandler> handlers;

  private HandlerTable(Map<Integer, RequestHandler> handlers) {
    this.handlers = Map.copyOf(handlers);
  }

  /// The handler of a type, or null when this node does not serve it.
  public @Nullable RequestHandler handlerOf(int type) {
    RequestHandler handler = handlers.get(type);
    return handler == null && type == FrameType.PING ? PING : handler;
  }

  /// Starts a table.
  public static Builder builder() {
    return new Builder();
  }

  /// Collects handlers.
  public static final class Builder {
    private final Map<Integer, RequestHandler> handlers = new HashMap<>();

    private Builder() {}

    /// Adds the handler of a type; a second one for the same type is a programmer's error.
    public Builder add(int type, RequestHandler handler) {
      if (handlers.put(type, handler) != null) {
        throw new IllegalArgumentException("two handlers for request type " + type);
      }
      return this;
    }

    /// Adds all handlers of another table.
    public Builder addAll(HandlerTable other) {
      other.handlers.forEach(this::add);
      return this;
    }

    public HandlerTable build() {
      return new HandlerTable(handlers);
    }
  }
}
