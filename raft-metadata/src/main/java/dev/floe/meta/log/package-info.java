/// The replicated log as the rest of the control plane sees it.
///
/// `MetaLog` is the SPI: Ratis in production (`meta.ratis`), a model log in the simulator. Entries
/// are encoded `CommandBatch`es; the log applies them to one `MetadataState` on every node.
@NullMarked
package dev.floe.meta.log;

import org.jspecify.annotations.NullMarked;
