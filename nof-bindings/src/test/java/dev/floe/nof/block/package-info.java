/// Tests of block devices; `BlockDeviceContractTest` is the contract of every implementation.
@NullMarked
package dev.floe.nof.block;

import org.jspecify.annotations.NullMarked;
