/// The `floe` command.
///
/// How the command line is built and its outcome becomes an exit code. The commands are in `object`
/// and `node`, what they share in `shell`, how results look in `text`; each of these knows only the
/// later ones. Commands get their streams and environment from a `Terminal`, so that tests run them
/// in this JVM. Results go to standard output, everything else to standard error. Collaborators:
/// `store.client` for objects, `store.config` for settings, `store.local` for clusters on this
/// machine, `store.node` and `meta.node` for the processes of a cluster.
@NullMarked
package dev.floe.store.cli;

import org.jspecify.annotations.NullMarked;
