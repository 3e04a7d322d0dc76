package dev.floe.meta.model;

/// Whose object and which: the identity that every lookup uses.
public record ObjectId(TenantId tenant, ObjectKey key) {
  /// An object of the default tenant.
  public static ObjectId of(String key) {
    return new ObjectId(TenantId.DEFAULT, new ObjectKey(key));
  }

  @Override
  public String toString() {
    return tenant.equals(TenantId.DEFAULT) ? key.value() : tenant + "/" + key;
  }
}
