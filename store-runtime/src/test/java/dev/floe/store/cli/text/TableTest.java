package dev.floe.store.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void alignsNumbersToTheRightAndTextToTheLeft() {
    assertThat(
            new Table("name", ">bytes", "note").row("a", 5, "x").row("longer", 12345, "").render())
        .isEqualTo(
            """
            name    bytes  note
            a           5  x
            longer  12345
            """);
  }

  @Test
  void aKeyCannotActOnTheTerminal() {
    assertThat(new Table("key").row("a\u001b[2Jb\nc\\").render())
        .isEqualTo("key\na\\u001b[2Jb\\nc\\\\\n");
  }

  @Test
  void printableLeavesOrdinaryTextAlone() {
    assertThat(Printable.of("schlüssel/日本/😀")).isEqualTo("schlüssel/日本/😀");
    assertThat(Printable.of("right\u202eleft")).isEqualTo("right\\u202eleft");
  }
}
