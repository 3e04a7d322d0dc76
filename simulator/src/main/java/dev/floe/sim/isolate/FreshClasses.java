package dev.floe.sim.isolate;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

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

  /// Runs a function of a class, loaded anew, that has a constructor without parameters. Bytes go in
  /// and come out because both sides know no other class in common.
  ///
  /// @throws IllegalStateException when the class is none of that kind
  public byte[] apply(Class<? extends UnaryOperator<byte[]>> function, byte[] argument) {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(loader);
    try {
      @SuppressWarnings("unchecked")
      UnaryOperator<byte[]> fresh =
          (UnaryOperator<byte[]>)
              loader.loadClass(function.getName()).getDeclaredConstructor().newInstance();
      return fresh.apply(argument);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(function + " cannot be made", e.getCause());
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
