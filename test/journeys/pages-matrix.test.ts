import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createApiClient } from '../harness/api-client.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { listenForFaults } from '../harness/listen-for-faults.ts';
import { DESKTOP, faultsOf } from '../harness/page-soundness.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeSampleProfile } from '../harness/sample-profile.ts';
import { deadClick, element, replayEnvelope, snapshot, windowSize } from '../harness/sample-replay.ts';
import { makeSampleTrace } from '../harness/sample-trace.ts';
import { inKib, SCRIPT_BYTES_MAX, watchScripts } from '../harness/script-weight.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';
import { ADMIN, type CliResult, ROOT } from '../harness/start-errata.ts';
import { scriptWithMap, uploadBundle } from '../harness/upload-bundle.ts';

const APP = path.join(ROOT, 'src/app');
const SCOPES =
  'org:read,project:read,project:releases,member:read,member:write,member:admin,event:read,event:write,alerts:write,org:integrations';

type Place = {
  project: string;
  issue: string;
  event: string;
  release: string;
  trace: string;
  profile: string;
  profiler: string;
  replay: string;
  bundle: string;
  alert: string;
  dashboard: string;
  /** Of a cron monitor. */
  monitor: string;
  destination: string;
  uptime: string;
  share: string;
  sharedDashboard: string;
  invitation: string;
  reset: string;
};
type Row = {
  /** An address that the page has. */
  at: (place: Place) => string;
  /** The page that it leads the owner to, as the beginning of its path; absent when it stays. */
  leadsTo?: (place: Place) => string;
  /** 200 when absent. */
  status?: number;
  isSignedOut?: true;
};

/** Of every kind that a public page shows. */
const WIDGETS = (['line', 'table', 'big_number'] as const).map((displayType) => ({
  title: displayType,
  displayType,
  widgetType: 'error-events',
  queries: [{ aggregates: ['count()'], columns: displayType === 'table' ? ['title'] : [], conditions: '' }],
}));

/** As Sentry's clients send one. */
const RULE = {
  name: 'Everything new',
  actionMatch: 'any',
  filterMatch: 'all',
  frequency: 30,
  conditions: [{ id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }],
  filters: [{ id: 'sentry.rules.filters.level.LevelFilter', match: 'gte', level: '40' }],
  actions: [
    {
      id: 'sentry.mail.actions.NotifyEmailAction',
      targetType: 'IssueOwners',
      fallthroughType: 'ActiveMembers',
    },
  ],
};

const own = (page: string) => ({ at: () => page });
const ofProject = (page: string) => ({
  at: ({ project }: Place) => `/main/settings/projects/${project}${page}`,
});
const ofIssue = (page: string) => ({ at: ({ issue }: Place) => `/main/issues/${issue}${page}` });

/**
 * One of each kind: the short run looks at these in a browser, in light, and asks the server alone for the others. The
 * full run looks at every page, in dark and at the width of a phone too.
 */
const LOOKED_AT: readonly string[] = ['/login', '/[org]/issues/[issue]'];

