package dev.floe.sim.wire;

import dev.floe.core.wire.ByteLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;

/// One end of a simulated connection.
final class SimLink implements ByteLink {
  private final SimHost host;
  private final String remote;
  private final Stream out;
  private final Stream in;
  private boolean isOpen = true;

  SimLink(SimHost host, String remote, Stream out, Stream in) {
    this.host = host;
    this.remote = remote;
    this.out = out;
    this.in = in;
  }

  SimHost host() {
    return host;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    try {
      return in.read(target);
    } catch (ClosedByInterruptException e) {
      close();
      throw e;
    }
  }

  @Override
  public void write(ByteBuffer[] parts) throws IOException {
    try {
      out.write(parts);
    } catch (ClosedByInterruptException e) {
      close();
      throw e;
    }
  }

  @Override
  public void endOutput() {
    out.end();
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public String remote() {
    return remote;
  }

  @Override
  public void close() {
    isOpen = false;
    out.end();
    in.endReading();
  }

  /// The process at this end is gone: its system resets the connection.
  void reset() {
    isOpen = false;
    String why = "connection reset by " + host.name();
    out.breakOff(why);
    in.breakOff(why);
  }
}
