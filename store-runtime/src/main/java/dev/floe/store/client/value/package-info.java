/// Where the bytes of values come from and where they go: memory, files and channels.
///
/// `ValueSource` and `ValueSink` may be implemented by callers too. Knows neither masters nor stores.
/// Invariant: a sink that was not committed leaves a file as it was.
@NullMarked
package dev.floe.store.client.value;

import org.jspecify.annotations.NullMarked;
