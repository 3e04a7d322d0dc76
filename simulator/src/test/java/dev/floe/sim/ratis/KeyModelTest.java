package dev.floe.sim.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.meta.command.MetadataReply;
import dev.floe.meta.model.RouteVersion;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyModelTest {
  private static final MetadataReply STARTED =
      new MetadataReply.PutStarted(new RouteVersion(7, 0), List.of());

  private final KeyModel key = new KeyModel("k");

  private static MetadataReply failed(ErrorCode code) {
    return new MetadataReply.Failed(code, "because");
  }

  @Test
  void acceptsALifeOfAKey() {
    key.existAnswered(false);
    key.removeAnswered(failed(ErrorCode.NOT_FOUND));
    key.putStartAnswered(STARTED);
    key.existAnswered(false);
    key.putStartAnswered(failed(ErrorCode.WRITE_IN_PROGRESS));
    key.putEndAnswered(MetadataReply.Done.INSTANCE);
    key.existAnswered(true);
    assertThat(key.version()).isEqualTo(new RouteVersion(7, 0));
    key.putStartAnswered(failed(ErrorCode.ALREADY_EXISTS));
    key.removeAnswered(failed(ErrorCode.HAS_LEASE));
    key.removeAnswered(MetadataReply.Done.INSTANCE);
    assertThat(key.state()).isEqualTo(KeyModel.State.ABSENT);
  }

  @Test
  void seesAPutStartThatTookEffectTwice() {
    assertThatThrownBy(() -> key.putStartAnswered(failed(ErrorCode.WRITE_IN_PROGRESS)))
        .hasMessageStartingWith("EXACTLY_ONCE: put start of k.0, which is ABSENT");
  }

  @Test
  void seesARemoveThatTookEffectTwice() {
    key.putStartAnswered(STARTED);
    key.putEndAnswered(MetadataReply.Done.INSTANCE);
    assertThatThrownBy(() -> key.removeAnswered(failed(ErrorCode.NOT_FOUND)))
        .hasMessageStartingWith("EXACTLY_ONCE: remove of k.0, which is PRESENT");
  }

  @Test
  void seesAReadOfThePast() {
    key.putStartAnswered(STARTED);
    key.putEndAnswered(MetadataReply.Done.INSTANCE);
    assertThatThrownBy(() -> key.existAnswered(false)).hasMessageStartingWith("STALE_READ");
  }

  @Test
  void takesAnotherKeyWhenAnOutcomeIsUnknown() {
    key.putStartAnswered(STARTED);
    key.forget();
    assertThat(key.name()).isEqualTo("k.1");
    assertThatCode(() -> key.putStartAnswered(STARTED)).doesNotThrowAnyException();
  }
}
