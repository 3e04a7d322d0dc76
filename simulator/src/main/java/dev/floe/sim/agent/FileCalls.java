package dev.floe.sim.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;

/// Which calls reach files, which of them have a counterpart in `FileHooks`, and which only work on
/// names. Pure.
///
/// A call of the first kind that is in neither list is uncovered: in code that must live on the
/// simulated disk it fails when it is reached, so none slips by.
final class FileCalls {
  static final ClassDesc HOOKS = ClassDesc.of("dev.floe.sim.boot.FileHooks");
  static final ClassDesc RANDOM_ACCESS = ClassDesc.of("dev.floe.sim.boot.SimRandomAccessFile");
  static final String REAL_RANDOM_ACCESS = "java/io/RandomAccessFile";

  private static final String FILES = "java/nio/file/Files";
  private static final String FILE = "java/io/File";

  private static final Set<String> COVERED =
      Set.of(
          "java/nio/file/Files.exists(Ljava/nio/file/Path;[Ljava/nio/file/LinkOption;)Z",
          "java/nio/file/Files.isDirectory(Ljava/nio/file/Path;[Ljava/nio/file/LinkOption;)Z",
          "java/nio/file/Files.isRegularFile(Ljava/nio/file/Path;[Ljava/nio/file/LinkOption;)Z",
          "java/nio/file/Files.isWritable(Ljava/nio/file/Path;)Z",
          "java/nio/file/Files.size(Ljava/nio/file/Path;)J",
          "java/nio/file/Files.delete(Ljava/nio/file/Path;)V",
          "java/nio/file/Files.deleteIfExists(Ljava/nio/file/Path;)Z",
          "java/nio/file/Files.createDirectories(Ljava/nio/file/Path;[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/file/Path;",
          "java/nio/file/Files.createFile(Ljava/nio/file/Path;[Ljava/nio/file/attribute/FileAttribute;)Ljava/nio/file/Path;",
          "java/nio/file/Files.move(Ljava/nio/file/Path;Ljava/nio/file/Path;[Ljava/nio/file/CopyOption;)Ljava/nio/file/Path;",
          "java/nio/file/Files.readAllBytes(Ljava/nio/file/Path;)[B",
          "java/nio/file/Files.readString(Ljava/nio/file/Path;Ljava/nio/charset/Charset;)Ljava/lang/String;",
          "java/nio/file/Files.newBufferedReader(Ljava/nio/file/Path;)Ljava/io/BufferedReader;",
          "java/nio/file/Files.newInputStream(Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/io/InputStream;",
          "java/nio/file/Files.newOutputStream(Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/io/OutputStream;",
          "java/nio/file/Files.list(Ljava/nio/file/Path;)Ljava/util/stream/Stream;",
          "java/nio/file/Files.newDirectoryStream(Ljava/nio/file/Path;)Ljava/nio/file/DirectoryStream;",
          "java/nio/file/Files.newDirectoryStream(Ljava/nio/file/Path;Ljava/nio/file/DirectoryStream$Filter;)Ljava/nio/file/DirectoryStream;",
          "java/nio/file/Files.newDirectoryStream(Ljava/nio/file/Path;Ljava/lang/String;)Ljava/nio/file/DirectoryStream;",
          "java/nio/file/Files.walkFileTree(Ljava/nio/file/Path;Ljava/nio/file/FileVisitor;)Ljava/nio/file/Path;",
          "java/nio/file/Path.toRealPath([Ljava/nio/file/LinkOption;)Ljava/nio/file/Path;",
          "java/nio/channels/FileChannel.open(Ljava/nio/file/Path;[Ljava/nio/file/OpenOption;)Ljava/nio/channels/FileChannel;",
          "java/io/RandomAccessFile.getChannel()Ljava/nio/channels/FileChannel;",
          "java/io/File.exists()Z",
          "java/io/File.isDirectory()Z",
          "java/io/File.isFile()Z",
          "java/io/File.length()J",
          "java/io/File.listFiles()[Ljava/io/File;",
          "java/io/File.delete()Z",
          "java/io/File.deleteOnExit()V",
          "java/io/File.getCanonicalPath()Ljava/lang/String;",
          "java/io/File.getFreeSpace()J");

