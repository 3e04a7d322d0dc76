package dev.floe.core.error;

/// Every bound of Floe in one place, each with the reason for its value.
///
/// Configuration may lower some of them; nothing may exceed them. Relations between bounds are
/// checked when this class is loaded, so that a careless change stops every program at once.
public final class Limits {
  /// Bytes of a key in UTF-8: fits every engine's key format and keeps a log entry of 256 keys
  /// under 512 KiB.
  public static final int KEY_BYTES_MAX = 1024;

  /// Bytes of a tenant name in UTF-8.
  public static final int TENANT_BYTES_MAX = 128;

  /// Bytes of a configuration file: every setting with its comments takes a hundredth of it.
  public static final int CONFIG_BYTES_MAX = 1024 * 1024;

  /// Bytes of an object: 16 TiB, far above any real value and far below overflow of sums.
  public static final long OBJECT_BYTES_MAX = 1L << 44;

  /// Bytes per second that a write gets time for at least, besides its fixed timeouts: half of what a
  /// client's own deadline reckons with, so that no write that keeps the pace is given to others
  /// while its writer is at work. At this pace the largest object takes 24 days; a writer that is gone
  /// is known by its session.
  public static final long WRITE_BYTES_PER_SECOND_MIN = 8L * 1024 * 1024;

  /// Replicas of one object: enough for 8 failure domains.
  public static final int REPLICAS_MAX = 8;

  /// Bytes of the name of a group of objects in UTF-8.
  public static final int GROUP_BYTES_MAX = 256;

  /// Milliseconds of a soft pin: a day. What has to stay longer is hard-pinned.
  public static final long SOFT_PIN_MILLIS_MAX = 24L * 60 * 60 * 1000;

  /// Commands in one client request, and keys in one batch read.
  public static final int BATCH_ITEMS_MAX = 4096;

  /// Commands that one client session may have unanswered: bounds the replicated table of replies.
  public static final int SESSION_WINDOW_MAX = 8192;

  /// Client sessions that the cluster keeps.
  public static final int SESSIONS_MAX = 100_000;

  /// Abandoned ranges, and unfinished writes, that one tick frees: some milliseconds of apply.
  public static final int RELEASES_PER_TICK_MAX = 4096;

  /// Commands in one Raft entry: a larger batch gains nothing (measured) and delays the first
  /// command.
  public static final int ENTRY_COMMANDS_MAX = 256;

  /// Bytes of commands in one Raft entry, unless a single command is larger.
  public static final int ENTRY_BYTES_MAX = 256 * 1024;

  /// Bytes of one command: several times the largest that means anything (a runtime with all its
  /// labels), and a quarter of the largest entry that Raft takes.
  public static final int COMMAND_BYTES_MAX = 1024 * 1024;

  /// Raft entries that the leader keeps in flight: 2 keep the disk busy, more only queue.
  public static final int ENTRIES_IN_FLIGHT_MAX = 4;

  /// Commands waiting in the leader's batcher; the next one is refused with OVERLOADED.
  public static final int BATCHER_QUEUE_MAX = 65_536;

  /// Read leases that a leader remembers, about 100 bytes each; beyond it a resolve protects
  /// nothing.
  public static final int READ_LEASES_MAX = 1 << 20;

  /// Keys in one page of a listing.
  public static final int LIST_PAGE_MAX = 1000;

  /// Runtimes and segments in one page of the cluster view.
  public static final int CLUSTER_PAGE_MAX = 1000;

  /// Bytes of the runtimes and segments in one page of the cluster view, unless a single one is
  /// larger: a runtime's labels may have 128 KiB.
  public static final int CLUSTER_PAGE_BYTES_MAX = 4 * 1024 * 1024;

  /// Segments and runtimes of one cluster.
  public static final int SEGMENTS_MAX = 65_536;

  /// Fewest bytes of a segment: 1 MiB.
  public static final long SEGMENT_BYTES_MIN = 1L << 20;

  /// Bytes of a segment: 16 TiB.
  public static final long SEGMENT_BYTES_MAX = 1L << 44;

  /// Bytes of a block of a block device: 64 KiB, the largest LBA format in use is 4 KiB.
  public static final int BLOCK_BYTES_MAX = 64 * 1024;

  /// Bytes of a file that is made to be a block device: less holds no useful number of extents.
  public static final long BLOCK_DEVICE_BYTES_MIN = 64L * 1024 * 1024;

  /// Bytes of a block device: 256 TiB, above any single device and far below overflow.
  public static final long BLOCK_DEVICE_BYTES_MAX = 1L << 48;

  /// Labels of a runtime, and bytes of a label's name or value.
  public static final int LABELS_MAX = 64;

  /// Bytes of a label's name or value.
  public static final int LABEL_BYTES_MAX = 1024;

  /// Characters of a host name or address: what DNS allows. Every replica's target names one, and
  /// masters keep them in their state.
  public static final int HOST_CHARS_MAX = 255;

  /// Characters of an error that apply answers: it names a key at most, and masters keep it until
  /// its client has it. What is longer is cut.
  public static final int REPLY_MESSAGE_CHARS_MAX = 2048;

  /// Bytes of a frame's protobuf header: a full batch of the longest keys fits.
  public static final int FRAME_HEADER_BYTES_MAX = 16 * 1024 * 1024;

  /// Bytes of a frame's payload: chunks are about 1 MiB, 16 MiB leaves room to tune.
  public static final int FRAME_BODY_BYTES_MAX = 16 * 1024 * 1024;

  /// Bytes of one chunk of a value on the wire.
  public static final int CHUNK_BYTES = 1024 * 1024;

