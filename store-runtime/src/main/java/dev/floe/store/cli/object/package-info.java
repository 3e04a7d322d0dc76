/// The commands on objects: put, get, ls, stat, rm, exist.
@NullMarked
package dev.floe.store.cli.object;

import org.jspecify.annotations.NullMarked;
