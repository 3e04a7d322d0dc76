/// Tests over the whole of Floe: real processes under real faults, and the rules of the house.
///
/// Everything else of this module is test code. Nothing depends on it.
@NullMarked
package dev.floe.chaos;

import org.jspecify.annotations.NullMarked;
