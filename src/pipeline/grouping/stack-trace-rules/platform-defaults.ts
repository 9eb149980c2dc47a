import { ANDROID_CATEGORIES, ANDROID_NATIVE_CATEGORIES } from './defaults/android.ts';
import { APPLE_CATEGORIES, APPLE_PLACES, APPLE_SUPPORT, OBJC_RAISING } from './defaults/apple.ts';
import { BREAKPAD, CPP_CATEGORIES, CPP_RAISING, UNIX_PLACES } from './defaults/cpp.ts';
import { DART_RULES } from './defaults/dart.ts';
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
import { JAVASCRIPT_RULES } from './defaults/javascript.ts';
import { JVM_CATEGORIES, JVM_FRAMEWORKS, KOTLIN_RULES } from './defaults/jvm.ts';
import { RELATIONS } from './defaults/relations.ts';
import { RUST_RULES } from './defaults/rust.ts';
import { UNREAL_RULES } from './defaults/unreal.ts';
import { WINDOWS_CATEGORIES } from './defaults/windows.ts';
import { RuleSet } from './rule-set.ts';
import type { StackTraceRule } from './rule-types.ts';

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
