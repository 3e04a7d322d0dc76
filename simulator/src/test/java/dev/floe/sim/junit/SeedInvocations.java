package dev.floe.sim.junit;

import dev.floe.sim.boot.Hooks;
import dev.floe.sim.profile.Profile;
import dev.floe.sim.profile.Regression;
import dev.floe.sim.profile.SeedReport;
import dev.floe.sim.profile.SeedRunner;
import dev.floe.sim.profile.Setup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/// Makes an invocation of each run of a `SimTest`.
final class SeedInvocations implements TestTemplateInvocationContextProvider {
  private static final Path REGRESSIONS =
      Path.of(System.getProperty("basedir", "."), "regressions");

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    SimTest test = context.getRequiredTestMethod().getAnnotation(SimTest.class);
    Profile profile = Profile.named(test.profile());
    List<TestTemplateInvocationContext> all = new ArrayList<>();
    try {
      for (Regression regression : Regression.all(REGRESSIONS)) {
        if (regression.profile() == profile) {
          all.add(
              new OneRun(
                  regression.file().getFileName().toString(), profile, regression.run()::now));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!test.seeds().isEmpty()) {
      String[] ends = test.seeds().split("\\.\\.", 2);
      SeedRunner runner = profile.runner(Setup.STANDARD);
      for (long seed = Long.decode(ends[0]); seed <= Long.decode(ends[ends.length - 1]); seed++) {
        long one = seed;
        all.add(new OneRun("seed " + seed, profile, () -> runner.run(one, null)));
      }
    }
    return all.stream();
  }

  private record OneRun(String name, Profile profile, Supplier<SeedReport> run)
      implements TestTemplateInvocationContext, BeforeEachCallback, ParameterResolver {
    @Override
    public String getDisplayName(int invocationIndex) {
      return profile + " " + name;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
      if (profile.needsAgent() && !Hooks.isAgentLoaded()) {
        if (Boolean.getBoolean("floe.sim.agentRequired")) {
          throw new IllegalStateException("the agent is not loaded");
        }
        Assumptions.abort("this JVM has no agent; the next execution has");
      }
      SeedReport report = run.get();
      if (!report.isPassed()) {
        throw new AssertionError(
            name
                + ": bin/floe sim replay --profile "
                + profile
                + (name.endsWith(".plan")
                    ? " --plan simulator/regressions/" + name
                    : " --seed " + report.seed())
                + "\n"
                + report.failure());
      }
      context.getStore(ExtensionContext.Namespace.GLOBAL).put(name, report);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == SeedReport.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context.getStore(ExtensionContext.Namespace.GLOBAL).get(name, SeedReport.class);
    }
  }
}
