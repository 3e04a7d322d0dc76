/// The contract of block devices, for the simulated one.
@NullMarked
package dev.floe.nof.block;

import org.jspecify.annotations.NullMarked;
