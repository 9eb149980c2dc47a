import { ALERTS } from './reference/alerts.ts';
import { ISSUES } from './reference/issues.ts';
import { ORGANIZATIONS } from './reference/organizations.ts';
import { PEOPLE } from './reference/people.ts';
import { PROJECTS } from './reference/projects.ts';
import type { ReferenceOperation } from './reference/reference-operation.ts';
import { RELEASES } from './reference/releases.ts';
import { TELEMETRY } from './reference/telemetry.ts';

/**
 * Operations of the public reference for what Errata has, by method and path: facts of https://docs.sentry.io/api/ as it
 * was in 2026. What Errata has nothing of (dashboards, integrations of Sentry's own, SCIM …) is left out; docs/api.md
 * names it.
 */
export const REFERENCE: Readonly<Record<string, ReferenceOperation>> = {
  ...ORGANIZATIONS,
  ...PEOPLE,
  ...PROJECTS,
  ...ISSUES,
  ...RELEASES,
  ...TELEMETRY,
  ...ALERTS,
};

/** Operations that Errata does not have yet, with the reason. */
export const NOT_COVERED: Readonly<Record<string, string>> = {
  'GET organizations/{org}/config/integrations/': 'nothing is installed: a tracker is an address and a token',
  'GET organizations/{org}/integrations/': 'trackers have addresses of their own',
  'GET organizations/{org}/integrations/{integration}/': 'trackers have addresses of their own',
  'DELETE organizations/{org}/integrations/{integration}/': 'trackers have addresses of their own',
  'PUT projects/{org}/{project}/environments/{environment}/': 'environments cannot be hidden',
  'GET organizations/{org}/replay-selectors/': 'clicks are not read out of recordings',
  'GET projects/{org}/{project}/replays/{replay}/clicks/': 'clicks are not read out of recordings',
  'GET projects/{org}/{project}/replays/{replay}/viewed-by/': 'who looked is not kept',
  'GET projects/{org}/{project}/users/': 'users are values of events: /tags/user/values/ lists them',
  'POST projects/{org}/{project}/user-feedback/': 'feedback is sent with a DSN, not with a token',
};