  /// Methods of `File` that look at its name only.
  private static final Set<String> NAMES =
      Set.of(
          "<init>",
          "getName",
          "getParent",
          "getParentFile",
          "toPath",
          "getPath",
          "getAbsolutePath",
          "getAbsoluteFile",
          "isAbsolute",
          "toString",
          "equals",
          "hashCode",
          "compareTo");

  /// Methods of `RandomAccessFile` that the simulation's own overrides, or that act on its channel.
  private static final Set<String> OVERRIDDEN =
      Set.of("<init>", "close", "write([B)V", "length", "setLength");

  /// What else opens files. Methods of `FileChannel` other than `open` act on a channel that came
  /// from here.
  private static final Set<String> OPENERS =
      Set.of(
          "java/io/FileInputStream",
          "java/io/FileOutputStream",
          "java/io/FileReader",
          "java/io/FileWriter",
          "java/nio/channels/AsynchronousFileChannel",
          "java/nio/file/FileStore",
          "java/nio/file/spi/FileSystemProvider",
          "java/util/zip/ZipFile",
          "java/util/jar/JarFile");

  private static final Set<String> TAKES_NAMES =
      Set.of("java/nio/file/Path", "java/nio/file/Paths", "java/io/File");

  private FileCalls() {}

  static boolean isCovered(String owner, String name, String descriptor) {
    return COVERED.contains(owner + '.' + name + descriptor);
  }

  /// Whether a call could reach a file past the simulation.
  static boolean isUncovered(String owner, String name, String descriptor) {
    if (isCovered(owner, name, descriptor)) {
      return false;
    }
    return switch (owner) {
      case FILES -> true;
      case FILE -> !NAMES.contains(name);
      case "java/nio/file/Path" -> name.equals("register");
      case REAL_RANDOM_ACCESS ->
          !OVERRIDDEN.contains(name) && !OVERRIDDEN.contains(name + descriptor);
      case "java/nio/channels/FileChannel" -> name.equals("open");
      default -> OPENERS.contains(owner) || handsNameOver(owner, descriptor);
    };
  }

  /// `new PrintWriter(file)`, `new Scanner(path)` and what a library does with a name.
  private static boolean handsNameOver(String owner, String descriptor) {
    boolean isLibrary =
        owner.startsWith("java/io/")
            || owner.equals("java/util/Scanner")
            || owner.equals("java/util/Formatter")
            || owner.startsWith("org/apache/ratis/thirdparty/");
    String parameters = descriptor.substring(0, Math.max(0, descriptor.indexOf(')')));
    return isLibrary
        && !TAKES_NAMES.contains(owner)
        && (parameters.contains("Ljava/io/File;") || parameters.contains("Ljava/nio/file/Path;"));
  }

  /// Writes the replacement; false when the call is to stay.
  static boolean replace(CodeBuilder code, InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    String descriptor = call.type().stringValue();
    if (owner.equals(REAL_RANDOM_ACCESS) && name.equals("<init>")) {
      code.invokespecial(RANDOM_ACCESS, name, call.typeSymbol());
      return true;
    }
    if (!isCovered(owner, name, descriptor)) {
      return false;
    }
    MethodTypeDesc type = call.typeSymbol();
    code.invokestatic(
        HOOKS,
        name,
        call.opcode() == Opcode.INVOKESTATIC
            ? type
            : type.insertParameterTypes(0, call.owner().asSymbol()));
    return true;
  }

  /// Puts a check before a call that stays and must not be reached.
  static void refuse(CodeBuilder code, String where, String owner, String name) {
    code.loadConstant(where + " calls " + owner + '.' + name);
    code.invokestatic(
        HOOKS, "uncovered", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String));
  }
}
