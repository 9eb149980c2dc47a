import type { PlatformCategories } from './default-rules.ts';

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
