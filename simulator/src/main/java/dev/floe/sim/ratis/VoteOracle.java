package dev.floe.sim.ratis;

import java.util.HashMap;
import java.util.Map;

/// A master votes for one candidate in a term, in all its lives: what two leaders in one term would
/// begin with. Pre-votes do not count.
final class VoteOracle {
  private final Map<String, String> votes = new HashMap<>();

  /// Takes note of a vote that was given, to itself when `candidate` asks others for theirs.
  ///
  /// @throws AssertionError when it gave another one in this term
  void voted(String voter, long term, String candidate) {
    String before = votes.putIfAbsent(voter + " in term " + term, candidate);
    if (before != null && !before.equals(candidate)) {
      throw new AssertionError(
          "ONE_VOTE: " + voter + " voted for " + before + " and " + candidate + " in term " + term);
    }
  }

  /// How many votes were given.
  int count() {
    return votes.size();
  }
}