  /// Bytes of the smallest chunk of a value that has several: bounds what a store runtime keeps for
  /// each chunk to a thousandth of the value.
  public static final int CHUNK_BYTES_MIN = 4096;

  /// Chunks of one object: the largest object in chunks of the usual size.
  public static final int OBJECT_CHUNKS_MAX = 1 << 24;

  /// Bytes of heap that a store runtime reckons for one range of a segment, besides what its chunks
  /// take: the sizes of its objects add up to about 200 when it is full and 300 while it is written.
  public static final int RANGE_HEAP_BYTES = 256;

  /// The part of its heap, one in so many, that a store runtime gives to the ranges of all its
  /// segments: clients decide how many there are. 1 GiB of heap is enough for 1 million values.
  public static final int RANGES_HEAP_SHARE = 4;

  /// Times that a client puts one value: each time on runtimes that have not failed it yet.
  public static final int PUT_ATTEMPTS_MAX = 4;

  /// Runtimes that a client names as preferred when it puts a value again elsewhere.
  public static final int PUT_CANDIDATES_MAX = 64;

  /// Versions of one object that one read begins: an object that is replaced again and again while
  /// it is read ends the read.
  public static final int READ_VERSIONS_MAX = 8;

  /// Chunks of one value that a client has under way with one replica: enough to fill a fast
  /// network, few enough to share it.
  public static final int VALUE_CHUNKS_IN_FLIGHT_MAX = 8;

  /// Bytes of values that one client has under way.
  public static final long CLIENT_IN_FLIGHT_BYTES_MAX = 256L * 1024 * 1024;

  /// Values that one batch of a client moves at a time.
  public static final int BATCH_VALUES_IN_FLIGHT_MAX = 16;

  /// Times that a client sends one chunk to one replica.
  public static final int CHUNK_ATTEMPTS_MAX = 5;

  /// Connections of a server whose reader is a platform thread; later ones get a virtual thread.
  public static final int PLATFORM_READERS_MAX = 256;

  /// Connections that one server accepts at all.
  public static final int CONNECTIONS_MAX = 16_384;

  /// Requests of one connection that are being handled; the reader waits above it.
  public static final int CONNECTION_REQUESTS_MAX = 1024;

  /// Request bytes (headers and payloads) that one server holds at a time.
  public static final long SERVER_IN_FLIGHT_BYTES_MAX = 256L * 1024 * 1024;

  /// Calls of one client connection that are unanswered; the next one is refused with OVERLOADED.
  public static final int CONNECTION_CALLS_MAX = 8192;

  /// Connections that one node opens to another: four streams fill the lines that were measured,
  /// more only cost memory on the other side.
  public static final int PEER_CONNECTIONS_MAX = 64;

  /// Nodes that one process keeps connections to.
  public static final int PEERS_MAX = 65_536;

  /// Host names that one process looks up at the same time: each takes a thread, which a name
  /// server that is silent keeps for minutes.
  public static final int HOST_LOOKUPS_MAX = 64;

  /// Milliseconds that a node must have been given before its silence counts against it: a caller
  /// in more of a hurry says nothing about the node.
  public static final int PEER_SILENCE_MILLIS_MIN = 100;

  /// Bytes of a HELLO: a peer that has not said who it is may not make a node allocate more.
  public static final int HELLO_BYTES_MAX = 16 * 1024;

  /// Milliseconds in which a peer must finish its HELLO.
  public static final int HANDSHAKE_MILLIS_MAX = 5_000;

  /// Milliseconds in which a server must have received a frame that was begun, or written a reply:
  /// the largest frame over a 10 Mbit/s line. A slower peer is cut off, because it holds memory
  /// that others wait for.
  public static final int FRAME_MILLIS_MAX = 30_000;

  /// Milliseconds that a closing server waits for handlers that still run.
  public static final int DRAIN_MILLIS_MAX = 10_000;

  /// Characters of an error's message on the wire, and of its context; what is longer is cut.
  public static final int ERROR_MESSAGE_CHARS_MAX = 8192;

  static {
    check(KEY_BYTES_MAX <= ENTRY_BYTES_MAX, "a key fits in an entry");
    check(
        BATCH_ITEMS_MAX * (KEY_BYTES_MAX + 64L) <= FRAME_HEADER_BYTES_MAX,
        "a batch fits in a frame");
    check(
        CLUSTER_PAGE_BYTES_MAX + 2L * LABELS_MAX * LABEL_BYTES_MAX <= FRAME_HEADER_BYTES_MAX / 2,
        "a page of the cluster view fits in a frame");
    check(BATCH_ITEMS_MAX <= SESSION_WINDOW_MAX, "a batch fits in a session's window");
    check(HELLO_BYTES_MAX <= FRAME_HEADER_BYTES_MAX, "a HELLO fits in a frame");
    check(
        (long) FRAME_HEADER_BYTES_MAX + FRAME_BODY_BYTES_MAX <= SERVER_IN_FLIGHT_BYTES_MAX,
        "the largest frame fits in a server's memory for requests");
    check(CHUNK_BYTES <= FRAME_BODY_BYTES_MAX, "a chunk fits in a frame");
    check(OBJECT_BYTES_MAX / CHUNK_BYTES <= OBJECT_CHUNKS_MAX, "the largest object has few chunks");
    check(CHUNK_BYTES_MIN <= CHUNK_BYTES, "the usual chunk is no smaller than the smallest");
    check(ENTRY_COMMANDS_MAX <= BATCHER_QUEUE_MAX, "an entry fits in the batcher's queue");
  }

  private Limits() {}

  private static void check(boolean holds, String relation) {
    if (!holds) {
      throw new IllegalStateException("limits contradict each other: " + relation);
    }
  }
}
