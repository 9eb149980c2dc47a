import type { StackTraceRule } from '../rule-types.ts';
import {
  ABOVE_NOT_GROUPED,
  BORDER,
  NOISE,
  NOT_APP,
  NOT_GROUPED,
  type PlatformCategories,
  rules,
} from './default-rules.ts';

const NATIVE = { family: 'native' } as const;

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

/** Where Unix keeps libraries that nobody wrote for one application. */
export const UNIX_PLACES: readonly StackTraceRule[] = rules(
  {
    packages: ['/lib/**', '/usr/lib/**'],
    paths: ['**/.local/share/**', '/usr/local/Cellar/**', '/usr/local/lib/**'],
  },
  [NOT_APP],
);
