package dev.floe.meta.ratis;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.error.IoReason;
import dev.floe.meta.ratis.storage.LogTailRepair;
import dev.floe.meta.ratis.storage.SnapshotFiles;
import dev.floe.meta.ratis.storage.SnapshotTrigger;
import dev.floe.meta.ratis.storage.SnapshotWorker;
import dev.floe.meta.ratis.storage.StateFormat;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.util.ExitUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts Ratis: checks what Ratis would answer with an exit or a riddle, then builds the server.
final class RatisBootstrap {
  private static final Logger LOG = LoggerFactory.getLogger(RatisBootstrap.class);

  private final RatisOptions options;
  private final StateFormat format;
  private final RatisSeams seams;
  private final RatisErrors errors;

  RatisBootstrap(RatisOptions options, StateFormat format, RatisSeams seams) {
    this.options = options;
    this.format = format;
    this.seams = seams;
    this.errors = new RatisErrors(options);
  }

  RatisMetaLog open() {
    tameExit();
    RaftProperties properties = RatisProperties.of(options, seams.rpc());
    checkDirectory();
    int entryBytesMax = RaftServerConfigKeys.Log.Appender.bufferByteLimit(properties).getSizeInt();
    new LogTailRepair(options.groupDirectory(), entryBytesMax).run();
    seams.rpc().checkAddress(options);
    return start(properties);
  }

  /// Ratis ends the process on some errors and also installs a handler that does so for uncaught
  /// exceptions of any thread. Errors are ours to report.
  private static void tameExit() {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.disableSystemExit();
    ExitUtils.setTerminateOnUncaughtException(false);
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  /// Creates the folder and makes sure that no other master uses the group's.
  private void checkDirectory() {
    try {
      Files.createDirectories(options.directory());
    } catch (IOException e) {
      throw unusable(e);
    }
    if (!Files.isWritable(options.directory())) {
      throw unusable(new IOException("it is not writable"));
    }
    // Measured as Ratis does it, which would tell it with a stack trace.
    long free = options.directory().toFile().getFreeSpace();
    if (free < options.storage().freeSpaceMinBytes()) {
      throw errors.noSpace(free, null);
    }
    Path lock = options.groupDirectory().resolve("in_use.lock");
    if (!Files.exists(lock)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock held = channel.tryLock()) {
      if (held == null) {
        throw errors.ofStart(new OverlappingFileLockException());
      }
    } catch (OverlappingFileLockException e) {
      throw errors.ofStart(e);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private FloeException unusable(IOException e) {
    return new FloeException(
        ErrorCode.DIRECTORY_UNUSABLE,
        "the Raft directory " + options.directory() + " cannot be used: " + IoReason.of(e),
        e);
  }

  private RatisMetaLog start(RaftProperties properties) {
    AtomicReference<RatisMetaLog> opened = new AtomicReference<>();
    SnapshotFiles files = new SnapshotFiles();
    SnapshotTrigger trigger =
        new SnapshotTrigger(
            options.storage().snapshot().staggered(place()), seams.ticker().nanos());
    SnapshotWorker snapshots =
        new SnapshotWorker(
            options.node(),
            files,
            trigger,
            seams.ticker(),
            () -> {
              RatisMetaLog log = opened.get();
              if (log != null) {
                log.purge();
              }
            });
    LeadershipRelay relay = new LeadershipRelay(options.node());
    ClientId clientId = ClientId.randomId();
    ConcurrentHashMap<Long, LocalWrite> pending = new ConcurrentHashMap<>();
    MetadataStateMachine machine =
        new MetadataStateMachine(
            new MetadataStateMachine.Parts(options.node(), format, files, snapshots, relay, seams),
            clientId,
            pending);
    RaftServer server = null;
    try {
      server = build(properties, machine);
      server.start();
      RatisMetaLog log =
          new RatisMetaLog(
              new RatisMetaLog.Parts(options, format, machine, snapshots, relay, clientId, pending),
              server,
              server.getDivision(groupId()));
      opened.set(log);
      return log;
    } catch (IOException | RuntimeException e) {
      machine.expectClose();
      closeQuietly(server);
      snapshots.close();
      relay.close();
      throw errors.ofStart(e);
    }
  }

  private int place() {
    List<String> nodes = options.peers().stream().map(RatisPeer::node).sorted().toList();
    return nodes.indexOf(options.node());
  }

  private RaftServer build(RaftProperties properties, MetadataStateMachine machine)
      throws IOException {
    // One that joins must not know the members: it would stand for election among them.
    List<RaftPeer> peers =
        options.group().isJoining()
            ? List.of()
            : options.peers().stream().map(RatisMembers::raftPeer).toList();
    return RaftServer.newBuilder()
        .setServerId(RaftPeerId.valueOf(options.node()))
        .setGroup(RaftGroup.valueOf(groupId(), peers))
        .setOption(RaftStorage.StartupOption.RECOVER)
        .setStateMachine(machine)
        .setProperties(properties)
        .setParameters(seams.rpc().parameters())
        .build();
  }

  private RaftGroupId groupId() {
    return RaftGroupId.valueOf(options.groupUuid());
  }

  private static void closeQuietly(@org.jspecify.annotations.Nullable RaftServer server) {
    if (server == null) {
      return;
    }
    try {
      server.close();
    } catch (IOException | RuntimeException e) {
      LOG.debug("closing a Ratis server that did not start", e);
    }
  }
}