/** Every page of src/app, by its folder without the groups: a new one without a row fails. */
const ROWS: Readonly<Record<string, Row>> = {
  '/': { at: () => '/', leadsTo: () => '/main/issues' },
  '/login': { at: () => '/login', isSignedOut: true },
  '/login/second-step': { at: () => '/login/second-step', leadsTo: () => '/login', isSignedOut: true },
  '/setup': { at: () => '/setup?token=none', isSignedOut: true },
  '/invite/[token]': { at: ({ invitation }) => `/invite/${invitation}`, isSignedOut: true },
  '/reset-password': { at: () => '/reset-password', isSignedOut: true },
  '/reset-password/[token]': { at: ({ reset }) => `/reset-password/${reset}`, isSignedOut: true },
  // With its form: test/journeys/full/feedback.test.ts.
  '/share/feedback/[token]': { at: () => '/share/feedback/none', isSignedOut: true, status: 404 },
  '/share/dashboard/[token]': {
    at: ({ sharedDashboard }) => `/share/dashboard/${sharedDashboard}`,
    isSignedOut: true,
  },
  '/share/issue/[token]': { at: ({ share }) => `/share/issue/${share}`, isSignedOut: true },
  '/status/[slug]': { at: () => '/status/no-such-page', isSignedOut: true, status: 404 },
  '/api/0/docs': { at: () => '/api/0/docs', isSignedOut: true },
  '/docs': { at: () => '/docs?q=source+maps', isSignedOut: true },
  '/docs/[guide]': { at: () => '/docs/search', isSignedOut: true },
  '/i/[issue]': { at: ({ issue }) => `/i/${issue}` },
  '/design': { at: () => '/design', status: 404 },
  '/unsubscribe/[token]/choice': own('/unsubscribe/none/choice'),
  '/account': own('/account'),
  '/account/notifications': own('/account/notifications'),
  '/account/connect': own('/account/connect'),
  '/account/passkeys': own('/account/passkeys'),
  '/account/security': own('/account/security'),
  '/account/sessions': own('/account/sessions'),
  '/account/tokens': own('/account/tokens'),
  '/account/confirm-email/[token]': own('/account/confirm-email/none'),
  '/organizations/new': own('/organizations/new'),
  '/[org]/issues': own('/main/issues'),
  '/[org]/issues/[issue]': ofIssue(''),
  '/[org]/issues/[issue]/activity': ofIssue('/activity'),
  '/[org]/issues/[issue]/attachments': ofIssue('/attachments'),
  '/[org]/issues/[issue]/events': ofIssue('/events'),
  '/[org]/issues/[issue]/events/[event]': {
    at: ({ issue, event }) => `/main/issues/${issue}/events/${event}`,
  },
  '/[org]/issues/[issue]/feedback': ofIssue('/feedback'),
  '/[org]/issues/[issue]/grouping': ofIssue('/grouping'),
  '/[org]/issues/[issue]/similar': ofIssue('/similar'),
  '/[org]/issues/[issue]/tags': ofIssue('/tags'),
  '/[org]/feedback': own('/main/feedback'),
  '/[org]/dashboards': own('/main/dashboards'),
  '/[org]/dashboards/new': own('/main/dashboards/new'),
  '/[org]/dashboards/[dashboard]': { at: ({ dashboard }) => `/main/dashboards/${dashboard}` },
  '/[org]/dashboards/[dashboard]/edit': { at: ({ dashboard }) => `/main/dashboards/${dashboard}/edit` },
  '/[org]/dashboards/[dashboard]/widget': { at: ({ dashboard }) => `/main/dashboards/${dashboard}/widget` },
  '/[org]/replays': own('/main/replays'),
  '/[org]/replays/[replay]': { at: ({ replay }) => `/main/replays/${replay}` },
  '/[org]/projects': own('/main/projects'),
  '/[org]/projects/new': own('/main/projects/new'),
  '/[org]/projects/[project]': { at: ({ project }) => `/main/projects/${project}` },
  '/[org]/projects/[project]/getting-started': {
    at: ({ project }) => `/main/projects/${project}/getting-started`,
  },
  '/[org]/projects/[project]/events/[event]': {
    at: ({ project, event }) => `/main/projects/${project}/events/${event}`,
    leadsTo: ({ issue, event }) => `/main/issues/${issue}/events/${event}`,
  },
  '/[org]/releases': own('/main/releases'),
  '/[org]/releases/[...version]': {
    at: ({ release, project }) => `/main/releases/${release}?project=${project}`,
  },
  '/[org]/explore': { at: () => '/main/explore', leadsTo: () => '/main/explore/errors' },
  '/[org]/explore/errors': own('/main/explore/errors'),
  '/[org]/explore/logs': own('/main/explore/logs'),
  '/[org]/explore/metrics': own('/main/explore/metrics'),
  '/[org]/explore/profiles': own('/main/explore/profiles'),
  '/[org]/explore/traces': own('/main/explore/traces'),
  '/[org]/profiles': { at: () => '/main/profiles', leadsTo: () => '/main/explore/profiles' },
  '/[org]/profiles/[project]': {
    at: ({ project }) => `/main/profiles/${project}`,
    leadsTo: () => '/main/explore/profiles',
  },
  '/[org]/profiles/[project]/[profile]': {
    at: ({ project, profile }) => `/main/profiles/${project}/${profile}`,
  },
  '/[org]/profiles/[project]/continuous/[profilerId]': {
    at: ({ project, profiler }) => `/main/profiles/${project}/continuous/${profiler}`,
  },
  '/[org]/profiles/[project]/merged': {
    at: ({ project }) =>
      `/main/profiles/${project}/merged?transaction=${encodeURIComponent('POST /checkout')}`,
  },
  '/[org]/profiles/[project]/compare': {
    at: ({ project }) => `/main/profiles/${project}/compare?before=*&after=shop@1.0.0`,
  },
  '/[org]/performance': own('/main/performance'),
  '/[org]/performance/web-vitals': own('/main/performance/web-vitals'),
  '/[org]/performance/[module]': own('/main/performance/queries'),
  '/[org]/performance/transactions/[project]': {
    at: ({ project }) => `/main/performance/transactions/${project}?transaction=GET%20%2Fcart`,
  },
  '/[org]/traces': { at: () => '/main/traces', leadsTo: () => '/main/explore/traces' },
  '/[org]/traces/[trace]': { at: ({ trace }) => `/main/traces/${trace}` },
  '/[org]/users': own('/main/users'),
  '/[org]/users/[key]': own('/main/users/id%3A42'),
  '/[org]/stats': own('/main/stats'),
  '/[org]/overview': own('/main/overview'),
  '/[org]/alerts': own('/main/alerts'),
  '/[org]/alerts/new': own('/main/alerts/new?template=crash-free'),
  '/[org]/alerts/[alert]': { at: ({ alert }) => `/main/alerts/${alert}` },
  '/[org]/alerts/[alert]/edit': { at: ({ alert }) => `/main/alerts/${alert}/edit` },
  '/[org]/monitors': own('/main/monitors'),
  '/[org]/monitors/crons': own('/main/monitors/crons'),
  '/[org]/monitors/crons/new': own('/main/monitors/crons/new'),
  '/[org]/monitors/crons/[monitor]': { at: ({ monitor }) => `/main/monitors/crons/${monitor}` },
  '/[org]/monitors/crons/[monitor]/edit': { at: ({ monitor }) => `/main/monitors/crons/${monitor}/edit` },
  '/[org]/settings': own('/main/settings'),
  '/[org]/settings/audit-log': own('/main/settings/audit-log'),
  '/[org]/settings/capacity': own('/main/settings/capacity'),
  '/[org]/settings/data-requests': own('/main/settings/data-requests'),
  // With a request: test/journeys/full/data-requests.test.ts.
  '/[org]/settings/data-requests/[request]': { at: () => '/main/settings/data-requests/999999', status: 404 },
  '/[org]/settings/auth': own('/main/settings/auth'),
  '/[org]/settings/integrations': own('/main/settings/integrations'),
  '/[org]/monitors/uptime': own('/main/monitors/uptime'),
  '/[org]/monitors/uptime/new': own('/main/monitors/uptime/new'),
  '/[org]/monitors/uptime/status-page': own('/main/monitors/uptime/status-page'),
  '/[org]/monitors/uptime/[monitor]': { at: ({ uptime }) => `/main/monitors/uptime/${uptime}` },
  '/[org]/monitors/uptime/[monitor]/edit': { at: ({ uptime }) => `/main/monitors/uptime/${uptime}/edit` },
  '/[org]/settings/destinations': own('/main/settings/destinations'),
  '/[org]/settings/destinations/new': own('/main/settings/destinations/new?kind=telegram'),
  '/[org]/settings/destinations/[destination]': {
    at: ({ destination }) => `/main/settings/destinations/${destination}`,
  },
  '/[org]/settings/backups': own('/main/settings/backups'),
  '/[org]/settings/members': own('/main/settings/members'),
  '/[org]/settings/privacy': own('/main/settings/privacy'),
  '/[org]/settings/projects': own('/main/settings/projects'),
  '/[org]/settings/quotas': own('/main/settings/quotas'),
  '/[org]/settings/repositories': own('/main/settings/repositories'),
  '/[org]/settings/sharing': own('/main/settings/sharing'),
  '/[org]/settings/storage': own('/main/settings/storage'),
  '/[org]/settings/teams': own('/main/settings/teams'),
  '/[org]/settings/tokens': own('/main/settings/tokens'),
  '/[org]/settings/projects/[project]': ofProject(''),
  '/[org]/settings/projects/[project]/alerts': ofProject('/alerts'),
  '/[org]/settings/projects/[project]/code-mappings': ofProject('/code-mappings'),
  '/[org]/settings/projects/[project]/discarded': ofProject('/discarded'),
  '/[org]/settings/projects/[project]/filters': ofProject('/filters'),
  '/[org]/settings/projects/[project]/grouping': ofProject('/grouping'),
  '/[org]/settings/projects/[project]/keys': ofProject('/keys'),
  '/[org]/settings/projects/[project]/ownership': ofProject('/ownership'),
  '/[org]/settings/projects/[project]/feedback': ofProject('/feedback'),
  '/[org]/settings/projects/[project]/performance-issues': ofProject('/performance-issues'),
  '/[org]/settings/projects/[project]/privacy': ofProject('/privacy'),
  '/[org]/settings/projects/[project]/rate-limits': ofProject('/rate-limits'),
  '/[org]/settings/projects/[project]/source-maps': ofProject('/source-maps'),
  '/[org]/settings/projects/[project]/source-maps/[bundle]': {
    at: ({ project, bundle }) => `/main/settings/projects/${project}/source-maps/${bundle}`,
  },
  '/[org]/settings/projects/[project]/source-maps/how-to': ofProject('/source-maps/how-to'),
  '/[org]/settings/projects/[project]/source-maps/mappings': ofProject('/source-maps/mappings'),
  '/[org]/settings/projects/[project]/source-maps/debug-files': ofProject('/source-maps/debug-files'),
};

