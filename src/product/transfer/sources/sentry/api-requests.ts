import { SECOND_MS } from '#lib/time.ts';
import type { SentryRequest } from './sentry-api.ts';

/** Sentry allows 60 of these a minute. Source: https://docs.sentry.io/api/events/list-a-projects-error-events/ */
const FULL_EVENTS_GAP_MS = SECOND_MS;

/** What is requested of one organization, each with the scope that the token needs for it. */
export const requestsOf = (organization: string) => {
  const org = `/organizations/${encodeURIComponent(organization)}`;
  const projects = `/projects/${encodeURIComponent(organization)}`;
  const ofProject = (slug: string, path: string) => `${projects}/${encodeURIComponent(slug)}/${path}/`;
  const get = (path: string, scope: string, query?: Readonly<Record<string, string>>): SentryRequest => ({
    path,
    scope,
    ...(query ? { query } : {}),
  });
  return {
    organization: get(`${org}/`, 'org:read', { detailed: '0' }),
    members: get(`${org}/members/`, 'member:read'),
    teams: get(`${org}/teams/`, 'team:read', { detailed: '0' }),
    projects: get(`${org}/projects/`, 'project:read'),
    keys: (slug: string) => get(ofProject(slug, 'keys'), 'project:read'),
    project: (slug: string) => get(`${projects}/${encodeURIComponent(slug)}/`, 'project:read'),
    ownership: (slug: string) => get(ofProject(slug, 'ownership'), 'project:read'),
    environments: (slug: string) => get(ofProject(slug, 'environments'), 'project:read'),
    releases: get(`${org}/releases/`, 'project:releases', { status: '' }),
    commits: (version: string) =>
      get(`${org}/releases/${encodeURIComponent(version)}/commits/`, 'project:releases'),
    deploys: (version: string) =>
      get(`${org}/releases/${encodeURIComponent(version)}/deploys/`, 'project:releases'),
    events: (slug: string): SentryRequest => ({
      ...get(ofProject(slug, 'events'), 'event:read', { full: '1' }),
      minGapMs: FULL_EVENTS_GAP_MS,
    }),
    issues: (projectId: string) =>
      get(`${org}/issues/`, 'event:read', {
        query: '',
        project: projectId,
        statsPeriod: '',
        sort: 'new',
        limit: '100',
      }),
    /** Under the organization, and where servers had them before. */
    activities: (issueId: string) =>
      [`${org}/issues`, '/issues'].map((place) =>
        get(`${place}/${encodeURIComponent(issueId)}/activities/`, 'event:read'),
      ),
    rules: (slug: string) => get(ofProject(slug, 'rules'), 'alerts:read'),
    metricRules: get(`${org}/alert-rules/`, 'alerts:read'),
    searches: get(`${org}/searches/`, 'org:read'),
    monitors: get(`${org}/monitors/`, 'project:read'),
    uptime: get(`${org}/uptime/`, 'alerts:read'),
    dashboards: get(`${org}/dashboards/`, 'org:read'),
    dashboard: (id: string) => get(`${org}/dashboards/${encodeURIComponent(id)}/`, 'org:read'),
  };
};

export type SentryRequests = ReturnType<typeof requestsOf>;
