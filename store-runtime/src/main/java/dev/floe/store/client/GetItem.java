package dev.floe.store.client;

import dev.floe.store.client.value.ValueSink;

/// A value of a batch get and where it goes.
///
/// @param key checked when it is read, so that a bad one fails alone
public record GetItem(String key, ValueSink sink) {}
