/// What the processes of Floe can be told: strict settings from defaults, a YAML file, the
/// environment and flags.
///
/// A `Schema` lists the settings of one kind of process, each once: its key, type with limits,
/// default and description. Everything else follows from it: the key `data-dir` of a master is
/// `data-dir` in the file, `FLOE_MASTER_DATA_DIR` in the environment and `--data-dir` on the
/// command line. Later sources win in this order: default, file, environment, flag. An unknown key,
/// a wrong type or a value outside its limits is an `INVALID_CONFIG` error that names the place. No
/// state; nothing here opens a socket.
@NullMarked
package dev.floe.store.config;

import org.jspecify.annotations.NullMarked;
