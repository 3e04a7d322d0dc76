package dev.floe.nof.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.BooleanSupplier;

/// A channel whose `force` fails like a broken disk while the switch is on.
final class FaultyFileChannel extends FileChannel {
  private final FileChannel below;
  private final BooleanSupplier isBroken;

  FaultyFileChannel(FileChannel below, BooleanSupplier isBroken) {
    this.below = below;
    this.isBroken = isBroken;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    if (isBroken.getAsBoolean()) {
      throw new IOException("Input/output error");
    }
    below.force(metaData);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return below.read(target, position);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return below.write(source, position);
  }

  @Override
  public long size() throws IOException {
    return below.size();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    below.close();
  }

  @Override
  public int read(ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long position() {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel position(long newPosition) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel truncate(long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw new UnsupportedOperationException();
  }
}
