package dev.floe.sim.disk;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/// The lock of a whole file; a file has one at a time. It ends with its channel or its process.
final class SimFileLock extends FileLock {
  private final Node.FileNode file;

  SimFileLock(FileChannel channel, Node.FileNode file) {
    super(channel, 0, Long.MAX_VALUE, false);
    this.file = file;
  }

  @Override
  public boolean isValid() {
    return file.lock == this;
  }

  @Override
  public void release() {
    if (isValid()) {
      file.lock = null;
    }
  }
}
