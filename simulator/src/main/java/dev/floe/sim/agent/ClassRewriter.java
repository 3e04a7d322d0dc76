package dev.floe.sim.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import org.jspecify.annotations.Nullable;

/// Rewrites one class.
///
/// | where | what | becomes |
/// |---|---|---|
/// | everywhere | `System.nanoTime`, `System.currentTimeMillis`, called or as method reference | virtual time |
/// | `Clock.currentInstant` | the whole method | virtual time |
/// | JDK, e.g. `Executors.newSingleThreadExecutor` | `Cleaner.register` | the JDK keeps nothing of a simulation |
/// | `Random` | the seed of a generator made without one | drawn from the run's seed |
/// | `Thread.start` (both) | on entry | the simulation takes the thread over |
/// | `VirtualThread` | its constructor | gets a number and random state of the simulation |
/// | `Thread.interrupt`, `isInterrupted`, `alive`, `threadState`, `join`; `LockSupport.unpark` | on entry | act on the virtual thread that stands in |
/// | `VirtualThread.unblock` and the method before it | a counter | tells the kernel when a hand-over is under way |
/// | `Probe` | `buggify`, `sometimes` | answered by the run |
/// | Ratis | reservoirs of its metrics, the pause monitor's look at the collectors | nothing |
/// | application | `UUID.randomUUID`, `Thread.currentThread`, `FileChannel.force`, `ForkJoinPool.commonPool`, `CompletableFuture.*Async` without executor, `orTimeout`, `completeOnTimeout`, `delayedExecutor` | go to the kernel |
/// | application | what reaches files: `FileCalls` | goes to the simulated disk when the path lies there |
/// | application, if asked for | before a monitor is entered, in synchronized methods, before calls of `java.util.concurrent` | a point at which others may run |
/// | application on the simulated disk | file calls that `FileCalls` does not cover | fail when they are reached |
final class ClassRewriter {
  private final String name;
  private final boolean isApplication;
  private final boolean isPreemptible;
  private boolean isChanged;

  /// @param isPreempting whether threads may lose the processor where they synchronise
  ClassRewriter(String name, boolean isPreempting) {
    this.name = name;
    this.isPreemptible = isPreempting && Targets.isPreemptible(name);
    this.isApplication = Targets.isApplication(name);
  }

  /// The new class file, or null when nothing had to change.
  byte @Nullable [] rewrite(byte[] bytes) {
    ClassFile format = ClassFile.of();
    ClassModel model = format.parse(bytes);
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method && method.code().isPresent()) {
            builder.transformMethod(
                method,
                (m, e) -> {
                  if (e instanceof CodeModel code) {
                    m.transformCode(code, new Body(method));
                  } else {
                    m.with(e);
                  }
                });
          } else {
            builder.with(element);
          }
        };
    byte[] rewritten = format.transformClass(model, transform);
    return isChanged ? rewritten : null;
  }

  private final class Body implements CodeTransform {
    private final String method;
    private final String descriptor;
    private final CallSites calls;
    private final @Nullable YieldPoints yields;

    Body(MethodModel model) {
      this.yields = isPreemptible ? YieldPoints.of(name, model) : null;
      this.method = model.methodName().stringValue();
      this.descriptor = model.methodType().stringValue();
      this.calls = new CallSites(isApplication);
    }

    @Override
    public void atStart(CodeBuilder code) {
      isChanged |= MethodEntry.insert(code, name, method, descriptor);
      if (yields != null) {
        isChanged |= yields.insertAtStart(code);
      }
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      if (yields != null) {
        isChanged |= yields.insertBefore(code, element);
      }
      boolean isDone =
          switch (element) {
            case InvokeInstruction call -> {
              refuseUncovered(code, call);
              boolean isReplaced = calls.replace(code, call);
              if (!isReplaced && isRandomSeed(call)) {
                code.with(element);
                CallSites.randomSeed(code);
                isReplaced = true;
              }
              isChanged |= isReplaced;
              yield isReplaced;
            }
            case InvokeDynamicInstruction call -> {
              boolean isReplaced = calls.replaceMethodReference(code, call);
              isChanged |= isReplaced;
              yield isReplaced;
            }
            case NewObjectInstruction made
                when isApplication
                    && made.className().asInternalName().equals(FileCalls.REAL_RANDOM_ACCESS) -> {
              code.new_(FileCalls.RANDOM_ACCESS);
              isChanged = true;
              yield true;
            }
            case ReturnInstruction end -> {
              isChanged |= MethodEntry.insertBeforeReturn(code, name, method);
              yield false;
            }
            default -> false;
          };
      if (!isDone) {
        code.with(element);
      }
    }

    private void refuseUncovered(CodeBuilder code, InvokeInstruction call) {
      String owner = call.owner().asInternalName();
      String called = call.name().stringValue();
      if (Targets.isOnSimulatedDisk(name)
          && FileCalls.isUncovered(owner, called, call.type().stringValue())) {
        FileCalls.refuse(code, name + '.' + method, owner, called);
        isChanged = true;
      }
    }

    private boolean isRandomSeed(InvokeInstruction call) {
      return name.equals("java/util/Random")
          && call.name().equalsString("seedUniquifier")
          && method.equals("<init>");
    }
  }
}
