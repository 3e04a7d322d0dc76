package dev.floe.core.error;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// Says for people why reading or writing failed. Messages of Java's file exceptions are often only
/// the file's name, and their class names mean nothing to an operator.
public final class IoReason {
  private IoReason() {}

  /// The reason without the name of a Java class; it names the file when the exception knows it.
  public static String of(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> missing.getFile() + " does not exist";
      case AccessDeniedException denied -> "no permission for " + denied.getFile();
      case FileAlreadyExistsException present -> present.getFile() + " exists and is a file";
      case NotDirectoryException file -> file.getFile() + " is no directory";
      case FileSystemException other when other.getReason() != null ->
          other.getFile() + ": " + other.getReason();
      default -> e.getMessage() == null || e.getMessage().isBlank() ? e.toString() : e.getMessage();
    };
  }
}
