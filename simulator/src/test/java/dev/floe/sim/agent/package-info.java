/// Tests of the agent.
@NullMarked
package dev.floe.sim.agent;

import org.jspecify.annotations.NullMarked;
