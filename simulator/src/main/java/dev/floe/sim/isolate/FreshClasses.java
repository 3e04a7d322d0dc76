package dev.floe.sim.isolate;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Everything on the class path loaded anew, so that no static field of production code, of Ratis
/// or of the simulator remembers an earlier run. Only the JDK and the agent are shared.
///
/// Confined to one thread; closed after the run.
public final class FreshClasses implements AutoCloseable {
  private final URLClassLoader loader;

  public FreshClasses() {
    this.loader = new URLClassLoader("run", classPath(), ClassLoader.getPlatformClassLoader());
  }

  private static URL[] classPath() {
    List<URL> urls = new ArrayList<>();
    try {
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        if (!entry.isEmpty()) {
          urls.add(Path.of(entry).toUri().toURL());
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("the class path cannot be read", e);
    }
    return urls.toArray(URL[]::new);
  }

  /// What runs among fresh classes; has a constructor without parameters. Bytes go in and come out,
  /// and objects of the JDK on the way, because both sides know no other class in common.
  public interface Function {
    /// @param lines takes what is to be told before the end
    byte[] apply(byte[] argument, Consumer<Object[]> lines);
  }

  /// Loads a function's class anew and calls it.
  ///
  /// @throws IllegalStateException when the class is none of that kind
  public byte[] apply(
      Class<? extends Function> function, byte[] argument, Consumer<Object[]> lines) {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Class<?> fresh = loader.loadClass(function.getName());
      Object made = fresh.getDeclaredConstructor().newInstance();
      return (byte[])
          fresh.getMethod("apply", byte[].class, Consumer.class).invoke(made, argument, lines);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(function + " failed: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(function + " cannot be loaded anew", e);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Override
  public void close() {
    try {
      loader.close();
    } catch (IOException e) {
      throw new IllegalStateException("closing the classes of a run", e);
    }
  }
}
