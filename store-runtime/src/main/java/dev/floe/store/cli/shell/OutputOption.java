package dev.floe.store.cli.shell;

import picocli.CommandLine.Option;

/// How results are written; the same option on every command whose results a program may read.
public final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json",
      description = "table for people (default), json for programs.")
  private OutputFormat format = OutputFormat.TABLE;

  public OutputFormat format() {
    return format;
  }
}
