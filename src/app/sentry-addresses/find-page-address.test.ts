import { expect, test } from 'vitest';
import { findPageAddress } from './find-page-address.ts';

test.each([
  ['/organizations/acme/', '/acme/issues'],
  ['/organizations/acme/issues/', '/acme/issues'],
  [
    '/organizations/acme/issues/?query=is%3Aunresolved&project=1',
    '/acme/issues?query=is%3Aunresolved&project=1',
  ],
  ['/organizations/acme/issues/4711/', '/acme/issues/4711'],
  ['/organizations/acme/issues/4711', '/acme/issues/4711'],
  ['/organizations/acme/issues/WEB-3F/?referrer=slack', '/acme/issues/WEB-3F?referrer=slack'],
  ['/organizations/acme/issues/4711/events/latest/', '/acme/issues/4711/events/latest'],
  ['/organizations/acme/issues/4711/events/', '/acme/issues/4711/events'],
  ['/organizations/acme/issues/4711/tags/browser/', '/acme/issues/4711/tags'],
  ['/organizations/acme/issues/4711/distributions/', '/acme/issues/4711/tags'],
  ['/organizations/acme/issues/4711/merged/', '/acme/issues/4711/grouping'],
  ['/organizations/acme/issues/4711/replays/', '/acme/issues/4711'],
  ['/organizations/acme/issues/views/12/', '/acme/issues'],
  ['/organizations/acme/releases/', '/acme/releases'],
  ['/organizations/acme/releases/web%402.1.0%2B7/commits/', '/acme/releases/web%402.1.0%2B7?tab=commits'],
  ['/organizations/acme/projects/', '/acme/projects'],
  ['/organizations/acme/projects/web/', '/acme/projects/web'],
  ['/organizations/acme/projects/web/getting-started/', '/acme/projects/web/getting-started'],
  ['/organizations/acme/discover/results/?query=level%3Aerror', '/acme/explore/errors?query=level%3Aerror'],
  [
    '/organizations/acme/discover/web:0123456789abcdef0123456789abcdef/',
    '/acme/projects/web/events/0123456789abcdef0123456789abcdef',
  ],
  ['/organizations/acme/stats/issues/', '/acme/stats'],
  ['/organizations/acme/explore/logs/', '/acme/explore/logs'],
  ['/organizations/acme/members/', '/acme/settings/members'],
  ['/organizations/acme/alerts/', '/acme/alerts'],
  ['/organizations/acme/alerts/rules/?project=1', '/acme/alerts?project=1'],
  ['/organizations/acme/alerts/rules/details/12/?alert=3', '/acme/alerts/12?alert=3'],
  ['/organizations/acme/issues/alerts/rules/details/12/', '/acme/alerts/12'],
  ['/organizations/acme/alerts/rules/web/12/details/', '/acme/alerts/12'],
  ['/organizations/acme/alerts/rules/web/12/', '/acme/alerts/12/edit'],
  ['/organizations/acme/alerts/metric-rules/web/12/', '/acme/alerts/12/edit'],
  ['/organizations/acme/alerts/rules/uptime/web/5/details/', '/acme/alerts'],
  ['/organizations/acme/alerts/rules/crons/web/nightly/details/', '/acme/monitors/crons'],
  ['/organizations/acme/alerts/wizard/', '/acme/alerts/new'],
  ['/organizations/acme/alerts/new/metric/?project=web', '/acme/alerts/new?template=events&project=web'],
  ['/organizations/acme/alerts/web/wizard/', '/acme/alerts/new?project=web'],
  ['/organizations/acme/alerts/4711/', '/acme/alerts'],
  ['/organizations/acme/monitors/alerts/7/', '/acme/alerts'],
  ['/settings/acme/', '/acme/settings'],
  ['/settings/acme/projects/', '/acme/settings/projects'],
  ['/settings/acme/projects/web/', '/acme/settings/projects/web'],
  ['/settings/acme/projects/web/keys/', '/acme/settings/projects/web/keys'],
  ['/settings/acme/projects/web/alerts/', '/acme/settings/projects/web/alerts'],
  ['/settings/acme/projects/web/keys/5', '/acme/settings/projects/web/keys'],
  ['/settings/acme/repos/', '/acme/settings/repositories'],
  ['/settings/acme/integrations/', '/acme/settings/integrations'],
  ['/settings/acme/projects/web/source-maps/artifact-bundles/', '/acme/settings/projects/web/source-maps'],
  ['/settings/acme/projects/web/proguard/', '/acme/settings/projects/web/source-maps'],
  ['/settings/acme/projects/web/security-and-privacy/', '/acme/settings/projects/web/privacy'],
  ['/settings/acme/projects/web/filters/discarded-groups/', '/acme/settings/projects/web/discarded'],
  ['/settings/acme/projects/web/install/', '/acme/projects/web/getting-started'],
  ['/settings/acme/audit-log/', '/acme/settings/audit-log'],
  ['/settings/acme/auth-tokens/new-token/', '/acme/settings/tokens'],
  ['/settings/account/details/', '/account'],
  ['/settings/account/security/session-history/', '/account/sessions'],
  ['/settings/account/security/mfa/1/', '/account/security'],
  ['/settings/account/api/auth-tokens/', '/account/tokens'],
  ['/settings/account/notifications/alerts/', '/account/notifications'],
  ['/acme/web/issues/4711/', '/acme/issues/4711'],
  ['/acme/web/issues/4711/events/abc/', '/acme/issues/4711/events/abc'],
  ['/acme/web/issues/?query=x', '/acme/issues?project=web&query=x'],
  ['/acme/web/settings/keys/', '/acme/settings/projects/web/keys'],
  [
    '/acme/web/events/0123456789abcdef0123456789abcdef',
    '/acme/projects/web/events/0123456789abcdef0123456789abcdef',
  ],
])('%s is %s here', (asked, found) => {
  expect(findPageAddress(asked)).toBe(found);
});

test.each([
  '/',
  '/login',
  '/acme/issues/WEB-3F',
  '/acme/issues/WEB-3F/events/abc',
  '/acme/projects/issues',
  '/acme/projects/web/events/0123456789abcdef0123456789abcdef',
  '/acme/settings/projects/web/keys',
  '/acme/releases/a/issues/b',
  '/api/0/issues/1/',
  '/api/1/envelope/',
  '/share/issue/abc',
  '/_next/static/issues/x.js',
  '/organizations/new/',
  '/organizations/',
  '/organizations//evil.example/issues/',
  '/settings/\\evil.example/',
  '//evil.example/issues/1',
])('%s stays', (asked) => {
  expect(findPageAddress(asked)).toBeNull();
});

test('nobody is led to another host, and no page here is an address that leads on', () => {
  for (const asked of [
    '/organizations/acme//evil.example',
    '/acme/web/issues/%5C%5Cevil.example',
    '/organizations/acme/..%2f..%2f/x',
  ]) {
    const found = findPageAddress(asked);
    if (found === null) continue;
    expect(new URL(found, 'https://errata.example').host).toBe('errata.example');
    expect(findPageAddress(found)).toBeNull();
  }
});
