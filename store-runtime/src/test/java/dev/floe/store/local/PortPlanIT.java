package dev.floe.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortPlanIT {
  @Test
  void namesThePortThatIsTakenAndTheOptionThatHelps() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> PortPlan.from(port, 1, 1))
          .isInstanceOfSatisfying(
              FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ADDRESS_IN_USE))
          .hasMessageContaining("port " + port)
          .hasMessageContaining("--base-port");
    }
  }

  @Test
  void refusesABaseThatLeavesNoRoom() {
    assertThatThrownBy(() -> PortPlan.from(65_400, 3, 2)).hasMessageContaining("65400");
    assertThatThrownBy(() -> PortPlan.from(0, 3, 2)).hasMessageContaining("--base-port 0");
  }

  @Test
  void freePortsAreAllDifferent() {
    PortPlan plan = PortPlan.free(3, 2);
    List<Endpoint> all = new ArrayList<>(plan.rpc());
    all.addAll(plan.raft());
    all.addAll(plan.data());
    assertThat(all).hasSize(8).doesNotHaveDuplicates();
    // Else an outgoing connection could take one before its node has bound it.
    assertThat(all).allMatch(endpoint -> endpoint.port() < 32_768);
  }
}
