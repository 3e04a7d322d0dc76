package dev.floe.sim.vthread;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/// Runs each test with its `@BeforeEach` and `@AfterEach` inside one simulation, so that a contract
/// test written for real threads and real time runs in virtual ones.
///
/// JUnit calls the three from outside, one after the other; here the first two are only remembered,
/// and run with the last.
public final class InsideSimulation implements InvocationInterceptor {
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(InsideSimulation.class);

  /// The simulation that the running test is in.
  private static final ThreadLocal<Simulation> CURRENT = new InheritableThreadLocal<>();

  /// For tests that need it to build what they test.
  public static Simulation current() {
    return CURRENT.get();
  }

  @Override
  public void interceptBeforeEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    steps(context).add(method);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    steps(context).add(method);
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.skip();
    steps(context).add(method);
    Simulation.Outcome outcome =
        Simulation.run(
            SimOptions.of(1),
            simulation -> {
              CURRENT.set(simulation);
              for (ReflectiveInvocationContext<Method> step : steps(context)) {
                step.getExecutable().setAccessible(true);
                try {
                  step.getExecutable()
                      .invoke(step.getTarget().orElseThrow(), step.getArguments().toArray());
                } catch (java.lang.reflect.InvocationTargetException e) {
                  throw new AssertionError(step.getExecutable().getName(), e.getCause());
                }
              }
            });
    if (outcome.failure() != null) {
      throw outcome.failure();
    }
  }

  @SuppressWarnings("unchecked")
  private static java.util.List<ReflectiveInvocationContext<Method>> steps(
      ExtensionContext context) {
    return (java.util.List<ReflectiveInvocationContext<Method>>)
        context.getStore(STORE).getOrComputeIfAbsent("steps", key -> new java.util.ArrayList<>());
  }
}
