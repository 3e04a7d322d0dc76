package dev.floe.core.wire.link;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/// Addresses that servers listen on: whether this machine has them, and why binding one failed.
public final class ListenAddress {
  private ListenAddress() {}

  /// Checks that this machine can listen on an address, before anything of a node is created. A
  /// port that another process has is no error here: the node that binds it says so.
  ///
  /// @throws FloeException `INVALID_CONFIG` naming the address and what is wrong with it
  public static void check(Endpoint address) {
    try (ServerSocketChannel channel = ServerSocketChannel.open()) {
      channel.bind(resolve(address));
    } catch (IOException e) {
      FloeException refusal = refusal(address, e);
      if (refusal.code() != ErrorCode.ADDRESS_IN_USE) {
        throw refusal;
      }
    }
  }

  /// The address for binding.
  ///
  /// @throws FloeException `INVALID_CONFIG` when its host name is not known
  static InetSocketAddress resolve(Endpoint address) {
    InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
    if (resolved.isUnresolved()) {
      throw new FloeException(
          ErrorCode.INVALID_CONFIG,
          "cannot listen on "
              + address
              + ": the host name cannot be resolved; correct it, or use this machine's address");
    }
    return resolved;
  }

  /// Why an address could not be bound.
  static FloeException refusal(Endpoint address, IOException e) {
    String why = String.valueOf(e.getMessage());
    if (e instanceof BindException && why.contains("in use")) {
      return new FloeException(
          ErrorCode.ADDRESS_IN_USE,
          "cannot listen on "
              + address
              + ": another process has this address; stop that process, or configure another port"
              + " (0 picks a free one)",
          e);
    }
    if (e instanceof BindException && why.contains("assign")) {
      return new FloeException(
          ErrorCode.INVALID_CONFIG,
          "cannot listen on "
              + address
              + ": "
              + address.host()
              + " is no address of this machine; start the node on the machine that has it, or"
              + " configure an address of this one",
          e);
    }
    return new FloeException(
        ErrorCode.INVALID_CONFIG,
        "cannot listen on "
            + address
            + ": "
            + why
            + "; use an address of this machine and a port that this user may open",
        e);
  }
}
