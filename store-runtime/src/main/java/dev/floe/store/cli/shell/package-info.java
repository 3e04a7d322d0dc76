/// What all commands share: terminal, options, exit codes, the lines that tell of an error, and the
/// life of what a command started.
@NullMarked
package dev.floe.store.cli.shell;

import org.jspecify.annotations.NullMarked;
