package dev.floe.store.client;

import dev.floe.meta.client.MetadataApi.ListPage;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The objects of a listing in key order, fetched page by page as they are asked for.
///
/// Each page is of its own moment: an object that comes or goes between two pages may be missing or
/// be listed, others are listed exactly once. `next` and `hasNext` throw what the masters answer.
public final class ObjectListing implements Iterator<ListPage.Entry> {
  private final Function<String, ListPage> fetch;
  private Iterator<ListPage.Entry> page = java.util.Collections.emptyIterator();
  private @Nullable String nextToken = "";

  /// @param fetch the page of a token
  ObjectListing(Function<String, ListPage> fetch) {
    this.fetch = fetch;
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext()) {
      String token = nextToken;
      if (token == null) {
        return false;
      }
      ListPage fetched = fetch.apply(token);
      page = fetched.entries().iterator();
      nextToken = fetched.nextPageToken().isEmpty() ? null : fetched.nextPageToken();
    }
    return true;
  }

  @Override
  public ListPage.Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the listing is over");
    }
    return page.next();
  }
}
