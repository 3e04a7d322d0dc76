package dev.floe.sim.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test of seeds: first each run in `regressions` of the same profile, then each seed, is one
/// invocation. It fails with the line that replays it; else the method may look at its
/// `SeedReport`.
///
/// A profile that needs the agent is skipped in a JVM without one, where no agent is promised.
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SeedInvocations.class)
public @interface SimTest {
  /// The kind of runs, as on the command line.
  String profile();

  /// `A..B` or `A`; nothing for the regressions alone.
  String seeds() default "";
}
