/// Marks in production code that only the simulator sees: places where it may make trouble, and
/// situations that it must have seen.
///
/// Nothing here does anything in production; the methods are constant and the compiler removes the
/// calls.
@NullMarked
package dev.floe.core.probe;

import org.jspecify.annotations.NullMarked;
