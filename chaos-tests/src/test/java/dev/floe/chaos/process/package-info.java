/// Real processes under real signals: clusters that are killed, stopped and started again, and nodes
/// that cannot start.
///
/// Everything runs through `bin/floe`, on the loopback device, in temporary folders; every process
/// ends with the test's own.
@NullMarked
package dev.floe.chaos.process;

import org.jspecify.annotations.NullMarked;