test('every page has a row, and every row a page', () => {
  expect(listPages().sort()).toEqual(Object.keys(ROWS).sort());
  expect(LOOKED_AT.filter((page) => !(page in ROWS))).toEqual([]);
});

let url: string;
let place: Place;
beforeAll(async () => {
  const { errata, dsn, slug } = await makeProject('matrix');
  ({ url } = errata);
  const token = await errata.token(SCOPES);
  const api = createApiClient(url, token);
  const event = makeJavascriptError({ issue: 1, bytes: 4_000 });
  expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
  const replayId = newEventId();
  const startedAt = Date.now() - 60_000;
  const replay = replayEnvelope({
    replayId,
    segmentId: 0,
    startedAt,
    endedAt: startedAt + 30_000,
    events: [
      windowSize(startedAt),
      snapshot(startedAt, [], [element('h1')]),
      deadClick(startedAt + 9_000, 6),
    ],
  });
  const trace = makeSampleTrace();
  const profile = makeSampleProfile();
  for (const envelope of [replay, ...profile.envelopes, ...trace.envelopes]) {
    expect((await postEnvelope(parseDsn(dsn), envelope)).status).toBe(200);
  }
  await findEvent(api, slug, trace.errorId);
  const { issue } = await findEvent(api, slug, event.event_id);
  const shared = await api.request('POST', `/api/0/issues/${issue.id}/share/`, {});
  const invited = await api.request('POST', '/api/0/organizations/main/members/', {
    email: `${slug}@example.com`,
    orgRole: 'member',
  });
  const rule = await api.request('POST', `/api/0/projects/main/${slug}/rules/`, RULE);
  const dashboard = await api.request('POST', '/api/0/organizations/main/dashboards/', {
    title: slug,
    projects: [Number(issue.project.id)],
    widgets: WIDGETS,
  });
  const sharedDashboard = await api.request(
    'POST',
    `/api/0/organizations/main/dashboards/${(dashboard.body as { id: string }).id}/share/`,
    {},
  );
  const monitor = await api.request('POST', '/api/0/organizations/main/monitors/', {
    project: slug,
    name: 'Nightly backup',
    config: { schedule_type: 'crontab', schedule: '0 3 * * *' },
  });
  const destination = await api.request('POST', '/api/0/organizations/main/destinations/', {
    kind: 'webhook',
    name: slug,
    fields: { url: 'https://hooks.example.com/errata' },
  });
  const uptime = await api.request('POST', `/api/0/projects/main/${slug}/uptime/`, {
    name: slug,
    url: 'https://uptime.invalid/',
    intervalSeconds: 3_600,
    status: 'disabled',
  });
  place = {
    uptime: String((uptime.body as { id: string }).id),
    project: slug,
    issue: issue.shortId,
    event: event.event_id,
    release: 'shop-web@4.11.2',
    trace: trace.traceId,
    profile: profile.profileId,
    profiler: profile.profilerId,
    replay: replayId,
    bundle: await uploadBundle({ url, token, api }, { projects: [slug] }, scriptWithMap(randomUUID(), '{}')),
    alert: String((rule.body as { id: string }).id),
    dashboard: (dashboard.body as { id: string }).id,
    monitor: String((monitor.body as { id: string }).id),
    destination: String((destination.body as { id: string | number }).id),
    sharedDashboard: (sharedDashboard.body as { url: string }).url.split('/').at(-1) ?? 'none',
    share: (shared.body as { shareId: string }).shareId,
    invitation: (invited.body as { invite_link?: string }).invite_link?.split('/').at(-1) ?? 'none',
    reset: resetToken(await errata.cli(['user', 'reset-password', ADMIN.email])),
  };
});

