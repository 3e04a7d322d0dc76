package dev.floe.sim.probe;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/// All probes that exist, read from class files without loading a class.
///
/// @param sites names of places that may make trouble
/// @param situations names of what must be seen in some run
public record ProbeCatalogue(SortedSet<String> sites, SortedSet<String> situations) {
  private static final String PROBE = "dev/floe/core/probe/Probe";

  /// The probes in all of this project's classes on a class path.
  ///
  /// @throws IllegalStateException when a probe's name is not a constant
  public static ProbeCatalogue ofClassPath(String classPath) throws IOException {
    ProbeCatalogue found = new ProbeCatalogue(new TreeSet<>(), new TreeSet<>());
    Set<Path> done = new HashSet<>();
    for (String element : classPath.split(File.pathSeparator, -1)) {
      found.add(Path.of(element), done);
    }
    return found;
  }

  private void add(Path element, Set<Path> done) throws IOException {
    if (!done.add(element.toAbsolutePath().normalize())) {
      return;
    }
    if (Files.isDirectory(element)) {
      addDirectory(element);
    } else if (Files.isRegularFile(element) && element.toString().endsWith(".jar")) {
      addJar(element, done);
    }
  }

  private void addDirectory(Path directory) throws IOException {
    Path ours = directory.resolve("dev/floe");
    if (!Files.isDirectory(ours)) {
      return;
    }
    List<Path> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ours)) {
      files.filter(file -> file.toString().endsWith(".class")).forEach(classes::add);
    }
    for (Path file : classes) {
      add(Files.readAllBytes(file));
    }
  }

  private void addJar(Path path, Set<Path> done) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().startsWith("dev/floe/") && entry.getName().endsWith(".class")) {
          try (InputStream in = jar.getInputStream(entry)) {
            add(in.readAllBytes());
          }
        }
      }
      // The launcher's class path is one jar whose manifest names the others.
      Manifest manifest = jar.getManifest();
      String others =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      for (String other : others == null ? new String[0] : others.split(" ", -1)) {
        if (!other.isEmpty()) {
          add(path.resolveSibling(URLDecoder.decode(other, StandardCharsets.UTF_8)), done);
        }
      }
    }
  }

  private void add(byte[] classFile) {
    var model = ClassFile.of().parse(classFile);
    for (MethodModel method : model.methods()) {
      method
          .code()
          .ifPresent(
              code ->
                  scan(
                      model.thisClass().asInternalName() + "." + method.methodName(),
                      code.elementList()));
    }
  }

  private void scan(String where, List<CodeElement> code) {
    String constant = null;
    for (CodeElement element : code) {
      if (element instanceof InvokeInstruction call
          && call.owner().asInternalName().equals(PROBE)) {
        if (constant == null) {
          throw new IllegalStateException(
              "a probe in " + where + " has a name that is no constant");
        }
        (call.name().equalsString("buggify") ? sites : situations).add(constant);
      }
      if (element instanceof ConstantInstruction loaded) {
        constant = loaded.constantValue() instanceof String text ? text : null;
      } else if (!(element instanceof LineNumber || element instanceof LabelTarget)) {
        constant = null;
      }
    }
  }
}
