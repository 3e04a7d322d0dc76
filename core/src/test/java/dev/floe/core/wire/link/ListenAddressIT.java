package dev.floe.core.wire.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.floe.core.error.ErrorCode;
import dev.floe.core.error.FloeException;
import dev.floe.core.wire.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class ListenAddressIT {
  /// Kept for documentation: no machine has it.
  private static final Endpoint OF_NOBODY = new Endpoint("192.0.2.1", 7401);

  @Test
  void anAddressOfThisMachineIsGood() {
    assertThatCode(() -> ListenAddress.check(new Endpoint("127.0.0.1", 0)))
        .doesNotThrowAnyException();
  }

  @Test
  void anAddressOfAnotherMachineIsNamedWithWhatToDo() {
    assertThatThrownBy(() -> ListenAddress.check(OF_NOBODY))
        .isInstanceOfSatisfying(
            FloeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG))
        .hasMessageContaining("192.0.2.1:7401")
        .hasMessageContaining("192.0.2.1 is no address of this machine");
  }

  @Test
  void aHostThatNobodyKnowsIsNamed() {
    assertThatThrownBy(() -> ListenAddress.check(new Endpoint("no-such-host.invalid", 7401)))
        .isInstanceOf(FloeException.class)
        .hasMessageContaining("no-such-host.invalid:7401: the host name cannot be resolved");
  }

  @Test
  void aPortInUseIsLeftToWhoeverBindsIt() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Endpoint address = new Endpoint("127.0.0.1", taken.getLocalPort());
      assertThatCode(() -> ListenAddress.check(address)).doesNotThrowAnyException();
    }
  }

  @Test
  void otherReasonsAreTold() {
    FloeException refusal =
        ListenAddress.refusal(
            new Endpoint("127.0.0.1", 80), new SocketException("Permission denied"));
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
    assertThat(refusal).hasMessageContaining("127.0.0.1:80: Permission denied; use an address");
  }
}
