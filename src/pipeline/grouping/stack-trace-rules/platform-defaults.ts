import {
  ABOVE_NOT_GROUPED,
  BELOW_NOT_GROUPED,
  BORDER,
  CATEGORIES,
  type Category,
  type FrameCondition,
  inCategory,
  NOISE,
  NOT_APP,
  NOT_GROUPED,
  type PlatformCategories,
  rule,
  rules,
} from './defaults/default-rules.ts';
import { DART_RULES, JAVASCRIPT_RULES } from './defaults/javascript.ts';
import {
  ANDROID_CATEGORIES,
  ANDROID_NATIVE_CATEGORIES,
  JVM_CATEGORIES,
  JVM_FRAMEWORKS,
  KOTLIN_RULES,
} from './defaults/jvm.ts';
import {
  APPLE_CATEGORIES,
  APPLE_PLACES,
  APPLE_SUPPORT,
  BREAKPAD,
  CPP_CATEGORIES,
  CPP_RAISING,
  LINUX_STARTS,
  OBJC_RAISING,
  RUST_RULES,
  SWIFT_COMPILER_FUNCTIONS,
  UNIX_PLACES,
} from './defaults/native.ts';
import { UNREAL_RULES, WINDOWS_CATEGORIES } from './defaults/windows.ts';
import { RuleSet } from './rule-set.ts';
import type { StackTraceRule } from './rule-types.ts';

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
const RELATIONS: readonly StackTraceRule[] = [
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

/** Which platforms have names for the categories, and on which frames these tell. */
const PLATFORMS: readonly (readonly [PlatformCategories, FrameCondition])[] = [
  [APPLE_CATEGORIES, { family: 'native' }],
  [WINDOWS_CATEGORIES, { family: 'native' }],
  [CPP_CATEGORIES, { family: 'native' }],
  [ANDROID_NATIVE_CATEGORIES, { family: 'native' }],
  [ANDROID_CATEGORIES, {}],
  [JVM_CATEGORIES, {}],
];

/** What does not hold by a name alone, right after the names of its category. */
const NARROWED: { readonly [Name in Category]?: readonly StackTraceRule[] } = {
  std: [
    rule({ module: 'android.*' }, [inCategory('std')]),
    // One package of the framework is the operating system itself.
    rule({ module: 'android.os.*' }, [inCategory('system')]),
  ],
  ui: rules({ functions: ['handleMessage', 'run'] }, [inCategory('indirection')], { category: 'ui' }),
  internals: [rule({ family: 'native', function: '*_block_invoke*', app: 'no' }, [inCategory('internals')])],
};

function categoryRules(): readonly StackTraceRule[] {
  return CATEGORIES.flatMap((category) => [
    ...PLATFORMS.flatMap(([platform, where]) => namedRules(platform, category, where)),
    ...(NARROWED[category] ?? []),
  ]);
}

function namedRules(
  platform: PlatformCategories,
  category: Category,
  where: FrameCondition,
): readonly StackTraceRule[] {
  const names = platform[category];
  if (names === undefined) return [];
  const actions = [inCategory(category)];
  return [
    ...rules(names, actions, where),
    ...(names.pairs ?? []).map((pair) => rule({ ...where, ...pair }, actions)),
  ];
}

/** What belonging to a category means. */
const EFFECTS: readonly StackTraceRule[] = [
  // Raising is where a crash happens, but not what went wrong.
  rule({ category: 'throw' }, BORDER),
  rule({ category: 'system' }, [NOT_APP]),
  rule({ category: 'threadbase' }, [NOT_GROUPED, BELOW_NOT_GROUPED]),
  // What a handler calls reports the crash.
  rule({ category: 'handler' }, [ABOVE_NOT_GROUPED, NOT_GROUPED]),
  rule({ category: 'telemetry' }, NOISE),
  rule({ category: 'indirection' }, [NOT_GROUPED]),
  rule({ category: 'internals' }, NOISE),
];

/** Packages that a package manager put beside the user's code. */
const PACKAGE_FOLDERS: readonly StackTraceRule[] = rules(
  { paths: ['**/dist-packages/**', '**/go/pkg/mod/**', '**/site-packages/**', '**/vendor/**'] },
  [NOT_APP],
);

/** Other monitors wrap the user's functions. */
const OTHER_MONITORS: readonly StackTraceRule[] = rules(
  { modules: ['newrelic'], paths: ['**/*LogRocket*/**', '**/*newrelic*/**'] },
  NOISE,
);

/**
 * Errata's own rules: which code is the system's, a framework's or a package's, and which frames say nothing of a
 * failure. They come before those of a project, and the order among them matters: first what a frame is, then where it
 * lies, then what follows from that.
 */
export const DEFAULT_RULES: readonly StackTraceRule[] = [
  ...categoryRules(),
  ...RELATIONS,
  ...JVM_FRAMEWORKS,
  ...APPLE_PLACES,
  ...UNREAL_RULES,
  ...UNIX_PLACES,
  ...LINUX_STARTS,
  ...RUST_RULES,
  ...CPP_RAISING,
  ...OBJC_RAISING,
  ...BREAKPAD,
  ...APPLE_SUPPORT,
  ...DART_RULES,
  ...EFFECTS,
  ...PACKAGE_FOLDERS,
  ...JAVASCRIPT_RULES,
  rule({ category: 'framework' }, [NOT_APP]),
  ...KOTLIN_RULES,
  ...OTHER_MONITORS,
];

export const DEFAULT_RULE_SET = new RuleSet(DEFAULT_RULES, 'default');
