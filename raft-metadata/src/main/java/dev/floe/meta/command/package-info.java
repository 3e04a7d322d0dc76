/// What can be asked of the replicated state, one record each, and what it answers.
///
/// Commands are facts that the leader decided on; replies are normal values, errors included. Both
/// are sealed, so that every `switch` over them is checked for completeness. Collaborators:
/// `meta.model`.
@NullMarked
package dev.floe.meta.command;

import org.jspecify.annotations.NullMarked;
