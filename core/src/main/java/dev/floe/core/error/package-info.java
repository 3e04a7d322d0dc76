/// Errors and limits: one table of codes, one exception, and every bound of the system with its
/// reason.
///
/// Nothing here depends on another package of ours; every other package depends on this one.
@NullMarked
package dev.floe.core.error;

import org.jspecify.annotations.NullMarked;
