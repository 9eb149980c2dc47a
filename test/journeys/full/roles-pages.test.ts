import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRuntime } from '#main/data-dir.ts';
import { createProjectStore } from '#product/projects/store/project-store.ts';
import { SCOPES } from '#protocol/scopes.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { createApiClient } from '../../harness/api-client.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeSampleProfile } from '../../harness/sample-profile.ts';
import { element, replayEnvelope, snapshot, windowSize } from '../../harness/sample-replay.ts';
import { makeSampleTrace } from '../../harness/sample-trace.ts';
import { signIn } from '../../harness/sign-in.ts';
import { type ErrataServer, ROOT, startErrata } from '../../harness/start-errata.ts';
import { scriptWithMap, uploadBundle } from '../../harness/upload-bundle.ts';

const PASSWORD = 'three birds on a wire';
/** A token gives no right that it lacks, so this one has them all. */
const ALL_SCOPES = SCOPES.join(',');
const VERSION = 'web@1.0.0';
const ASKERS = ['viewer', 'member', 'admin', 'manager', 'owner', 'instance_owner'] as const;
type Asker = (typeof ASKERS)[number];

/** As Sentry's clients send one. */
const RULE = {
  name: 'Everything new',
  actionMatch: 'any',
  filterMatch: 'all',
  frequency: 30,
  conditions: [{ id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }],
  filters: [],
  actions: [
    {
      id: 'sentry.mail.actions.NotifyEmailAction',
      targetType: 'IssueOwners',
      fallthroughType: 'ActiveMembers',
    },
  ],
};

/** Pages that lead elsewhere. */
const LEADS_ELSEWHERE = [
  'explore',
  'monitors',
  'profiles',
  'profiles/[project]',
  'projects/[project]/events/[event]',
  'traces',
];

/** Pages that lead who may not use them to the page that they are about, by the lowest role that may. */
const LEADS_BACK: Readonly<Record<string, Asker>> = { 'monitors/uptime/[monitor]/edit': 'admin' };

/** What a page offers, by a text that it shows to the lowest role that may, and to none below. */
const OFFERS: Readonly<Record<string, { needs: Asker; text: string }>> = {
  'issues/[issue]': { needs: 'member', text: 'Resolve' },
  alerts: { needs: 'admin', text: 'Create rule' },
  'alerts/new': { needs: 'admin', text: 'aria-label="Templates"' },
  'alerts/[alert]': { needs: 'admin', text: '>Disable<' },
  'alerts/[alert]/edit': { needs: 'admin', text: 'Save rule' },
  dashboards: { needs: 'member', text: 'Create dashboard' },
  'dashboards/new': { needs: 'member', text: 'Create dashboard' },
  'dashboards/[dashboard]': { needs: 'member', text: 'Add widget' },
  'dashboards/[dashboard]/edit': { needs: 'member', text: '>Save<' },
  'dashboards/[dashboard]/widget': { needs: 'member', text: 'Save widget' },
  'monitors/crons': { needs: 'admin', text: 'Create monitor' },
  'monitors/crons/new': { needs: 'admin', text: '>Create monitor<' },
  'monitors/crons/[monitor]': { needs: 'admin', text: '>Disable<' },
  'monitors/crons/[monitor]/edit': { needs: 'admin', text: '>Save<' },
  'releases/[...version]': { needs: 'member', text: '>Archive<' },
  'projects/new': { needs: 'admin', text: 'get the DSN and setup code' },
  settings: { needs: 'manager', text: 'Save settings' },
  'settings/audit-log': { needs: 'manager', text: 'From (UTC)' },
  'settings/capacity': { needs: 'viewer', text: 'Sampled, limited and dropped' },
  'settings/data-requests': { needs: 'manager', text: 'User IDs' },
  'settings/data-requests/[request]': { needs: 'manager', text: 'Requested by' },
  'settings/destinations': { needs: 'manager', text: 'aria-label="Destination types"' },
  'settings/destinations/new': { needs: 'manager', text: 'aria-label="Destination types"' },
  'settings/destinations/[destination]': { needs: 'manager', text: 'title="Delete Hooks"' },
  'settings/integrations': { needs: 'manager', text: 'Shown in Errata.' },
  'settings/members': { needs: 'manager', text: 'Invite member' },
  'settings/privacy': { needs: 'manager', text: 'Save privacy settings' },
  'settings/quotas': { needs: 'manager', text: 'Save limits' },
  'settings/repositories': { needs: 'manager', text: 'As it appears in commits.' },
  'settings/sharing': { needs: 'manager', text: 'Turn off sharing' },
  'settings/backups': { needs: 'instance_owner', text: 'Save schedule' },
  'settings/storage': { needs: 'instance_owner', text: 'Save retention' },
  'settings/teams': { needs: 'manager', text: 'New team name' },
  'settings/tokens': { needs: 'manager', text: 'New token name' },
  'settings/projects/[project]/alerts': { needs: 'admin', text: 'Create rule' },
  'settings/projects/[project]/code-mappings': {
    needs: 'member',
    text: 'Add the repository of this project first',
  },
  'settings/projects/[project]/filters': { needs: 'admin', text: 'Save filters' },
  'settings/projects/[project]/grouping': { needs: 'admin', text: 'Apply to new events' },
  'settings/projects/[project]/keys': { needs: 'admin', text: 'Create key' },
  'settings/projects/[project]/ownership': { needs: 'admin', text: 'Save ownership rules' },
  'settings/projects/[project]/privacy': { needs: 'admin', text: 'Save privacy settings' },
  'settings/projects/[project]/rate-limits': { needs: 'admin', text: 'Save spike protection' },
  'settings/projects/[project]/source-maps/[bundle]': { needs: 'member', text: 'Apply to stored events' },
};

