/// The composition of one master: directory, log, leader services, listener.
///
/// `MasterNode` opens and closes them in the right order; nothing else knows all of them.
@NullMarked
package dev.floe.meta.node;

import org.jspecify.annotations.NullMarked;
