/** SDKs of one language; what follows the language in their names is a framework. */
const LANGUAGES: ReadonlySet<string> = new Set([
  'cocoa',
  'dart',
  'dotnet',
  'elixir',
  'go',
  'java',
  'kubernetes',
  'lua',
  'objc',
  'perl',
  'php',
  'python',
  'ruby',
  'rust',
  'swift',
]);

/** SDKs whose framework stays in their name. */
const FRAMEWORKS: ReadonlySet<string> = new Set([
  ...[
    'angular',
    'browser',
    'capacitor',
    'cordova',
    'deno',
    'electron',
    'ember',
    'gatsby',
    'miniapp',
    'nextjs',
    'node',
    'node.experimental',
    'node.hapi',
    'raycast',
    'react',
    'react.native',
    'remix',
    'serverless',
    'sfcc',
    'svelte',
    'sveltekit',
    'vue',
  ].map((name) => `javascript.${name}`),
  ...['android', 'dotnet', 'unity', 'unreal'].map((name) => `native.${name}`),
]);

/** Older and other names of the same SDKs. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  android: 'native.android',
  electron: 'javascript.electron',
  'javascript.angular.ivy': 'javascript.angular',
  'javascript.react.expo': 'javascript.react',
  'javascript.react.native.expo': 'javascript.react.native',
  laravel: 'php',
  react: 'javascript.react',
  symfony: 'php',
  unity: 'native.unity',
};

const OTHER = 'other';

/**
 * The SDK as rules name it: `sentry.python` for `sentry.python.django`, `sentry.javascript.nextjs` as it is, and `other`
 * for what is none of Sentry's.
 */
export function sdkFamily(name: string | null): string {
  if (name === null || !name.startsWith('sentry')) return OTHER;
  const dotted = name.replace(/[\W_]+/g, '.');
  if (dotted === 'sentrydotnet') return 'sentry.dotnet';
  if (!dotted.startsWith('sentry.')) return OTHER;
  const written = dotted.slice('sentry.'.length);
  const known = OTHER_NAMES[written] ?? written;
  const [language = '', framework] = known.split('.');
  if (language === 'javascript') return FRAMEWORKS.has(known) ? `sentry.${known}` : OTHER;
  if (language !== 'native') return LANGUAGES.has(language) ? `sentry.${language}` : OTHER;
  return FRAMEWORKS.has(`native.${framework}`) ? `sentry.native.${framework}` : OTHER;
}