// Where the browser looks at a page, the server was asked for it.
const asked = IS_FULL ? [] : Object.entries(ROWS).filter(([page]) => !LOOKED_AT.includes(page));
// The server waits for its stores half of the time.
test.concurrent.each(asked)('%s is answered', async (_, row) => {
  const headers: Record<string, string> = row.isSignedOut ? {} : { cookie: inject('errata').ownerCookies };
  const answer = await fetch(`${url}${row.at(place)}`, { headers });
  expect(answer.status).toBe(row.status ?? 200);
  const { pathname } = new URL(answer.url);
  expect(pathname.startsWith(decodeURI(row.leadsTo?.(place) ?? pathname))).toBe(true);
  if (row.status === undefined) expect(await answer.text()).toContain('<h1');
});

const hasBrowser = findChromium() !== null;
const looked = Object.entries(ROWS).filter(([page]) => IS_FULL || LOOKED_AT.includes(page));

describe.skipIf(!hasBrowser)(`a page in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let signedIn: Page;
  let signedOut: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    signedIn = await openAsOwner(browser);
    signedOut = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    await signedIn.emulateMedia({ reducedMotion: 'reduce' });
  });
  afterAll(async () => browser?.close());

  test.each(looked)('%s', async (_, row) => {
    const page = row.isSignedOut ? signedOut : signedIn;
    const found: string[] = [];
    const { origin } = new URL(url);
    const stop = listenForFaults(page, (what) => found.push(what), origin);
    const weighScripts = row.status === undefined ? watchScripts(page) : null;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
    const answer = await page.goto(`${url}${row.at(place)}`);
    expect(answer?.status()).toBe(row.status ?? 200);
    const { pathname } = new URL(page.url());
    expect(pathname.startsWith(decodeURI(row.leadsTo?.(place) ?? pathname))).toBe(true);
    if (weighScripts) {
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      // In the full run in dark, too.
      found.push(...(await faultsOf(page, IS_FULL)));
      const scriptBytes = await weighScripts();
      if (scriptBytes > SCRIPT_BYTES_MAX) found.push(`loads ${inKib(scriptBytes)} KB of script`);
    }
    stop();
    expect(found).toEqual([]);
  });
});

const resetToken = ({ stdout }: CliResult): string => /reset-password\/(\S+)/.exec(stdout)?.[1] ?? 'none';

/** `/[org]/issues` for `[org]/issues/(stream)/page.tsx`. */
function listPages(): string[] {
  return readdirSync(APP, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep))
    .filter((segments) => segments.at(-1) === 'page.tsx')
    .map(
      (segments) =>
        `/${segments
          .slice(0, -1)
          .filter((segment) => !segment.startsWith('('))
          .join('/')}`,
    );
}
