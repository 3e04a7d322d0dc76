/// The commands that run or show nodes: master, store, up, quickstart, status.
@NullMarked
package dev.floe.store.cli.node;

import org.jspecify.annotations.NullMarked;
