import type { StackTraceRule } from '../rule-types.ts';
import { SWIFT_COMPILER_FUNCTIONS } from './apple.ts';
import { inCategory, rule, rules } from './default-rules.ts';

const INTERNALS = [inCategory('internals')] as const;
const INDIRECTION = [inCategory('indirection')] as const;
const NATIVE = { family: 'native' } as const;

/** Of a category that calls itself, the outermost call tells what was asked for. */
const OUTERMOST_TELLS = ['gl', 'av', 'malloc'];

/** What the first calls in the second is its own business: the second becomes internal. One after the other. */
const INNER_CALLS: readonly (readonly [caller: string, callee: string])[] = [
  ['free', 'system'],
  ['system', 'system'],
  ['std', 'system'],
  ['std', 'std'],
  ['ui', 'ui'],
  ['ui', 'system'],
  ['internals', 'system'],
  ['internals', 'ui'],
  ['load', 'system'],
  ['load', 'load'],
  ['throw', 'system'],
  ['runtime', 'system'],
  ['runtime', 'runtime'],
  ['dtor', 'dtor'],
];

/** Categories that follow from those of the frames around, or that narrow them. */
export const RELATIONS: readonly StackTraceRule[] = [
  // Of drivers only the innermost frame counts: versions differ in the rest, and their symbols are often missing.
  rule({ category: 'driver' }, INTERNALS, { callee: { category: 'driver' } }),
  ...OUTERMOST_TELLS.map((category) => rule({ category }, INTERNALS, { caller: { category } })),
  // The module that Python's multiprocessing makes up to start a process.
  rule({ function: '<module>' }, INTERNALS, { callee: { function: 'spawn_main' } }),
  // A call through a pure virtual function aborts: it should group like the same fault before it.
  rule({ category: 'throw' }, INTERNALS, { caller: { function: '_purecall' } }),
  rule({ category: 'throw' }, INTERNALS, { caller: { category: 'throw' } }),
  // Names that begin with an underscore, or are missing, say little.
  rule({ ...NATIVE, category: 'system', function: '_*', notFunction: '_purecall' }, INTERNALS),
  rule({ ...NATIVE, category: 'system', function: '<unknown>' }, INTERNALS),
  ...rules({ functions: ['_INTERNAL*', ...SWIFT_COMPILER_FUNCTIONS] }, INTERNALS, NATIVE),
  // The part of a function that a compiler moved away as rarely used.
  rule({ ...NATIVE, function: '*.cold.1' }, INDIRECTION),
  // A single frame of the system between two others.
  rule({ category: 'system' }, INDIRECTION, {
    caller: { category: '!system' },
    callee: { category: '!system' },
  }),
  ...INNER_CALLS.map(([caller, callee]) =>
    rule({ category: callee }, INTERNALS, { caller: { category: caller } }),
  ),
];
