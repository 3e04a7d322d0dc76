/// How results look: tables for people, JSON for programs, and nothing that harms a terminal.
@NullMarked
package dev.floe.store.cli.text;

import org.jspecify.annotations.NullMarked;
