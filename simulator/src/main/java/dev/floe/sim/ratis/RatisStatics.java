package dev.floe.sim.ratis;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.TimeoutTimer;

/// Puts the static fields of Ratis 3.2.2 back to what they are in a fresh JVM, so that a run does
/// not depend on the runs before it.
///
/// Counters become names and call ids; a timer kept from an earlier run has a thread that never
/// runs again; beans of dead servers make later registrations take another path. Another version of
/// Ratis may name the fields differently: then this fails loudly.
public final class RatisStatics {
  private static final List<String> COUNTERS =
      List.of(
          "util.JvmPauseMonitor/THREAD_COUNT",
          "util.TimeoutScheduler/THREAD_COUNT",
          "server.impl.LeaderElection/COUNT",
          "statemachine.impl.BaseStateMachine/ID_GENERATOR");
  private static final List<String> MAPS =
      List.of(
          "protocol.RaftPeerId/BYTE_STRING_MAP",
          "protocol.RaftPeerId/STRING_MAP",
          "conf.ConfUtils$Utils/CACHE",
          "util.BatchLogger/LOG_CACHE",
          "server.metrics.RaftServerMetricsImpl/METRICS");

  private RatisStatics() {}

  /// Threads that static fields own: they must outlive the process that happened to start them.
  public static boolean isSharedThread(String name) {
    return name.startsWith("timer");
  }

  /// To be called before each run, outside of it.
  public static void reset() {
    ExitUtils.disableSystemExit();
    ExitUtils.setTerminateOnUncaughtException(false);
    Thread.setDefaultUncaughtExceptionHandler(null);
    try {
      ((AtomicLong) getStatic("rpc.CallId", "CALL_ID_COUNTER")).set(1);
      for (String counter : COUNTERS) {
        ((AtomicInteger) get(counter)).set(0);
      }
      for (String map : MAPS) {
        ((Map<?, ?>) get(map)).clear();
      }
      forget(getStatic("util.TimeoutScheduler", "INSTANCE"));
      resetTimer(TimeoutTimer.getInstance());
      MetricRegistries.global().clear();
      unregisterBeans();
    } catch (ReflectiveOperationException | JMException e) {
      throw new IllegalStateException("this Ratis keeps its statics elsewhere", e);
    }
  }

  private static Object get(String classAndField) throws ReflectiveOperationException {
    int slash = classAndField.indexOf('/');
    return getStatic(classAndField.substring(0, slash), classAndField.substring(slash + 1));
  }

  private static Object getStatic(String className, String field)
      throws ReflectiveOperationException {
    Field found = Class.forName("org.apache.ratis." + className).getDeclaredField(field);
    found.setAccessible(true);
    return found.get(null);
  }

  /// Others hold the timer in final fields, so it stays and what is in it goes.
  private static void resetTimer(TimeoutTimer timer) throws ReflectiveOperationException {
    ((AtomicInteger) get(timer, "numTasks")).set(0);
    ((AtomicInteger) get(timer, "taskId")).set(0);
    for (Object memoizedThread : (List<?>) get(timer, "timers")) {
      forget(memoizedThread);
    }
  }

  private static Object get(Object owner, String field) throws ReflectiveOperationException {
    Field found = owner.getClass().getDeclaredField(field);
    found.setAccessible(true);
    return found.get(owner);
  }

  /// Empties a memoizing supplier.
  private static void forget(Object memoized) throws ReflectiveOperationException {
    for (Field field : memoized.getClass().getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
        field.setAccessible(true);
        field.set(memoized, null);
      }
    }
  }

  private static void unregisterBeans() throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    for (String domain : List.of("Ratis", "ratis")) {
      for (ObjectName name : beans.queryNames(new ObjectName(domain + ":*"), null)) {
        beans.unregisterMBean(name);
      }
    }
  }
}
