package dev.floe.meta.place;

import java.util.Arrays;

/// The nodes of an allocator, one for each range: place, size, neighbours by offset, and links
/// within a free list. Four longs for each node in pages of 64 nodes, which grow with use and are
/// shared between copies until one of them is written.
///
/// A copy costs one reference for each page; a write to a shared page costs 2 KiB once. The table
/// that was copied must not be written any more, so that another thread may read it.
final class NodeTable {
  /// Stands for "no node" in every place that names one.
  static final int NONE = -1;

  private static final int OFFSET_AND_USE = 0;
  private static final int SIZE = 1;
  private static final int NEIGHBOURS = 2;
  private static final int LINKS = 3;

  private static final int PAGE_SHIFT = 6;
  private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

  /// Marks the pages that this table may write. Not the table itself: a page that stays in use
  /// would keep every table that ever wrote it, with its old pages.
  private final Mark mark = new Mark();

  private Page[] pages;
  private int nodes;

  NodeTable() {
    pages = new Page[1];
  }

  private NodeTable(NodeTable other) {
    pages = other.pages.clone();
    nodes = other.nodes;
  }

  /// A table with the same content.
  NodeTable copy() {
    return new NodeTable(this);
  }

  /// How many nodes were ever added.
  int nodes() {
    return nodes;
  }

  /// Adds a node of four zeros and returns its number.
  int add() {
    int page = nodes >>> PAGE_SHIFT;
    if (page == pages.length) {
      pages = Arrays.copyOf(pages, pages.length * 2);
    }
    if ((nodes & PAGE_MASK) == 0) {
      pages[page] = new Page(mark, new long[4 << PAGE_SHIFT]);
    }
    return nodes++;
  }

  /// In granules.
  long offset(int node) {
    return get(node, OFFSET_AND_USE) >>> 1;
  }

  boolean isUsed(int node) {
    return (get(node, OFFSET_AND_USE) & 1) != 0;
  }

  void setOffset(int node, long offset, boolean isUsed) {
    set(node, OFFSET_AND_USE, (offset << 1) | (isUsed ? 1 : 0));
  }

  /// In granules.
  long size(int node) {
    return get(node, SIZE);
  }

  void setSize(int node, long size) {
    set(node, SIZE, size);
  }

  /// The range before this one, or `NONE`.
  int previous(int node) {
    return (int) (get(node, NEIGHBOURS) >>> 32);
  }

  /// The range behind this one, or `NONE`.
  int next(int node) {
    return (int) get(node, NEIGHBOURS);
  }

  void setNeighbours(int node, int previous, int next) {
    set(node, NEIGHBOURS, pair(previous, next));
  }

  /// The entry before this one in its free list, or `NONE`.
  int linkPrevious(int node) {
    return (int) (get(node, LINKS) >>> 32);
  }

  /// The entry behind this one in its free list, or `NONE`.
  int linkNext(int node) {
    return (int) get(node, LINKS);
  }

  void setLinks(int node, int previous, int next) {
    set(node, LINKS, pair(previous, next));
  }

  private static long pair(int high, int low) {
    return ((long) high << 32) | (low & 0xFFFF_FFFFL);
  }

  private long get(int node, int word) {
    return pages[node >>> PAGE_SHIFT].words[((node & PAGE_MASK) << 2) | word];
  }

  private void set(int node, int word, long value) {
    int number = node >>> PAGE_SHIFT;
    Page page = pages[number];
    if (page.writer != mark) {
      page = new Page(mark, page.words.clone());
      pages[number] = page;
    }
    page.words[((node & PAGE_MASK) << 2) | word] = value;
  }

  /// Has nothing but its identity.
  private static final class Mark {}

  private static final class Page {
    final Mark writer;
    final long[] words;

    Page(Mark writer, long[] words) {
      this.writer = writer;
      this.words = words;
    }
  }
}
