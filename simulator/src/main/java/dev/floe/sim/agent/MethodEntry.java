package dev.floe.sim.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/// Puts code at the beginning, or before the end, of a few methods of the JDK
/// and of the probes.
final class MethodEntry {
  private static final ClassDesc HOOKS = CallSites.HOOKS;
  private static final ClassDesc THREAD = ClassDesc.of("java.lang.Thread");
  private static final ClassDesc INSTANT = ClassDesc.of("java.time.Instant");
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);

  private MethodEntry() {}

  /// Whether anything was inserted.
  static boolean insert(CodeBuilder code, String owner, String method, String descriptor) {
    return switch (owner) {
      case "java/lang/Thread" -> insertInThread(code, method, descriptor);
      case "java/lang/VirtualThread" -> insertInVirtualThread(code, method, descriptor);
      case "java/util/concurrent/locks/LockSupport" -> {
        if (!method.equals("unpark")) {
          yield false;
        }
        code.aload(0).invokestatic(HOOKS, "redirect", MethodTypeDesc.of(THREAD, THREAD)).astore(0);
        yield true;
      }
      case "java/time/Clock" -> {
        if (!method.equals("currentInstant")) {
          yield false;
        }
        Label real = code.newLabel();
        code.invokestatic(HOOKS, "instant", MethodTypeDesc.of(INSTANT)).dup().ifnull(real);
        code.areturn().labelBinding(real).pop();
        yield true;
      }
      case "dev/floe/core/probe/Probe" -> insertInProbe(code, method);
      // Nobody reads the distributions, and they cost more than anything else of Ratis.
      case "org/apache/ratis/thirdparty/com/codahale/metrics/ExponentiallyDecayingReservoir" -> {
        if (!method.equals("update")) {
          yield false;
        }
        Label real = unlessSimulated(code);
        code.return_().labelBinding(real);
        yield true;
      }
      // Only told in a log; asking for it is expensive, and what collectors do is not of this
      // world.
      case "org/apache/ratis/util/JvmPauseMonitor" -> {
        if (!method.equals("getGcTimes")) {
          yield false;
        }
        Label real = unlessSimulated(code);
        code.invokestatic(
            ClassDesc.of("java.util.Collections"),
            "emptyMap",
            MethodTypeDesc.of(ConstantDescs.CD_Map));
        code.areturn().labelBinding(real);
        yield true;
      }
      default -> false;
    };
  }

  /// Jumps to the label outside of a simulation.
  private static Label unlessSimulated(CodeBuilder code) {
    Label real = code.newLabel();
    code.invokestatic(HOOKS, "isSimulated", MethodTypeDesc.of(ConstantDescs.CD_boolean));
    code.ifeq(real);
    return real;
  }

  private static boolean insertInProbe(CodeBuilder code, String method) {
    ClassDesc text = ConstantDescs.CD_String;
    switch (method) {
      case "buggify" -> {
        Label quiet = code.newLabel();
        code.aload(0)
            .invokestatic(HOOKS, method, MethodTypeDesc.of(ConstantDescs.CD_boolean, text))
            .ifeq(quiet);
        code.iconst_1().ireturn().labelBinding(quiet);
      }
      case "sometimes" ->
          code.aload(0).invokestatic(HOOKS, method, MethodTypeDesc.of(ConstantDescs.CD_void, text));
      default -> {
        return false;
      }
    }
    return true;
  }

  /// Whether anything was inserted.
  static boolean insertBeforeReturn(CodeBuilder code, String owner, String method) {
    if (!owner.equals("java/lang/VirtualThread")) {
      return false;
    }
    switch (method) {
      case "<init>" ->
          code.aload(0)
              .invokestatic(
                  HOOKS, "virtualThreadMade", MethodTypeDesc.of(ConstantDescs.CD_void, THREAD));
      case "unblock" -> code.invokestatic(HOOKS, "unblockEnd", NOTHING);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static boolean insertInVirtualThread(CodeBuilder code, String method, String descriptor) {
    if (!(method + descriptor).equals("compareAndSetOnWaitingList(ZZ)Z")) {
      return false;
    }
    code.invokestatic(HOOKS, "unblockBegin", NOTHING);
    return true;
  }

  private static boolean insertInThread(CodeBuilder code, String method, String descriptor) {
    switch (method + descriptor) {
      case "start()V", "start(Ljdk/internal/vm/ThreadContainer;)V" -> {
        Label real = code.newLabel();
        code.aload(0)
            .invokestatic(
                HOOKS, "threadStart", MethodTypeDesc.of(ConstantDescs.CD_boolean, THREAD));
        code.ifeq(real).return_().labelBinding(real);
      }
      case "interrupt()V",
          "isInterrupted()Z",
          "alive()Z",
          "threadState()Ljava/lang/Thread$State;",
          "join(J)V" ->
          redirect(code, method, descriptor);
      default -> {
        return false;
      }
    }
    return true;
  }

  /// `Thread other = redirect(this); if (other != this) return other.method(...)`.
  private static void redirect(CodeBuilder code, String method, String descriptor) {
    Label real = code.newLabel();
    MethodTypeDesc type = MethodTypeDesc.of(THREAD, THREAD);
    code.aload(0).invokestatic(HOOKS, "redirect", type).aload(0).if_acmpeq(real);
    code.aload(0).invokestatic(HOOKS, "redirect", type);
    if (method.equals("join")) {
      code.lload(1);
    }
    code.invokevirtual(THREAD, method, MethodTypeDesc.ofDescriptor(descriptor));
    switch (descriptor.charAt(descriptor.indexOf(')') + 1)) {
      case 'V' -> code.return_();
      case 'Z' -> code.ireturn();
      default -> code.areturn();
    }
    code.labelBinding(real);
  }
}
