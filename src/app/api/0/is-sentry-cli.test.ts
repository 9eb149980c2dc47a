import { expect, test } from 'vitest';
import { isSentryCli } from './is-sentry-cli.ts';

test.each([
  ['sentry-cli/3.8.0', true],
  ['sentry-cli/2.58.6 esbuild-plugin/5.4.0', true],
  ['sentry-cli/0.45.0 (linux-x64) node/24.21.0', false],
  ['curl/8.5.0', false],
])('%s: %s', (agent, expected) => {
  const request = new Request('http://127.0.0.1/', { headers: { 'user-agent': agent } });
  expect(isSentryCli(request)).toBe(expected);
});
