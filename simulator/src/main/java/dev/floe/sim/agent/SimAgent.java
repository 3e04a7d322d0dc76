package dev.floe.sim.agent;

import dev.floe.sim.boot.Hooks;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Entry point of the agent; its jar is also on the boot class path. With the argument `preempt` it
/// also puts points into the code under test at which a thread may lose the processor.
public final class SimAgent {
  private static final List<String> FAILURES = new CopyOnWriteArrayList<>();

  private SimAgent() {}

  /// Called by the JVM before `main`.
  public static void premain(@Nullable String arguments, Instrumentation instrumentation)
      throws UnmodifiableClassException {
    boolean isPreempting = "preempt".equals(arguments);
    warmUp();
    instrumentation.addTransformer(new Transformer(isPreempting), true);
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> c : instrumentation.getAllLoadedClasses()) {
      String name = c.getName().replace('.', '/');
      if (instrumentation.isModifiableClass(c) && Targets.isJdk(name)) {
        loaded.add(c);
      }
    }
    instrumentation.retransformClasses(loaded.toArray(Class<?>[]::new));
    if (isPreempting) {
      Hooks.preempting();
    }
    Hooks.agentLoaded();
  }

  /// Classes that could not be rewritten, with the reason; a simulation refuses to run with any.
  public static List<String> failures() {
    return List.copyOf(FAILURES);
  }

  /// The class-file API is loaded before it is used in the middle of loading a class.
  private static void warmUp() {
    try (var in = SimAgent.class.getResourceAsStream("SimAgent.class")) {
      if (in != null) {
        new ClassRewriter("java/util/concurrent/locks/LockSupport", true)
            .rewrite(in.readAllBytes());
      }
    } catch (java.io.IOException e) {
      FAILURES.add("warm-up: " + e);
    }
  }

  private static final class Transformer implements ClassFileTransformer {
    private final boolean isPreempting;

    Transformer(boolean isPreempting) {
      this.isPreempting = isPreempting;
    }

    @Override
    @SuppressWarnings("CatchAndPrintStackTrace")
    public byte @Nullable [] transform(
        Module module,
        @Nullable ClassLoader loader,
        @Nullable String name,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      if (name == null || (!Targets.isJdk(name) && !Targets.isApplication(name))) {
        return null;
      }
      try {
        return new ClassRewriter(name, isPreempting).rewrite(bytes);
      } catch (RuntimeException | Error e) {
        FAILURES.add(name + ": " + e);
        return null;
      }
    }
  }
}
