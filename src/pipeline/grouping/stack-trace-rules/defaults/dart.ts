import type { StackTraceRule } from '../rule-types.ts';
import { APP, NOISE, NOT_APP, rule, rules } from './default-rules.ts';

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
