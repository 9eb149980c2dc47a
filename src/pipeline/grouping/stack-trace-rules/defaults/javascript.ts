import type { StackTraceRule } from '../rule-types.ts';
import { ABOVE_NOT_APP, NOISE, NOT_APP, rule, rules } from './default-rules.ts';

/** Browsers, Node and React Native: packages, what content networks serve, and what compilers and the runtime add. */
export const JAVASCRIPT_RULES: readonly StackTraceRule[] = [
  ...rules(
    {
      modules: ['unpkg/**'],
      paths: [
        '**/node_modules/**',
        '**https://cdn.jsdelivr.net/**',
        '**https://cdnjs.cloudflare.com/**',
        '**https://esm.run/**',
        '**https://unpkg.com/**',
      ],
    },
    [NOT_APP],
  ),
  rule({ family: 'javascript', function: 'reportError' }, [ABOVE_NOT_APP, NOT_APP]),
  // Polyfills and the helpers of compilers.
  ...rules({ modules: ['@babel/**', 'core-js/**', 'regenerator-runtime/**', 'tslib/**'] }, NOISE),
  rule({ family: 'javascript', function: '_callSuper' }, NOISE),
  // The queue of Node.
  ...rules(
    {
      functions: ['nextTick', 'processTicksAndRejections', 'queueMicrotask', 'runMicrotasks', 'runNextTicks'],
    },
    NOISE,
  ),
];
