import type { StackTraceRule } from '../rule-types.ts';
import { ABOVE_NOT_APP, APP, NOISE, NOT_APP, rule, rules } from './default-rules.ts';

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

const NATIVE = { family: 'native' } as const;
const WEB = { family: 'javascript' } as const;

/** Packages of the SDK that only pass events on. */
const SDK_PACKAGES = [
  'sentry',
  'sentry_dio',
  'sentry_drift',
  'sentry_file',
  'sentry_flutter',
  'sentry_hive',
  'sentry_isar',
  'sentry_logging',
  'sentry_sqflite',
];
const SDK_PACKAGES_IN_STACKS = ['sentry_firebase_remote_config', 'sentry_link'];

const within = (name: string): string => `package:${name}/**`;

/** Dart and Flutter, compiled for a device or for the web. */
export const DART_RULES: readonly StackTraceRule[] = [
  // On Android all of an application's code is below /data/app, that of its packages as well: those go again below.
  rule({ ...NATIVE, package: '/data/app/**', path: '**/*.dart' }, [APP]),
  ...rules({ paths: ['org-dartlang-sdk:///**'] }, NOISE, WEB),
  ...rules({ modules: ['**/packages/flutter/**'] }, [NOT_APP], WEB),
  ...rules(
    {
      functions: ['stub CallBootstrapNative', 'stub InvokeDartCode'],
      packages: ['**/Frameworks/Flutter.framework/**', '**/Frameworks/FlutterMacOS.framework/**'],
      paths: [
        '**/.pub-cache/**',
        '**/packages/flutter/**',
        'lib/ui/hooks.dart',
        'lib/ui/platform_dispatcher.dart',
        'third_party/dart/sdk/**',
      ],
    },
    [NOT_APP],
    NATIVE,
  ),
  ...rules({ paths: SDK_PACKAGES.map(within) }, NOISE),
  ...rules({ paths: SDK_PACKAGES_IN_STACKS.map(within) }, [NOT_APP]),
];
