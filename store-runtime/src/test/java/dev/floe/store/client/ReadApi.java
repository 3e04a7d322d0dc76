package dev.floe.store.client;

import dev.floe.core.error.FloeException;
import dev.floe.store.client.value.ValueSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Every way in which a value reaches a caller. A row that is missing here fails `ReadPathsTest`.
enum ReadApi {
  ARRAY("get(String)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      return client.get(key);
    }
  },
  INTO_ARRAY("get(String,ValueSink,GetOptions)", "of(byte[])") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      byte[] target = poisoned(size);
      client.get(key, ValueSink.of(target), GetOptions.DEFAULT);
      return target;
    }
  },
  INTO_HEAP_BUFFER("of(ByteBuffer)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      ByteBuffer target = ByteBuffer.wrap(poisoned(size + 6)).position(3).limit(size + 3).slice();
      client.get(key, ValueSink.of(target), GetOptions.DEFAULT);
      return content(target);
    }
  },
  INTO_DIRECT_BUFFER("of(ByteBuffer)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      ByteBuffer target = ByteBuffer.allocateDirect(size + 5).put(poisoned(size + 5)).position(5);
      client.get(key, ValueSink.of(target), GetOptions.DEFAULT);
      return content(target);
    }
  },
  INTO_SHARED_SEGMENT("of(MemorySegment)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment target = arena.allocate(size + 1).fill(POISON);
        client.get(key, ValueSink.of(target), GetOptions.DEFAULT);
        return target.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
      }
    }
  },
  INTO_CONFINED_SEGMENT("of(MemorySegment)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment target = arena.allocate(size + 1).fill(POISON);
        client.get(key, ValueSink.of(target), GetOptions.DEFAULT);
        return target.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
      }
    }
  },
  INTO_CHANNEL("of(WritableByteChannel)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      ByteArrayOutputStream target = new ByteArrayOutputStream();
      client.get(key, ValueSink.of(Channels.newChannel(target)), GetOptions.DEFAULT);
      return target.toByteArray();
    }
  },
  INTO_FILE("ofFile(Path)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      Path target = folder.resolve("value");
      try {
        client.get(key, ValueSink.ofFile(target), GetOptions.DEFAULT);
        return Files.readAllBytes(target);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  },
  WHOLE_RANGE("getRange(String,long,long,ValueSink,GetOptions)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      byte[] target = poisoned(size);
      client.getRange(key, 0, size, ValueSink.of(target), GetOptions.DEFAULT);
      return target;
    }
  },
  TWO_RANGES("getRange(String,long,long,ValueSink,GetOptions)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      byte[] target = poisoned(size);
      int middle = size / 2;
      client.getRange(
          key, 0, middle, ValueSink.of(ByteBuffer.wrap(target, 0, middle)), GetOptions.DEFAULT);
      client.getRange(
          key,
          middle,
          size - middle,
          ValueSink.of(ByteBuffer.wrap(target, middle, size - middle)),
          GetOptions.DEFAULT);
      return target;
    }
  },
  BATCH("batchGet(List,GetOptions)") {
    @Override
    byte[] read(StoreClient client, String key, int size, Path folder) {
      byte[] first = poisoned(size);
      byte[] second = poisoned(size);
      List<GetResult> results =
          client.batchGet(
              List.of(
                  new GetItem(key, ValueSink.of(first)), new GetItem(key, ValueSink.of(second))),
              GetOptions.DEFAULT);
      for (GetResult result : results) {
        if (result instanceof GetResult.Failed failed) {
          throw failed.error();
        }
      }
      if (!Arrays.equals(first, second)) {
        throw new AssertionError("two reads of one batch differ");
      }
      return first;
    }
  };

  static final byte POISON = (byte) 0xDB;

  private final String covers;

  ReadApi(String... covers) {
    this.covers = String.join(";", covers);
  }

  /// Signatures of `StoreClient` and `ValueSink` that the row covers.
  List<String> covers() {
    return List.of(covers.split(";", -1));
  }

  /// The bytes that a success delivered.
  ///
  /// @throws FloeException what the client reported
  abstract byte[] read(StoreClient client, String key, int size, Path folder);

  private static byte[] poisoned(int size) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, POISON);
    return bytes;
  }

  private static byte[] content(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
