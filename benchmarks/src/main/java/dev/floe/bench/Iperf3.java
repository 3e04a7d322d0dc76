package dev.floe.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The peer that the data path is measured against: iperf3, one TCP stream over loopback.
final class Iperf3 {
  private Iperf3() {}

  /// Whether iperf3 is on this machine.
  static boolean isInstalled() {
    try {
      return new ProcessBuilder("iperf3", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// The median over one-second windows of one stream of `seconds` seconds, in bytes per second.
  static double medianBytesPerSecond(int seconds, int streams) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Process server =
        new ProcessBuilder("iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", Integer.toString(port))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      TimeUnit.MILLISECONDS.sleep(300);
      Process client =
          new ProcessBuilder(
                  "iperf3",
                  "-c",
                  "127.0.0.1",
                  "-p",
                  Integer.toString(port),
                  "-t",
                  Integer.toString(seconds),
                  "-P",
                  Integer.toString(streams),
                  "-J")
              .start();
      String json = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      client.waitFor();
      List<Double> windows = new ArrayList<>();
      for (JsonNode interval : JsonMapper.builder().build().readTree(json).get("intervals")) {
        windows.add(interval.get("sum").get("bits_per_second").asDouble() / 8);
      }
      windows.sort(Comparator.naturalOrder());
      return windows.get(windows.size() / 2);
    } finally {
      server.destroyForcibly().waitFor();
    }
  }
}
