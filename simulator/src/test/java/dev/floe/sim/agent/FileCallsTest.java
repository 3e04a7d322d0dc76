package dev.floe.sim.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.floe.sim.boot.Hooks;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Reads the class files that must live on the simulated disk and looks for calls that would pass
/// it by: a new version of Ratis, or a new line of ours, shows up here.
class FileCallsTest {
  private int covered;

  /// What Ratis can call and a master does not: each with the reason.
  private static final Set<String> NEVER_REACHED = Set.of();

  /// With the agent loaded its classes belong to the boot class path and not to this package.
  @BeforeEach
  void runWithoutTheAgent() {
    assumeFalse(Hooks.isAgentLoaded());
  }

  @Test
  void everyFileCallOfMastersIsCovered() throws Exception {
    Set<String> uncovered = new TreeSet<>();
    for (Class<?> one :
        List.of(
            org.apache.ratis.server.impl.ServerImplUtils.class,
            org.apache.ratis.server.RaftServer.class,
            org.apache.ratis.util.FileUtils.class,
            dev.floe.core.file.AtomicFile.class,
            dev.floe.meta.node.MasterNode.class)) {
      URI place = one.getProtectionDomain().getCodeSource().getLocation().toURI();
      for (byte[] bytes : classesAt(Path.of(place))) {
        scan(ClassFile.of().parse(bytes), uncovered);
      }
    }
    assertThat(covered).as("calls that go to the simulated disk").isGreaterThan(60);
    assertThat(uncovered).isEqualTo(NEVER_REACHED);
  }

  private static List<byte[]> classesAt(Path place) throws IOException {
    List<byte[]> all = new ArrayList<>();
    if (Files.isDirectory(place)) {
      try (Stream<Path> files = Files.walk(place)) {
        files
            .filter(f -> f.toString().endsWith(".class"))
            .forEach(
                f -> {
                  try {
                    all.add(Files.readAllBytes(f));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
      }
    } else {
      try (InputStream in = Files.newInputStream(place);
          ZipInputStream zip = new ZipInputStream(in)) {
        for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
          if (e.getName().endsWith(".class")) {
            all.add(zip.readAllBytes());
          }
        }
      }
    }
    assertThat(all).as(place.toString()).isNotEmpty();
    return all;
  }

  private void scan(ClassModel model, Set<String> uncovered) {
    String name = model.thisClass().asInternalName();
    if (!Targets.isOnSimulatedDisk(name)) {
      return;
    }
    for (MethodModel method : model.methods()) {
      method.code().ifPresent(code -> scan(name, code, uncovered));
    }
  }

  private void scan(String name, CodeModel code, Set<String> uncovered) {
    for (CodeElement element : code) {
      switch (element) {
        case InvokeInstruction call ->
            look(
                name,
                call.owner().asInternalName(),
                call.name().stringValue(),
                call.type().stringValue(),
                uncovered);
        case InvokeDynamicInstruction call -> {
          for (ConstantDesc argument : call.bootstrapArgs()) {
            if (argument instanceof DirectMethodHandleDesc handle) {
              look(
                  name,
                  CallSites.internalName(handle.owner()),
                  handle.methodName(),
                  handle.lookupDescriptor(),
                  uncovered);
            }
          }
        }
        default -> {}
      }
    }
  }

  private void look(
      String where, String owner, String name, String descriptor, Set<String> uncovered) {
    if (FileCalls.isCovered(owner, name, descriptor)) {
      covered++;
    } else if (FileCalls.isUncovered(owner, name, descriptor)) {
      uncovered.add(where + " -> " + owner + '.' + name + descriptor);
    }
  }

  @Test
  void findsWhatWouldSlipBy() {
    assertThat(isUncovered("java/nio/file/Files", "copy")).isTrue();
    assertThat(isUncovered("java/io/File", "renameTo")).isTrue();
    assertThat(isUncovered("java/io/FileInputStream", "<init>")).isTrue();
    assertThat(isUncovered("java/io/RandomAccessFile", "seek")).isTrue();
    assertThat(FileCalls.isUncovered("java/io/PrintWriter", "<init>", "(Ljava/io/File;)V"))
        .isTrue();
    assertThat(isUncovered("java/io/File", "getName")).isFalse();
    assertThat(isUncovered("java/nio/file/Path", "resolve")).isFalse();
  }

  private static boolean isUncovered(String owner, String name) {
    return FileCalls.isUncovered(owner, name, "()V");
  }
}
