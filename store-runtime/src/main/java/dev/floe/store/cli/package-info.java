/// The `floe` command.
///
/// One class for each subcommand; what they share is in `FloeCommand` (how the command line is
/// built), `ExitCodes` and `NextStep` (what an error means for the caller), `Table`, `Json` and
/// `ProgressBar` (how results look). Commands get their streams and environment from a `Terminal`,
/// so that tests run them in this JVM. Results go to standard output, everything else to standard
/// error. Collaborators: `store.client` for objects, `store.config` for settings, `store.local` for
/// clusters on this machine, `store.node` and `meta.ratis` for the processes of a cluster.
@NullMarked
package dev.floe.store.cli;

import org.jspecify.annotations.NullMarked;
