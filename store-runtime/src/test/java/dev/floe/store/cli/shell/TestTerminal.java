package dev.floe.store.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.util.HashMap;
import java.util.Map;

/// A terminal whose streams are memory.
public final class TestTerminal {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> environment = new HashMap<>(Map.of("HOME", "/nonexistent"));
  private final boolean isErrTerminal;
  private byte[] in = new byte[0];
  private ResultStream results = ResultStream.of(out, Channels.newChannel(out));

  public TestTerminal(boolean isErrTerminal) {
    this.isErrTerminal = isErrTerminal;
  }

  public TestTerminal withVariable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  public TestTerminal withInput(byte[] bytes) {
    in = bytes.clone();
    return this;
  }

  /// Every write of results fails with this message from now on.
  public TestTerminal withBrokenOutput(String message) {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(message);
          }
        };
    results = ResultStream.of(broken, Channels.newChannel(broken));
    return this;
  }

  public Terminal terminal() {
    return new Terminal(
        new ByteArrayInputStream(in),
        results,
        new PrintStream(err, true, UTF_8),
        isErrTerminal,
        environment);
  }

  public String out() {
    results.flush();
    return out.toString(UTF_8);
  }

  public byte[] outBytes() {
    return out.toByteArray();
  }

  public String err() {
    return err.toString(UTF_8);
  }
}
