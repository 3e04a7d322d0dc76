package dev.floe.sim.explain;

import dev.floe.sim.explain.Diagram.Row;
import dev.floe.sim.explain.Diagram.State;
import dev.floe.sim.explain.RunLog.Kind;
import java.util.List;
import java.util.Locale;

/// Draws a diagram as SVG: time runs down, a lane is a process, events are dots with a line of text.
public final class SvgDiagram {
  private static final int TOP = 50;
  private static final int ROW = 16;
  private static final int LEFT = 80;
  private static final int LANE = 44;
  private static final int TEXT = 760;

  private SvgDiagram() {}

  /// A whole file.
  ///
  /// @param title stands above it
  public static String draw(Diagram diagram, String title) {
    int width = LEFT + LANE * diagram.nodes().size() + TEXT;
    int height = TOP + ROW * (diagram.rows().size() + 1);
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" font-family=\"monospace\" font-size=\"11\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
            width,
            height,
            width,
            height));
    svg.append(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\""
            + " markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\""
            + " fill=\"#6941c6\"/></marker></defs>\n");
    text(svg, 8, 16, "black", title);
    for (int i = 0; i < diagram.nodes().size(); i++) {
      text(svg, lane(i) - 6, TOP - 14, "black", diagram.nodes().get(i));
    }
    for (int i = 0; i < diagram.rows().size(); i++) {
      row(svg, diagram, i);
    }
    return svg.append("</svg>\n").toString();
  }

  private static int lane(int node) {
    return LEFT + LANE * node + LANE / 2;
  }

  private static void row(StringBuilder svg, Diagram diagram, int index) {
    Row row = diagram.rows().get(index);
    List<String> nodes = diagram.nodes();
    int y = TOP + ROW * index;
    int end = lane(nodes.size());
    if (row.note().kind() == Kind.FAULT) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#fde8e8\"/>%n",
              LEFT,
              y - ROW / 2,
              end - LEFT + TEXT,
              ROW));
    }
    text(svg, 8, y + 4, "#555555", String.format(Locale.ROOT, "%9.3f", row.note().nanos() / 1e9));
    for (int i = 0; i < nodes.size(); i++) {
      life(svg, lane(i), y, row.states().get(i));
      if (nodes.get(i).equals(row.note().node()) && row.note().kind() != Kind.MESSAGE) {
        svg.append(
            String.format(
                Locale.ROOT,
                "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/>%n",
                lane(i),
                y,
                color(row.note().kind())));
      }
    }
    if (row.note().kind() == Kind.MESSAGE) {
      arrow(svg, diagram, index);
    }
    text(svg, end, y + 4, color(row.note().kind()), row.text());
  }

  /// From the sender at the time of sending to the receiver at that of arrival.
  private static void arrow(StringBuilder svg, Diagram diagram, int index) {
    RunLog.Note message = diagram.rows().get(index).note();
    int from = diagram.nodes().indexOf(message.key());
    int to = diagram.nodes().indexOf(message.node());
    if (from >= 0 && to >= 0) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#6941c6\""
                  + " marker-end=\"url(#tip)\"/>%n",
              lane(from),
              heightOf(message.sinceNanos(), diagram, index),
              lane(to),
              TOP + ROW * index));
    }
  }

  /// Where a time lies that is no later than a row.
  private static int heightOf(long nanos, Diagram diagram, int before) {
    int above = before;
    while (above >= 0 && diagram.rows().get(above).note().nanos() > nanos) {
      above--;
    }
    if (above < 0) {
      return TOP - ROW / 2;
    }
    long began = diagram.rows().get(above).note().nanos();
    int next = Math.min(before, above + 1);
    long span = Math.max(1, diagram.rows().get(next).note().nanos() - began);
    return TOP + ROW * above + (int) (ROW * Math.min(span, nanos - began) / span);
  }

  private static void life(StringBuilder svg, int x, int y, State state) {
    String style =
        switch (state) {
          case UP -> "stroke=\"#9aa5b1\"";
          case CALLING -> "stroke=\"#1f6feb\" stroke-width=\"4\"";
          case PAUSED -> "stroke=\"#9aa5b1\" stroke-dasharray=\"2 3\"";
          case DOWN -> "";
        };
    if (!style.isEmpty()) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" %s/>%n",
              x,
              y,
              x,
              y + ROW,
              style));
    }
  }

  private static String color(Kind kind) {
    return switch (kind) {
      case FAULT -> "#b42318";
      case PROCESS -> "#7a2e0e";
      case LEADER -> "#067647";
      case COMMIT -> "#555555";
      case CALL -> "#1f6feb";
      case ANSWER -> "#0b3d91";
      case MESSAGE -> "#6941c6";
    };
  }

  private static void text(StringBuilder svg, int x, int y, String color, String text) {
    String safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" fill=\"%s\" xml:space=\"preserve\">%s</text>%n",
            x,
            y,
            color,
            safe));
  }
}
