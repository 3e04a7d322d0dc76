/// What rewritten code calls: the one class that the JDK's own classes and ours must both see.
///
/// It is loaded from the boot class path (the agent's jar) and imports nothing but the JDK.
/// `sim.vthread` plugs the kernel in. Without a running simulation every method does what the code
/// did before it was rewritten.
@NullMarked
package dev.floe.sim.boot;

import org.jspecify.annotations.NullMarked;
