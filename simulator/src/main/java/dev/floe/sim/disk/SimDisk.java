package dev.floe.sim.disk;

import dev.floe.sim.disk.Node.DirectoryNode;
import dev.floe.sim.disk.Node.FileNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// The disk of one machine. It outlives the processes that use it: `processDied` leaves what they
/// wrote in the page cache, `powerLoss` leaves what reached the medium.
///
/// Paths are relative to its root. May be called by many threads; no lock is held while one waits
/// for the medium.
public final class SimDisk {
  /// Bytes of a healthy disk: none that a run fills.
  private static final long CAPACITY_BYTES = 1L << 40;

  private static final Path ROOT = Path.of("");

  private final String name;
  private final DiskOptions options;
  private final DiskTime time;
  private final SplittableRandom random;
  private final DiskFaults faults;
  private final Journal journal;
  private final DirectoryNode root = new DirectoryNode();
  private final Damage damage;
  private long capacityBytes = CAPACITY_BYTES;
  private long usedBytes;
  private Predicate<String> leftOutForces = file -> false;
  private int lives;

  public SimDisk(String name, DiskOptions options, DiskTime time, SplittableRandom random) {
    this.name = name;
    this.options = options;
    this.time = time;
    this.random = random;
    this.faults = new DiskFaults(random.split());
    this.journal = new Journal(options.names());
    this.damage = new Damage(root, options.sectorBytes(), random.split());
  }

  /// Its name in traces.
  public String name() {
    return name;
  }

  /// What is wrong with it.
  public DiskFaults faults() {
    return faults;
  }

  /// How to damage what is on it.
  public Damage damage() {
    return damage;
  }

  DiskOptions options() {
    return options;
  }

  int lives() {
    return lives;
  }

  // --- what happens to the machine ---

  /// All processes of the machine are gone; the page cache stays. Channels they had are closed.
  public synchronized void processDied() {
    lives++;
    forEachFile(root.entries, file -> file.lock = null);
  }

  /// The machine lost its power: what is left is what reached the medium, and of the rest as much
  /// as `loss` says. Processes are gone too.
  public synchronized void powerLoss(PowerLoss loss) {
    processDied();
    journal.powerLoss(loss, random);
    revert(root);
    forEachFile(root.entries, file -> file.data.powerLoss(loss, options.sectorBytes(), random));
    recount();
    time.note(name, "power loss " + loss, 0);
  }

  /// The page cache is dropped without a loss of power, as when the machine is started again in
  /// order: what the medium accepted is read from there from now on.
  public synchronized void restartMachine() {
    processDied();
    journal.force(root);
    forEachFile(
        root.entries,
        file -> {
          file.data.commit(Long.MAX_VALUE);
          file.data.dropCache();
        });
    recount();
    time.note(name, "machine restarted", 0);
  }

  /// Plants a bug: forces of these files do nothing, as if the code had left them out.
  public void leaveOutForces(Predicate<String> files) {
    leftOutForces = files;
  }

  /// Plants a bug: cuts files to what `size` says of their content.
  public synchronized void edit(Predicate<String> files, ToIntFunction<ByteBuffer> size) {
    damage
        .files()
        .forEach(
            (path, file) -> {
              if (files.test(path)) {
                ByteBuffer content = ByteBuffer.allocate(file.data.size());
                var _ = file.data.read(0, content);
                truncate(file, size.applyAsInt(content.flip()));
                file.data.commit(Long.MAX_VALUE);
              }
            });
  }

  /// From now on only so many more bytes can be written.
  public synchronized void leaveSpace(long bytes) {
    capacityBytes = usedBytes + bytes;
    faults.setFull(true);
  }

  /// There is room again.
  public synchronized void makeSpace() {
    capacityBytes = CAPACITY_BYTES;
    faults.setFull(false);
  }

  private void revert(DirectoryNode directory) {
    directory.entries.clear();
    directory.entries.putAll(directory.durable);
    for (Node node : directory.entries.values()) {
      if (node instanceof DirectoryNode inner) {
        revert(inner);
      }
    }
  }

  private void recount() {
    long[] sum = new long[1];
    forEachFile(root.entries, file -> sum[0] += file.data.size());
    usedBytes = sum[0];
  }

