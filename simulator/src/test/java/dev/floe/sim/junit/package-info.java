/// Seeds as JUnit tests.
@NullMarked
package dev.floe.sim.junit;

import org.jspecify.annotations.NullMarked;
