import { expect, test } from 'vitest';
import type { ActivityType } from '#domain/issues/issue.ts';
import { statusActivityDetails } from './status-activity.tsx';

const commit = { repository: 'acme/web', commit: '9f2c1ab77d00ee' };

test.each<[ActivityType, Record<string, unknown>, string]>([
  ['set_resolved_in_commit', commit, ' in commit 9f2c1ab77d00ee of acme/web'],
  [
    'set_resolved_in_commit',
    { ...commit, version: 'web@2' },
    ' in web@2 with commit 9f2c1ab77d00ee of acme/web',
  ],
  ['set_resolved_in_release', { version: 'web@2' }, ' in web@2'],
  ['set_resolved_in_release', { version: 'web@2', wasNextRelease: true }, ' in web@2 (next release)'],
  [
    'set_resolved_in_release',
    { ...commit, version: 'web@2' },
    ' in web@2, which contains commit 9f2c1ab77d00ee of acme/web',
  ],
  ['set_resolved_in_release', {}, ' in the next release'],
  ['set_resolved_in_release', { inNextRelease: true, after: 'web@2' }, ' in the release after web@2'],
])('%s %j', (type, data, words) => {
  expect(statusActivityDetails({ type, data }, 'UTC')).toBe(words);
});
