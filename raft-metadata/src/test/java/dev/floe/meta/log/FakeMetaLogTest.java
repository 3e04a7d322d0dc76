package dev.floe.meta.log;

import dev.floe.meta.state.MetadataState;
import dev.floe.meta.state.StateConfig;

class FakeMetaLogTest extends MetaLogContractTest {
  @Override
  protected MetaLog leadingLog() {
    FakeMetaLog log = FakeMetaLog.of(new MetadataState(StateConfig.DEFAULT));
    log.lead();
    return log;
  }
}
