package dev.floe.sim.vthread;

import dev.floe.sim.boot.Hooks;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Marks tests that need the simulator's agent. Maven runs them in an execution of their own, where
/// a missing agent is an error; in any other JVM they are skipped.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(InSimulationJvm.Condition.class)
public @interface InSimulationJvm {
  /// Skips, or fails where the agent is promised.
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (Hooks.isAgentLoaded()) {
        return ConditionEvaluationResult.enabled("the agent is loaded");
      }
      if (Boolean.getBoolean("floe.sim.agentRequired")) {
        throw new IllegalStateException("the agent is not loaded");
      }
      return ConditionEvaluationResult.disabled("this JVM has no agent; the next execution has");
    }
  }
}
