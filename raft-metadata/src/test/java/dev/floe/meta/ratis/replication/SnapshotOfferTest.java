package dev.floe.meta.ratis.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SnapshotOfferTest {
  private final SnapshotOffer offer = new SnapshotOffer();

  @Test
  void takesAFollowerThatIsThrownBackToTheStartForOneThatHasTheSnapshot() {
    offer.made(411, 317);
    assertThat(offer.installedIndex(0, 0, 1)).isEqualTo(411);
  }

  @Test
  void leavesAFollowerAloneThatInstalledWhatWasOffered() {
    offer.made(411, 317);
    assertThat(offer.installedIndex(411, 411, 412)).isEqualTo(-1);
  }

  @Test
  void leavesAFollowerAloneWhoseOfferWasNotAnswered() {
    offer.made(411, 317);
    assertThat(offer.installedIndex(0, 316, 317)).isEqualTo(-1);
  }

  @Test
  void offersAgainToAFollowerThatReallyHasOneEntry() {
    offer.made(411, 1);
    assertThat(offer.installedIndex(0, 0, 1)).isEqualTo(-1);
  }

  @Test
  void mendsNothingBeforeTheFirstOffer() {
    assertThat(offer.installedIndex(0, 0, 1)).isEqualTo(-1);
  }
}
