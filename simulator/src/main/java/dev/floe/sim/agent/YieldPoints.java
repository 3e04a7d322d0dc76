package dev.floe.sim.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import org.jspecify.annotations.Nullable;

/// Puts points into one method at which its thread may lose the processor: before it enters a
/// monitor, when a synchronized method begins, and before each call of `java.util.concurrent`.
///
/// A point is named by class, method and its place in the method, so that its name is the same in
/// every JVM.
final class YieldPoints {
  private static final MethodTypeDesc TAKES_INT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  private final int method;
  private final boolean isSynchronized;
  private int points;

  private YieldPoints(int method, boolean isSynchronized) {
    this.method = method;
    this.isSynchronized = isSynchronized;
  }

  /// For a method; null when it gets none. Class initialisers run while the JVM keeps others from
  /// the class: nobody could go on.
  static @Nullable YieldPoints of(String owner, MethodModel model) {
    String name = model.methodName().stringValue();
    if (name.equals("<clinit>")) {
      return null;
    }
    int place = (owner + '.' + name + model.methodType().stringValue()).hashCode();
    return new YieldPoints(place, model.flags().has(AccessFlag.SYNCHRONIZED));
  }

  boolean insertAtStart(CodeBuilder code) {
    if (isSynchronized) {
      insert(code);
    }
    return isSynchronized;
  }

  boolean insertBefore(CodeBuilder code, CodeElement element) {
    boolean isPoint =
        switch (element) {
          case MonitorInstruction monitor -> monitor.opcode() == Opcode.MONITORENTER;
          case InvokeInstruction call ->
              call.owner().asInternalName().startsWith("java/util/concurrent/");
          default -> false;
        };
    if (isPoint) {
      insert(code);
    }
    return isPoint;
  }

  private void insert(CodeBuilder code) {
    points++;
    code.loadConstant(31 * method + points).invokestatic(CallSites.HOOKS, "yieldPoint", TAKES_INT);
  }
}
