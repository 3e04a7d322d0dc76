package dev.floe.nof.block;

/// The same through the page cache.
class BufferedFileBlockDeviceTest extends FileBlockDeviceTest {
  @Override
  FileBlockDevice.Options options() {
    return new FileBlockDevice.Options(4096, false);
  }
}
