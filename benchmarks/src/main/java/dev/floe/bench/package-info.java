/// Measurements of Floe beside plain peers, each pair in one run so that the machine's noise
/// cancels.
///
/// `BenchMain` is the command; every benchmark prints one table with the ratio that
/// `docs/performance.md` quotes. Nothing depends on this package.
@NullMarked
package dev.floe.bench;

import org.jspecify.annotations.NullMarked;