  private static void forEachFile(
      Map<String, Node> entries, java.util.function.Consumer<FileNode> action) {
    for (Node node : entries.values()) {
      switch (node) {
        case FileNode file -> action.accept(file);
        case DirectoryNode directory -> forEachFile(directory.entries, action);
      }
    }
  }

  // --- names ---

  /// What is at a path; null for nothing.
  synchronized @Nullable Node find(Path path) {
    Node now = root;
    if (path.equals(ROOT)) {
      return now;
    }
    for (Path part : path) {
      if (!(now instanceof DirectoryNode directory)) {
        return null;
      }
      now = directory.entries.get(part.toString());
      if (now == null) {
        return null;
      }
    }
    return now;
  }

  private DirectoryNode parentOf(Path path) throws IOException {
    Path parent = path.getParent();
    return switch (find(parent == null ? ROOT : parent)) {
      case null -> throw new NoSuchFileException(path.toString());
      case FileNode _ -> throw new NotDirectoryException(path.toString());
      case DirectoryNode directory -> directory;
    };
  }

  private static String nameOf(Path path) {
    return path.getFileName().toString();
  }

  private void enter(String what, Path path) throws IOException {
    time.spend(2_000 + random.nextLong(8_000));
    time.note(name, what + " " + path, what.hashCode() * 31L + path.toString().hashCode());
    long extra = faults.extraNanos();
    if (extra > 0) {
      time.await(extra);
    }
    faults.check(DiskFaults.Operation.NAME);
  }

  FileChannel open(Path path, Set<? extends OpenOption> wanted) throws IOException {
    boolean isWriting = wanted.contains(StandardOpenOption.WRITE);
    enter(isWriting ? "open to write" : "open", path);
    synchronized (this) {
      Node found = find(path);
      if (found != null && wanted.contains(StandardOpenOption.CREATE_NEW)) {
        throw new FileAlreadyExistsException(path.toString());
      }
      if (found instanceof DirectoryNode directory) {
        if (isWriting) {
          throw new FileSystemException(path.toString(), null, "Is a directory");
        }
        return new SimFileChannel(this, path, directory, wanted);
      }
      if (found == null) {
        boolean isCreating =
            isWriting
                && (wanted.contains(StandardOpenOption.CREATE)
                    || wanted.contains(StandardOpenOption.CREATE_NEW));
        if (!isCreating) {
          throw new NoSuchFileException(path.toString());
        }
        found = link(path, new FileNode());
      }
      FileNode file = (FileNode) found;
      if (isWriting && wanted.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
        truncate(file, 0);
      }
      return new SimFileChannel(this, path, file, wanted);
    }
  }

  private Node link(Path path, Node node) throws IOException {
    DirectoryNode parent = parentOf(path);
    if (usedBytes >= capacityBytes) {
      faults.feel();
      throw new FileSystemException(path.toString(), null, "No space left on device");
    }
    parent.entries.put(nameOf(path), node);
    journal.add(node, true, new Journal.Change(parent, nameOf(path), node));
    return node;
  }

  void createDirectory(Path path) throws IOException {
    enter("mkdir", path);
    synchronized (this) {
      if (find(path) != null) {
        throw new FileAlreadyExistsException(path.toString());
      }
      var _ = link(path, new DirectoryNode());
    }
  }

  void delete(Path path) throws IOException {
    enter("delete", path);
    synchronized (this) {
      Node node = found(path);
      if (node instanceof DirectoryNode directory && !directory.entries.isEmpty()) {
        throw new DirectoryNotEmptyException(path.toString());
      }
      DirectoryNode parent = parentOf(path);
      parent.entries.remove(nameOf(path));
      release(node);
      journal.add(node, false, new Journal.Change(parent, nameOf(path), null));
    }
  }

  void move(Path from, Path to, boolean isReplacing) throws IOException {
    enter("move to " + to + " from", from);
    synchronized (this) {
      Node node = found(from);
      DirectoryNode source = parentOf(from);
      DirectoryNode target = parentOf(to);
      Node inTheWay = find(to);
      if (inTheWay == node) {
        return;
      }
      if (inTheWay != null) {
        if (!isReplacing) {
          throw new FileAlreadyExistsException(to.toString());
        }
        if (inTheWay instanceof DirectoryNode directory && !directory.entries.isEmpty()) {
          throw new DirectoryNotEmptyException(to.toString());
        }
        release(inTheWay);
      }
      source.entries.remove(nameOf(from));
      target.entries.put(nameOf(to), node);
      journal.add(
          node,
          false,
          new Journal.Change(source, nameOf(from), null),
          new Journal.Change(target, nameOf(to), node));
    }
  }

