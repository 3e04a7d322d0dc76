package dev.floe.store.client;

import dev.floe.store.client.value.ValueSource;

/// A value of a batch put.
///
/// @param key checked when it is put, so that a bad one fails alone
public record PutItem(String key, ValueSource source) {}
