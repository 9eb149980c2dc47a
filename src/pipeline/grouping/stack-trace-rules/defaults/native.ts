import type { StackTraceRule } from '../rule-types.ts';
import {
  ABOVE_NOT_APP,
  ABOVE_NOT_GROUPED,
  APP,
  BORDER,
  NOISE,
  NOT_APP,
  NOT_GROUPED,
  type PlatformCategories,
  rules,
} from './default-rules.ts';

/** macOS and iOS: what belongs to the system, by its library, and what the runtimes of Objective-C and Swift call. */
export const APPLE_CATEGORIES: PlatformCategories = {
  system: {
    packages: [
      '/System/Library/Frameworks/**',
      '/usr/lib/**',
      'CFNetwork',
      'CoreFoundation',
      'Foundation',
      'IOKit',
      'IOMobileFramebuffer',
      'QuartzCore',
      'WebKit',
      'libdispatch.dylib',
      'libobjc*',
      'libsystem*',
    ],
  },
  ui: {
    packages: ['AttributeGraph', 'CoreAutoLayout', 'GraphicsServices', 'SwiftUI', 'UIKit', 'UIKitCore'],
    // The engine of automatic layout.
    functions: ['-\\[NSISEngine*'],
  },
  av: { packages: ['AudioToolbox*', 'libAudioToolboxUtility.dylib'] },
  internals: { functions: ['__swift_*', 'block_destroy_helper*'] },
  threadbase: {
    functions: [
      '__pthread_start',
      '_dispatch_worker_thread2',
      '_pthread_body',
      '_pthread_start',
      '_pthread_wqthread',
      'start_wqthread',
      'thread_start',
    ],
    pairs: [
      { package: '/usr/lib/system/**', function: 'start' },
      { package: '/usr/lib/system/libsystem_pthread.dylib', function: '<unknown>' },
      { package: 'UIKit', function: 'UIApplicationMain' },
      { package: 'UIKitCore', function: 'UIApplicationMain' },
      { package: 'libdyld.dylib', function: 'start' },
    ],
  },
  malloc: { packages: ['**/libsystem_malloc.dylib'] },
  indirection: { functions: ['Array.subscript.*'] },
  handler: { functions: ['_sigtramp'] },
  throw: {
    functions: ['AG::precondition_failure*', '_CFThrowFormattedException', 'objc_exception_throw'],
  },
  driver: {
    packages: [
      '/System/Library/Extensions/AMDRadeon*/**',
      '/System/Library/Extensions/AppleIntel*GraphicsGLDriver.bundle/**',
      '/System/Library/Extensions/GeForceGLDriver.bundle/**',
      '/System/Library/PrivateFrameworks/GPUSupport.framework/**',
      'AGXGLDriver',
      'libGPUSupportMercury.dylib',
    ],
  },
  free: { functions: ['_CFRelease', '_swift_release_dealloc', 'objc_release'] },
  gl: {
    // OpenCL draws nothing, but takes the place of OpenGL in stacks.
    packages: [
      '/System/Library/Frameworks/OpenCL.framework/**',
      '/System/Library/Frameworks/OpenGL.framework/**',
      'GLEngine',
      'OpenGLES',
    ],
  },
  telemetry: {
    functions: ['gpusKillClientExt'],
    pairs: [
      {
        package: '/System/Library/PrivateFrameworks/GPUSupport.framework/**',
        function: 'gpusGenerateCrashLog*',
      },
    ],
  },
  load: { functions: ['ImageLoaderMachO::findClosestSymbol', 'dladdr', 'dlopen'] },
};

/** Functions that a compiler of Swift made; the file that would say so is not always sent. */
export const SWIFT_COMPILER_FUNCTIONS = [
  '@callee_guaranteed',
  'Array._getElement',
  'Array.subscript.getter',
  'Collection.map<T>',
  '_ArrayBuffer._nativeTypeChecked.getter',
  'closure',
  'range',
] as const;

const NATIVE = { family: 'native' } as const;

/** Where the applications of users are installed or built. */
export const APPLE_PLACES: readonly StackTraceRule[] = rules(
  {
    packages: [
      '/private/var/containers/Bundle/Application/**',
      '/var/containers/Bundle/Application/**',
      '**/Containers/Bundle/Application/**',
      '**/Developer/CoreSimulator/Devices/**',
      '**.app/Contents/**',
      '/Users/**',
    ],
  },
  [APP],
  NATIVE,
);