const folder = path.join(ROOT, 'src/app/[org]');
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'page.tsx')
  .map((file) =>
    path
      .dirname(file)
      .split(path.sep)
      .filter((part) => !/^\(.*\)$/.test(part))
      .join('/'),
  )
  .sort();

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`role × page × status${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  /** Its own: commands of others take the one organization that there is. */
  let server: ErrataServer;
  /** Another organization, that none of them is in. */
  let elsewhere: string;
  let browser: Browser;
  let cookies: Record<Asker, string>;
  let params: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await startErrata();
    const slug = 'roles';
    const dsn = await server.project(slug);
    browser = await launchChromium();
    const event = {
      ...makeJavascriptError({ issue: 1, bytes: 2_000 }),
      event_id: newEventId(),
      release: VERSION,
    };
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    const { url } = server;
    const token = await server.token(ALL_SCOPES);
    const api = createApiClient(url, token);
    const { issue } = await findEvent(api, slug, event.event_id);
    const rule = await api.request('POST', `/api/0/projects/main/${slug}/rules/`, RULE);
    const monitor = await api.request('POST', '/api/0/organizations/main/monitors/', {
      project: slug,
      name: 'Nightly backup',
      config: { schedule_type: 'crontab', schedule: '0 3 * * *' },
    });
    const destination = await api.request('POST', '/api/0/organizations/main/destinations/', {
      kind: 'webhook',
      name: 'Hooks',
      fields: { url: 'https://hooks.example.com/errata' },
    });
    const dataRequest = await api.request('POST', '/api/0/organizations/main/data-requests/', {
      identifiers: [{ kind: 'id', value: '7' }],
    });
    const dashboard = await api.request('POST', '/api/0/organizations/main/dashboards/', { title: slug });
    const uptime = await api.request('POST', `/api/0/projects/main/${slug}/uptime/`, {
      name: slug,
      url: 'https://uptime.invalid/',
      intervalSeconds: 3_600,
      status: 'disabled',
    });
    const trace = makeSampleTrace();
    const profile = makeSampleProfile();
    const replayId = newEventId();
    const startedAt = Date.now() - 60_000;
    const replay = replayEnvelope({
      replayId,
      segmentId: 0,
      startedAt,
      endedAt: startedAt + 30_000,
      events: [windowSize(startedAt), snapshot(startedAt, [], [element('h1')])],
    });
    for (const envelope of [replay, ...profile.envelopes, ...trace.envelopes]) {
      expect((await postEnvelope(parseDsn(dsn), envelope)).status).toBe(200);
    }
    await findEvent(api, slug, trace.errorId);
    params = {
      dashboard: (dashboard.body as { id: string }).id,
      request: (dataRequest.body as { id: string }).id,
      uptime: String((uptime.body as { id: string }).id),
      key: 'id:7',
      module: 'queries',
      trace: trace.traceId,
      profile: profile.profileId,
      profilerId: profile.profilerId,
      replay: replayId,
      project: slug,
      alert: String((rule.body as { id: string }).id),
      monitor: String((monitor.body as { id: string }).id),
      destination: String((destination.body as { id: string | number }).id),
      issue: issue.shortId,
      event: event.event_id,
      '...version': encodeURIComponent(VERSION),
      bundle: await uploadBundle(
        { url, token, api },
        { projects: [slug] },
        scriptWithMap(randomUUID(), '{}'),
      ),
    };
    cookies = { instance_owner: await cookieOf(await signIn(browser, server.url)) } as typeof cookies;
    for (const role of ASKERS.slice(0, -1)) cookies[role] = await join(role);
    await createElsewhere();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  /** Somebody new with the role, over an invitation. */
  async function join(role: Asker): Promise<string> {
    const api = createApiClient(server.url, await server.token(ALL_SCOPES));
    const { status, body } = await api.request('POST', '/api/0/organizations/main/members/', {
      email: `${params.project}-${role}@example.com`,
      orgRole: role,
    });
    expect(status).toBe(201);
    const page = await (await browser.newContext()).newPage();
    await page.goto((body as { invite_link: string }).invite_link);
    await page.getByLabel('Your name').fill(role);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.waitForURL('**/main/issues');
    return cookieOf(page);
  }

  async function cookieOf(page: Awaited<ReturnType<typeof signIn>>): Promise<string> {
    const all = await page.context().cookies();
    await page.context().close();
    return all.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  /** With a project of the same slug. */
  async function createElsewhere(): Promise<void> {
    const database = openPostgres(readRuntime(server.dataDir)!.databaseUrl);
    const projects = createProjectStore(database.db);
    elsewhere = `elsewhere-${params.project}`;
    const { id } = await projects.createOrganization({ slug: elsewhere, name: 'Elsewhere' });
    await projects.createProject({
      organizationId: id,
      slug: params.project ?? '',
      name: 'web',
      platform: null,
      isInternal: false,
    });
    await database.close();
  }

  async function ask(org: string, page: string, cookie: string | null) {
    const filled = page
      .replace('uptime/[monitor]', 'uptime/[uptime]')
      .replace(/\[([^\]]+)\]/g, (_, name: string) => params[name] ?? name);
    const response = await fetch(`${server.url}/${org}/${filled}`, {
      headers: cookie === null ? {} : { cookie },
      redirect: 'manual',
    });
    return { status: response.status, text: await response.text() };
  }

  test.each(pages)('/[org]/%s', async (page) => {
    const offer = OFFERS[page];
    const least = LEADS_BACK[page] ?? 'viewer';
    for (const asker of ASKERS) {
      const isLedBack = ASKERS.indexOf(asker) < ASKERS.indexOf(least);
      const status = LEADS_ELSEWHERE.includes(page) || isLedBack ? 307 : 200;
      const answer = await ask('main', page, cookies[asker]);
      expect([asker, answer.status]).toEqual([asker, status]);
      if (!offer) continue;
      const isOffered = ASKERS.indexOf(asker) >= ASKERS.indexOf(offer.needs);
      expect([asker, answer.text.includes(offer.text)]).toEqual([asker, isOffered]);
    }
    // Of another organization nobody learns more than that there is none.
    expect((await ask(elsewhere, page, cookies.owner)).status).toBe(404);
    expect((await ask('nowhere', page, cookies.owner)).status).toBe(404);
    // Signed out, every page leads to the sign-in page.
    expect((await ask('main', page, null)).status).toBe(307);
  });

  test('every row is of a page', () => {
    const named = [...LEADS_ELSEWHERE, ...Object.keys(LEADS_BACK), ...Object.keys(OFFERS)];
    expect(named.filter((page) => !pages.includes(page))).toEqual([]);
  });
});
