package dev.floe.store.cli.text;

import java.util.ArrayList;
import java.util.List;

/// Rows with aligned columns; numbers to the right, everything else to the left.
public final class Table {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  /// @param header names of the columns; a name that starts with `>` is of a column of numbers
  public Table(String... header) {
    this.header = List.of(header);
  }

  public Table row(Object... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + header.size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(Printable.of(cell.toString()));
    }
    rows.add(row);
    return this;
  }

  /// Header and rows, each ended by a line feed.
  public String render() {
    List<String> names = header.stream().map(Table::nameOf).toList();
    int[] widths = new int[header.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = widthOf(names.get(i));
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], widthOf(row.get(i)));
      }
    }
    StringBuilder text = new StringBuilder();
    append(text, names, widths);
    rows.forEach(row -> append(text, row, widths));
    return text.toString();
  }

  private void append(StringBuilder text, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - widthOf(cells.get(i)));
      boolean isNumber = header.get(i).startsWith(">");
      line.append(i == 0 ? "" : "  ");
      line.append(isNumber ? padding + cells.get(i) : cells.get(i) + padding);
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  private static String nameOf(String header) {
    return header.startsWith(">") ? header.substring(1) : header;
  }

  private static int widthOf(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
