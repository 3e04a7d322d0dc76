package dev.floe.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ErrorCodeTest {
  private static List<String> table() {
    List<String> lines = new ArrayList<>();
    for (ErrorCode code : ErrorCode.values()) {
      lines.add(
          code.number()
              + " "
              + code
              + " "
              + code.retryability()
              + " "
              + code.httpStatus()
              + " "
              + code.respPrefix());
    }
    return lines;
  }

  @Test
  void keepsEveryLineThatWasEverPublished() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ErrorCodeTest.class.getResourceAsStream("/golden/errors.txt"))) {
      List<String> published =
          new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      assertThat(table())
          .as("numbers and meanings never change; add the line of a new code to errors.txt")
          .containsExactlyElementsOf(published);
    }
  }

  @Test
  void givesEveryCodeItsOwnNumberAndFindsItAgain() {
    Set<Integer> numbers = new HashSet<>();
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(numbers.add(code.number())).as(code.name()).isTrue();
      assertThat(ErrorCode.ofNumber(code.number())).isEqualTo(code);
    }
  }

  @Test
  void givesEveryCodeAnHttpStatusAndARespPrefix() {
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(code.httpStatus()).as(code.name()).isBetween(400, 599);
      assertThat(code.respPrefix()).as(code.name()).matches("[A-Z]+");
    }
  }

  @Test
  void whatCanComeAfterExecutionBeganHasAnUnknownOutcome() {
    assertThat(ErrorCode.values())
        .filteredOn(code -> code.retryability() == Retryability.UNKNOWN_OUTCOME)
        .containsExactly(
            ErrorCode.DEADLINE_EXCEEDED,
            ErrorCode.UNKNOWN_OUTCOME,
            ErrorCode.CONNECTION_LOST,
            ErrorCode.CANCELLED,
            ErrorCode.INTERNAL);
  }

  @Test
  void readsTheNumberOfANewerReleaseAsInternal() {
    assertThat(ErrorCode.ofNumber(99_999)).isEqualTo(ErrorCode.INTERNAL);
    assertThat(ErrorCode.INTERNAL.retryability()).isEqualTo(Retryability.UNKNOWN_OUTCOME);
  }
}