  List<String> list(Path path) throws IOException {
    enter("list", path);
    synchronized (this) {
      return switch (found(path)) {
        case FileNode _ -> throw new NotDirectoryException(path.toString());
        case DirectoryNode directory -> new ArrayList<>(directory.entries.keySet());
      };
    }
  }

  private Node found(Path path) throws IOException {
    Node node = find(path);
    if (node == null) {
      throw new NoSuchFileException(path.toString());
    }
    return node;
  }

  /// A file without a name takes no room; nearly true, as those who have it open close it soon.
  private void release(Node node) {
    if (node instanceof FileNode file) {
      usedBytes -= file.data.size();
    }
  }

  synchronized long freeBytes() {
    return Math.max(0, capacityBytes - usedBytes);
  }

  // --- content ---

  /// Waits for the medium when the content is not in memory, then fails when it is to.
  void beforeRead(FileNode file, Path path) throws IOException {
    time.spend(1_000);
    long wait = faults.extraNanos();
    if (file.data.warmUp()) {
      wait += 50_000 + random.nextLong(options.readMax().toNanos());
    }
    if (wait > 0) {
      time.note(name, "read " + path, wholeSectors(file.data.size()));
      time.await(wait);
    }
    faults.check(DiskFaults.Operation.READ);
  }

  /// Writes some or all of the bytes.
  ///
  /// @return how many
  int write(FileNode file, Path path, long offset, byte[] bytes) throws IOException {
    time.spend(1_000 + wholeSectors(bytes.length) * 128L);
    faults.check(DiskFaults.Operation.WRITE);
    synchronized (this) {
      int count = faults.writable(bytes.length);
      long grown = Math.max(0, offset + count - file.data.size());
      long free = freeBytes();
      if (grown > free) {
        count = (int) Math.max(0, count - (grown - free));
        if (count == 0 && bytes.length > 0) {
          faults.feel();
          throw new IOException("No space left on device");
        }
      }
      int before = file.data.size();
      file.data.write(
          Math.toIntExact(offset),
          count == bytes.length ? bytes : java.util.Arrays.copyOf(bytes, count),
          faults.misdirectedBy(options.sectorBytes()));
      usedBytes += file.data.size() - before;
      // Not the bytes: lock files hold process ids.
      time.note(name, "write " + path, wholeSectors(offset) * 31 + wholeSectors(bytes.length));
      return count;
    }
  }

  private long wholeSectors(long bytes) {
    return bytes / options.sectorBytes();
  }

  synchronized void truncate(FileNode file, int size) {
    int before = file.data.size();
    file.data.truncate(size);
    usedBytes += file.data.size() - before;
  }

  /// Makes a file or directory durable as `DiskOptions.Names` says.
  void force(Node node, Path path, boolean withMetadata) throws IOException {
    if (leftOutForces.test(path.toString())) {
      return;
    }
    long upTo;
    boolean isLying;
    synchronized (this) {
      upTo = node instanceof FileNode file ? file.data.lastChange() : 0;
      isLying = faults.isLying();
    }
    time.note(name, (isLying ? "lied force " : "force ") + path, upTo);
    time.await(forceNanos() + faults.extraNanos());
    if (isLying) {
      return;
    }
    synchronized (this) {
      try {
        faults.check(DiskFaults.Operation.FORCE);
      } catch (IOException e) {
        if (node instanceof FileNode file) {
          file.data.lose(upTo);
        }
        throw e;
      }
      switch (node) {
        case FileNode file -> {
          file.data.commit(upTo);
          journal.force(file, withMetadata);
        }
        case DirectoryNode directory -> journal.force(directory);
      }
    }
  }

  private long forceNanos() {
    long usual = options.forceMax().toNanos() / 10 + random.nextLong(options.forceMax().toNanos());
    int luck = random.nextInt(1024);
    return luck == 0 ? usual * 40 : luck <= 16 ? usual * 8 : usual;
  }

  /// All files by path, with their sizes; for reports and tests.
  public synchronized Map<String, Integer> files() {
    Map<String, Integer> all = new java.util.TreeMap<>();
    damage.files().forEach((path, file) -> all.put(path, file.data.size()));
    return new HashMap<>(all);
  }
}
