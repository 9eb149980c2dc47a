import type { StackTraceRule } from '../rule-types.ts';
import { inCategory, NOT_APP, NOT_GROUPED, type PlatformCategories, rules } from './default-rules.ts';

/** Java: the class library. */
export const JVM_CATEGORIES: PlatformCategories = {
  std: { modules: ['java.*', 'javax.crypto.*'] },
  threadbase: { pairs: [{ module: 'java.util.concurrent.ThreadPoolExecutor*', function: 'runWorker' }] },
  indirection: {
    modules: ['java.lang.reflect.*'],
    pairs: [{ module: 'java.lang.Class', function: 'getMethod' }],
  },
  load: {
    pairs: [
      { module: 'java.lang.Runtime', function: 'loadLibrary*' },
      { module: 'java.lang.System', function: 'loadLibrary' },
    ],
  },
};

/** Frameworks that call a user's code or are called by it. */
export const JVM_FRAMEWORKS: readonly StackTraceRule[] = [
  ...rules(
    {
      modules: [
        'akka.*',
        'com.fasterxml.*',
        'com.microsoft.*',
        'com.sun.*',
        'feign.*',
        'io.opentelemetry.*',
        'jdk.*',
        'oauth.*',
        'org.apache.*',
        'org.glassfish.*',
        'org.jboss.*',
        'org.jdesktop.*',
        'org.postgresql.*',
        'org.springframework.*',
        'org.web3j.*',
        'reactor.core.*',
        'scala.*',
        'sun.*',
      ],
    },
    [inCategory('framework')],
  ),
  ...rules({ modules: ['io.sentry.*'] }, [inCategory('framework'), NOT_GROUPED]),
];

export const KOTLIN_RULES: readonly StackTraceRule[] = rules(
  { modules: ['io.ktor.*', 'io.netty.*', 'kotlin.*', 'kotlinx.*'] },
  [NOT_APP],
);

/** Android: libraries of the system for native frames, packages of the framework for those of the virtual machine. */
export const ANDROID_NATIVE_CATEGORIES: PlatformCategories = {
  system: {
    packages: ['**/libart.so', '/system/**', '/vendor/**', 'linux-gate.so*', 'linux-vdso.so*'],
  },
  runtime: { functions: ['art::jit::*'] },
  av: { packages: ['/system/lib/libaudioclient.so', '/system/lib/libmedia.so'] },
  gl: {
    packages: ['**/libESXGLES*.so', '**/libGLES*.so', '/system/lib/libEGL.so', '/system/lib/libskia.so'],
  },
  load: {
    pairs: [{ package: '/system/lib/libnativeloader.so', function: 'android::OpenNativeLibrary' }],
  },
};

/** These tell on frames of any platform. */
export const ANDROID_CATEGORIES: PlatformCategories = {
  system: {
    packages: ['/apex/com.android.*/lib*/**'],
    modules: [
      'com.android.*',
      // Comes with the devices of one maker, as does the next.
      'com.lenovo.lsf.*',
      'com.lenovo.payplus.*',
      'dalvik.system.*',
    ],
  },
  std: { modules: ['androidx.*', 'com.google.android.*', 'com.google.crypto.*'] },
  ui: {
    modules: [
      'android.app.Dialog',
      'android.text.*',
      'android.view.*',
      'android.widget.*',
      'androidx.*.widget.*',
      'com.google.android.material.*',
    ],
  },
  threadbase: {
    pairs: [
      { module: 'android.app.ActivityThread', function: 'main' },
      { module: 'android.app.ActivityThread*', function: 'handleMessage' },
      // AsyncTask, among others.
      { module: 'android.os.*', function: 'call' },
      { module: 'android.os.Handler', function: 'dispatchMessage' },
      { module: 'android.os.Handler', function: 'handleCallback' },
      { module: 'android.os.Looper', function: 'loop' },
      { module: 'android.view.View', function: 'layout' },
    ],
  },
  indirection: { modules: ['androidx.work.impl.utils.ForceStopRunnable'] },
  telemetry: {
    packages: ['**/libBugly.so'],
    modules: ['cn.gundam.sdk.*', 'com.lenovo.payplus.analytics.*'],
  },
};
