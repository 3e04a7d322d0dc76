package dev.floe.meta.ratis.storage;

import java.io.File;
import java.nio.file.Path;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageDirectory;
import org.apache.ratis.server.storage.RaftStorageMetadataFile;

/// A folder as Ratis hands it to a state machine, without its lock and its metadata file.
public record FolderStorage(RaftStorageDirectory getStorageDir) implements RaftStorage {
  /// That folder.
  public static FolderStorage in(Path root) {
    return new FolderStorage(new Folder(root.toFile()));
  }

  private record Folder(File getRoot) implements RaftStorageDirectory {
    @Override
    public boolean isHealthy() {
      return true;
    }
  }

  @Override
  public void initialize() {}

  @Override
  public RaftStorageMetadataFile getMetadataFile() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CorruptionPolicy getLogCorruptionPolicy() {
    return CorruptionPolicy.EXCEPTION;
  }

  @Override
  public void close() {}
}
