import type { StackTraceRule } from '../rule-types.ts';
import { ABOVE_NOT_APP, BELOW_APP, NOT_APP, type PlatformCategories, rule, rules } from './default-rules.ts';

/** Windows: what belongs to the system or to the runtime of its compiler. */
export const WINDOWS_CATEGORIES: PlatformCategories = {
  system: { packages: ['C:/Windows/**'] },
  threadbase: {
    functions: [
      'BaseThreadInitThunk',
      'RtlUserThreadStart',
      'RtlpTpWorkCallback',
      'TppWorkerThread',
      'TppWorkpExecuteCallback',
      'invoke_main',
      'wWinMain',
    ],
  },
  malloc: { functions: ['RtlpAllocateHeapInternal', 'malloc_base'] },
  dtor: { functions: ["destructor'"] },
  shutdown: { functions: ['ExitProcessImplementation', 'RtlExitUserProcess'] },
  handler: { functions: ['DispatchHookW', 'RtlpExecuteHandlerForException', 'execute_onexit_table'] },
  throw: {
    functions: [
      'RaiseComPlusException',
      'RaiseException',
      'RtlExitUserThread',
      'TppRaiseInvalidParameter',
      '_CxxThrowException',
    ],
  },
  driver: {
    functions: ['*CUDA*'],
    packages: [
      '**/nvcuda.dll',
      'C:/Program Files/NVIDIA Corporation/**',
      'C:/Windows/System32/DriverStore/**',
    ],
  },
  free: { functions: ['RtlFreeHeap', 'RtlFreeUnicodeString', 'std::_Deallocate'] },
  gl: { packages: ['C:/Windows/System32/opengl32.dll'] },
};

/** The engine's function and all that it calls report the failure; whoever called it is the user. */
const REPORTING = [BELOW_APP, NOT_APP, ABOVE_NOT_APP] as const;

const NATIVE = { family: 'native' } as const;

/** Unreal Engine: fatal logs, failed checks and ensures of its versions, and events that the SDK's subsystem takes. */
export const UNREAL_RULES: readonly StackTraceRule[] = [
  ...rules({ functions: ['UE::Logging::Private::BasicFatalLog'] }, REPORTING, NATIVE),
  ...rules({ functions: ['FDebug::CheckVerifyFailedImpl*'] }, REPORTING, NATIVE),
  rule({ function: '*::Impl::ExecCheckImplInternal' }, [NOT_APP], {
    callee: { function: 'FDebug::CheckVerifyFailedImpl' },
  }),
  rule({ function: 'FDebug::CheckVerifyFailedImpl2' }, [NOT_APP], {
    callee: { function: 'FDebug::CheckVerifyFailedImpl2V' },
  }),
  // Ensures, up to version 5.2.
  ...rules({ functions: ['FDebug::OptionallyLogFormattedEnsureMessageReturningFalse'] }, REPORTING, NATIVE),
  rule({ category: 'indirection' }, [NOT_APP], {
    callee: { function: 'FDebug::OptionallyLogFormattedEnsureMessageReturningFalse' },
  }),
  ...rules(
    {
      functions: [
        // Version 5.3, then those after it.
        'DispatchCheckVerify*',
        'UE::Assert::Private::ExecCheckImplInternal*',
        'USentrySubsystem::CaptureMessage*',
        // Again, for what calls with a scope and is called by what calls without.
        'USentrySubsystem::CaptureMessageWithScope*',
        'USentrySubsystem::CaptureEvent*',
        'USentrySubsystem::CaptureEventWithScope*',
        'USentrySubsystem::*execCapture*',
      ],
    },
    REPORTING,
    NATIVE,
  ),
];
