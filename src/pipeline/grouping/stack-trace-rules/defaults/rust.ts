import type { StackTraceRule } from '../rule-types.ts';
import { ABOVE_NOT_APP, BORDER, NOT_APP, rules } from './default-rules.ts';

const NATIVE = { family: 'native' } as const;

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
