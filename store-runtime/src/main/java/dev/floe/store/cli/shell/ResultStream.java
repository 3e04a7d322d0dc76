package dev.floe.store.cli.shell;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Standard output that remembers why it could not be written. Java's print streams go on in
/// silence, so that a command whose results are lost would end as if all were well.
///
/// Not thread-safe beyond what `PrintStream` is: one command writes at a time.
public final class ResultStream extends PrintStream {
  /// How Linux and macOS say that nobody reads a pipe any more.
  private static final String READER_GONE = "Broken pipe";

  private final Watched watched;

  private ResultStream(Watched watched) {
    super(new BufferedOutputStream(watched), false, StandardCharsets.UTF_8);
    this.watched = watched;
  }

  /// A stream for text in UTF-8 and for bytes.
  ///
  /// @param text gets the text
  /// @param bytes leads to the same place
  public static ResultStream of(OutputStream text, WritableByteChannel bytes) {
    return new ResultStream(new Watched(text, bytes));
  }

  /// The same output for the bytes of values; its errors are remembered too, and thrown.
  public WritableByteChannel bytes() {
    return watched;
  }

  /// Writes what is held back.
  ///
  /// @return the first error of this output, or null when all was written
  public @Nullable IOException failure() {
    flush();
    return watched.failure;
  }

  /// Whether an output failed because its reader went away, as `head` does; that is no error.
  public static boolean isReaderGone(IOException failure) {
    String message = failure.getMessage();
    return message != null && message.contains(READER_GONE);
  }

  /// Writes what is held back; for commands that go on for long afterwards.
  ///
  /// @throws FloeException `IO_ERROR` when something could not be written, unless the reader went away
  public void checkWritten() {
    IOException lost = failure();
    if (lost != null && !isReaderGone(lost)) {
      throw new FloeException(ErrorCode.IO_ERROR, lostMessage(lost), lost);
    }
  }

  /// What to tell of an error of an output.
  public static String lostMessage(IOException failure) {
    return "the output could not be written: " + IoReason.of(failure);
  }

  /// What a person can do about it; printed after `next:`.
  public static String lostAdvice() {
    return "free space where standard output goes, or send it elsewhere, and run the command again";
  }

  /// Both ways to the output.
  private static final class Watched extends OutputStream implements WritableByteChannel {
    private final OutputStream text;
    private final WritableByteChannel bytes;
    private volatile @Nullable IOException failure;

    Watched(OutputStream text, WritableByteChannel bytes) {
      this.text = text;
      this.bytes = bytes;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      try {
        text.write(from, offset, length);
      } catch (IOException e) {
        throw noted(e);
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        text.flush();
      } catch (IOException e) {
        throw noted(e);
      }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      try {
        return bytes.write(from);
      } catch (IOException e) {
        throw noted(e);
      }
    }

    private IOException noted(IOException e) {
      if (failure == null) {
        failure = e;
      }
      return e;
    }

    @Override
    public boolean isOpen() {
      return bytes.isOpen();
    }

    @Override
    public void close() throws IOException {
      text.close();
      bytes.close();
    }
  }
}