export const OBJC_RAISING: readonly StackTraceRule[] = [
  ...rules({ functions: ['_NSRaiseError'] }, BORDER, NATIVE),
  ...rules({ functions: ['_mh_execute_header'] }, NOISE, NATIVE),
];

/**
 * Code that ships within an application and is not the user's. A static library becomes part of the application's own
 * image, and old versions of the SDK call everything in the bundle the user's: only function names tell then.
 */
export const APPLE_SUPPORT: readonly StackTraceRule[] = [
  ...rules(
    {
      packages: [
        '**/Frameworks/KSCrash.framework/**',
        '**/Frameworks/Sentry.framework/**',
        '**/Frameworks/SentrySwift.framework/**',
        '**/Frameworks/libswift*.dylib',
      ],
    },
    [NOT_APP],
    NATIVE,
  ),
  ...rules(
    {
      functions: [
        '*sentrycrash_*',
        '?[[]KSCrash*',
        '?[[]RNSentry*',
        '?[[]Sentry*',
        '__*[[]Sentry*',
        'kscm_*',
        'kscrash_*',
        'sentrycrashcm_*',
      ],
    },
    NOISE,
    NATIVE,
  ),
];

/** C and C++: the standard library, boost, and what compilers and crash reporters add. */
export const CPP_CATEGORIES: PlatformCategories = {
  system: { functions: ['__memcpy', 'memcmp', 'memcpy', 'memset'] },
  std: { functions: ['boost::*', 'std::*'] },
  internals: { functions: ['std::_*'] },
  threadbase: { functions: ['boost::*::thread_proxy'] },
  malloc: { functions: ['malloc', 'std::*::allocator_traits*'] },
  indirection: {
    functions: [
      '*::operator()*',
      '*<lambda>*',
      '__dynamic_cast',
      'boost::_bi::*',
      'boost::detail::function::functor_manager*',
      'boost::function*',
    ],
  },
  dtor: { functions: ['*::\\{dtor\\}'] },
  shutdown: { functions: ['exit'] },
  throw: { functions: ['abort', 'raise', 'std::terminate'] },
  free: { functions: ['free'] },
  telemetry: { functions: ['crashpad::*'] },
  lock: { functions: ['pthread_mutex_lock'] },
};

/** What makes a crash report out of a thrown error or a failed assertion. */
export const CPP_RAISING: readonly StackTraceRule[] = rules(
  { functions: ['_CxxThrowException', '__assert_rtn', '__cxa_throw'] },
  BORDER,
  NATIVE,
);

export const BREAKPAD: readonly StackTraceRule[] = [
  ...rules({ functions: ['google_breakpad::*'] }, NOISE, NATIVE),
  ...rules(
    {
      functions: [
        'google_breakpad::ExceptionHandler::SignalHandler',
        'google_breakpad::ExceptionHandler::WriteMinidumpWithException',
      ],
    },
    [ABOVE_NOT_GROUPED, NOT_GROUPED],
    NATIVE,
  ),
];

/** How the C library of Linux begins a program and a thread, where symbols come without the place of their library. */
export const LINUX_STARTS: readonly StackTraceRule[] = rules(
  {
    functions: ['__clone*', '__libc_start_*', '_start', 'clone', 'clone3', 'start_thread'],
  },
  [NOT_APP],
  NATIVE,
);

/** Where Unix keeps libraries that nobody wrote for one application. */
export const UNIX_PLACES: readonly StackTraceRule[] = rules(
  {
    packages: ['/lib/**', '/usr/lib/**'],
    paths: ['**/.local/share/**', '/usr/local/Cellar/**', '/usr/local/lib/**'],
  },
  [NOT_APP],
);

/** Rust: its own libraries, and the functions with which a panic or the making of a backtrace begins. */
export const RUST_RULES: readonly StackTraceRule[] = [
  ...rules(
    { functions: ['__rust_*', 'alloc::*', 'core::*', 'rust_begin_unwind', 'std::*'] },
    [NOT_APP],
    NATIVE,
  ),
  ...rules(
    {
      functions: [
        'core::panicking::begin_panic',
        'error_chain::make_backtrace',
        'failure::backtrace::Backtrace::new',
        'std::panicking::begin_panic',
      ],
    },
    BORDER,
    NATIVE,
  ),
  ...rules(
    { functions: ['core::panicking::panic_fmt', 'std::panicking::panic_fmt'] },
    [ABOVE_NOT_APP, NOT_APP],
    NATIVE,
  ),
];
