import { expect, test } from 'vitest';
import { sdkFamily } from './sdk-family.ts';

test.each([
  ['sentry.python', 'sentry.python'],
  ['sentry.python.django', 'sentry.python'],
  ['sentry-ruby', 'sentry.ruby'],
  ['sentry.javascript.nextjs', 'sentry.javascript.nextjs'],
  ['sentry.javascript.react.expo', 'sentry.javascript.react'],
  ['sentry.javascript.unheard', 'other'],
  ['sentry.native.android.capture', 'sentry.native.android'],
  ['sentry.unity', 'sentry.native.unity'],
  ['sentrydotnet', 'sentry.dotnet'],
  ['raven-python', 'other'],
  ['sentry.cobol', 'other'],
  [null, 'other'],
])('%s is of %s', (name, family) => {
  expect(sdkFamily(name)).toBe(family);
});
