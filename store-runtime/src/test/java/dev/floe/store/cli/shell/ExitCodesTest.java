package dev.floe.store.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.floe.core.error.ErrorCode;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExitCodesTest {
  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void everyErrorHasAFailingExitCodeAndAdvice(ErrorCode code) {
    assertThat(ExitCodes.of(code)).isBetween(1, 5);
    assertThat(NextStep.of(code)).isNotBlank().doesNotContain("\n");
  }

  @Test
  void theCodesThatScriptsRelyOnStay() {
    Map<ErrorCode, Integer> promised = new EnumMap<>(ErrorCode.class);
    promised.put(ErrorCode.NOT_FOUND, 1);
    promised.put(ErrorCode.INVALID_KEY, 2);
    promised.put(ErrorCode.INVALID_CONFIG, 2);
    promised.put(ErrorCode.UNAVAILABLE, 3);
    promised.put(ErrorCode.DEADLINE_EXCEEDED, 3);
    promised.put(ErrorCode.UNKNOWN_OUTCOME, 3);
    promised.put(ErrorCode.CHECKSUM_MISMATCH, 4);
    promised.put(ErrorCode.CORRUPT, 4);
    promised.put(ErrorCode.ADDRESS_IN_USE, 5);
    promised.put(ErrorCode.ALREADY_EXISTS, 5);
    promised.put(ErrorCode.INTERNAL, 5);
    promised.forEach(
        (code, exit) -> assertThat(ExitCodes.of(code)).as(code.name()).isEqualTo(exit));
  }
}
