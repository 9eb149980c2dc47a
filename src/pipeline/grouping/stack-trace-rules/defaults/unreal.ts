import type { StackTraceRule } from '../rule-types.ts';
import { ABOVE_NOT_APP, BELOW_APP, NOT_APP, rule, rules } from './default-rules.ts';

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
