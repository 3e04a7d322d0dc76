package dev.floe.sim.agent;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;

/// Replaces calls in the middle of methods. A replaced instance method becomes a static one of
/// `Hooks` that takes the object as its first argument, so the stack stays as it is.
final class CallSites {
  static final ClassDesc HOOKS = ClassDesc.of("dev.floe.sim.boot.Hooks");
  private static final ClassDesc EXECUTOR = ClassDesc.of("java.util.concurrent.Executor");
  private static final MethodTypeDesc RETURNS_LONG = MethodTypeDesc.of(ConstantDescs.CD_long);
  private static final Set<String> CLOCKS = Set.of("nanoTime", "currentTimeMillis");

  private static final Set<String> STATIC =
      Set.of(
          "java/util/UUID.randomUUID",
          "java/lang/Thread.currentThread",
          "java/util/concurrent/ForkJoinPool.commonPool",
          "java/util/concurrent/CompletableFuture.delayedExecutor");
  private static final Set<String> ON_OBJECT =
      Set.of(
          "java/nio/channels/FileChannel.force",
          "java/util/concurrent/CompletableFuture.orTimeout",
          "java/util/concurrent/CompletableFuture.completeOnTimeout");
  private static final Set<String> STAGES =
      Set.of("java/util/concurrent/CompletableFuture", "java/util/concurrent/CompletionStage");

  private final boolean isApplication;

  CallSites(boolean isApplication) {
    this.isApplication = isApplication;
  }

  /// Writes the replacement; false when the call is to stay.
  boolean replace(CodeBuilder code, InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    if (owner.equals("java/lang/System") && CLOCKS.contains(name)) {
      code.invokestatic(HOOKS, name, RETURNS_LONG);
      return true;
    }
    if (!isApplication && owner.equals("java/lang/ref/Cleaner") && name.equals("register")) {
      code.invokestatic(
          HOOKS, name, call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol()));
      return true;
    }
    return isApplication && replaceInApplication(code, call, owner, name);
  }

  private static boolean replaceInApplication(
      CodeBuilder code, InvokeInstruction call, String owner, String name) {
    String target = owner + '.' + name;
    if (STATIC.contains(target)) {
      code.invokestatic(HOOKS, name, call.typeSymbol());
      return true;
    }
    if (ON_OBJECT.contains(target)) {
      code.invokestatic(
          HOOKS, name, call.typeSymbol().insertParameterTypes(0, call.owner().asSymbol()));
      return true;
    }
    if (FileCalls.replace(code, call)) {
      return true;
    }
    if (isAsyncWithoutExecutor(call, name)) {
      MethodTypeDesc type = call.typeSymbol();
      code.invokestatic(HOOKS, "asyncExecutor", MethodTypeDesc.of(EXECUTOR));
      code.invoke(
          call.opcode(),
          call.owner().asSymbol(),
          name,
          type.insertParameterTypes(type.parameterCount(), EXECUTOR),
          call.isInterface());
      return true;
    }
    return false;
  }

  private static boolean isAsyncWithoutExecutor(InvokeInstruction call, String name) {
    return STAGES.contains(call.owner().asInternalName())
        && name.endsWith("Async")
        && !call.typeSymbol().parameterList().contains(EXECUTOR);
  }

  /// Puts the kernel's seed in the place of the one on the stack.
  static void randomSeed(CodeBuilder code) {
    code.invokestatic(
        HOOKS, "randomSeed", MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long));
  }

  /// `System::nanoTime` and its like; false when the instruction is to stay.
  boolean replaceMethodReference(CodeBuilder code, InvokeDynamicInstruction call) {
    boolean isFound = false;
    ConstantDesc[] arguments = call.bootstrapArgs().toArray(ConstantDesc[]::new);
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] instanceof DirectMethodHandleDesc handle && isHooked(handle)) {
        arguments[i] = hooked(HOOKS, handle);
        isFound = true;
      } else if (arguments[i] instanceof DirectMethodHandleDesc handle && isFileCall(handle)) {
        arguments[i] = hooked(FileCalls.HOOKS, handle);
        isFound = true;
      }
    }
    if (isFound) {
      code.invokedynamic(
          DynamicCallSiteDesc.of(
              call.bootstrapMethod(), call.name().stringValue(), call.typeSymbol(), arguments));
    }
    return isFound;
  }

  private static MethodHandleDesc hooked(ClassDesc hooks, DirectMethodHandleDesc handle) {
    return MethodHandleDesc.ofMethod(
        DirectMethodHandleDesc.Kind.STATIC, hooks, handle.methodName(), handle.invocationType());
  }

  private boolean isFileCall(DirectMethodHandleDesc handle) {
    return isApplication
        && FileCalls.isCovered(
            internalName(handle.owner()), handle.methodName(), handle.lookupDescriptor());
  }

  /// The internal name of a class or interface.
  static String internalName(ClassDesc type) {
    String descriptor = type.descriptorString();
    return type.isClassOrInterface()
        ? descriptor.substring(1, descriptor.length() - 1)
        : descriptor;
  }

  private boolean isHooked(DirectMethodHandleDesc handle) {
    String target = handle.owner().displayName() + "." + handle.methodName();
    return target.equals("System.nanoTime")
        || target.equals("System.currentTimeMillis")
        || (isApplication
            && (target.equals("UUID.randomUUID") || target.equals("Thread.currentThread")));
  }
}
