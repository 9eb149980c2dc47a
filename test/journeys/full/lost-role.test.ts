import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { signIn } from '../../harness/sign-in.ts';
import { startErrata } from '../../harness/start-errata.ts';

type Sent = { what: string; url: string; headers: Record<string, string>; body: Buffer };

const ACTION_HEADERS = ['next-action', 'next-router-state-tree', 'content-type', 'accept'];
const SCOPES = 'org:write,project:admin,event:admin,team:admin';

test('whatever a page has sent for an owner does nothing once they are a viewer', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  await using server = await startErrata();
  const api = createApiClient(server.url, await server.token(SCOPES));
  const dsn = parseDsn(await server.project('web'));
  const event = { event_id: newEventId(), exception: { values: [{ type: 'E', value: 'broken' }] } };
  await postEnvelope(dsn, eventEnvelope(event));
  const { issue } = await findEvent(api, 'web', event.event_id);
  await using browser = await launchChromium();
  const page = await signIn(browser, server.url);

  await keepingScreenshot(page, 'lost-role', async () => {
    const sent = await act(page, server.url, issue.shortId);
    expect(sent.map(({ what }) => what)).toEqual(Object.keys(ACTS));
    // All of it is taken back by other ways, so that any request that still counts would show.
    await takeBack(server.dataDir, api, issue.id);
    const before = await readState(api, issue.id);
    await setRole(server.dataDir, 'viewer');
    for (const { what, url, headers, body } of sent) {
      const answer = await page.context().request.fetch(url, { method: 'POST', headers, data: body });
      expect([what, answer.status() < 500]).toEqual([what, true]);
      expect([what, await readState(api, issue.id)]).toEqual([what, before]);
    }
    // The requests themselves were right: with the role they count again.
    await setRole(server.dataDir, 'owner');
    for (const { url, headers, body } of sent) {
      await page.context().request.fetch(url, { method: 'POST', headers, data: body });
    }
    const after = await readState(api, issue.id);
    const changed = Object.keys(after).filter(
      (part) => JSON.stringify(Reflect.get(after, part)) !== JSON.stringify(Reflect.get(before, part)),
    );
    expect(changed).toEqual(Object.keys(before));
  });
});

type Act = (page: Page, places: { settings: string; issue: string; org: string }) => Promise<unknown>;

/** What an owner does in the browser; each sends one action. */
const ACTS: Readonly<Record<string, Act>> = {
  'save filters': async (page, { settings }) => {
    await page.goto(`${settings}/filters`);
    await page.getByLabel('Localhost').check();
    await page.getByRole('button', { name: 'Save filters' }).click();
  },
  'save ownership rules': async (page, { settings }) => {
    await page.goto(`${settings}/ownership`);
    await page.getByLabel('Rules, one per line').fill('src/nobody/*');
    await page.getByRole('button', { name: 'Save ownership rules' }).click();
  },
  'apply grouping rules': async (page, { settings }) => {
    await page.goto(`${settings}/grouping`);
    await page.getByLabel('Fingerprint rules').fill('error.type:E -> e');
    await page.getByRole('button', { name: 'Apply to new events' }).click();
  },
  'save spike protection': async (page, { settings }) => {
    await page.goto(`${settings}/rate-limits`);
    await page.getByLabel('Threshold, events per issue per hour').fill('77');
    await page.getByRole('button', { name: 'Save spike protection' }).click();
  },
  'create a key': async (page, { settings }) => {
    await page.goto(`${settings}/keys`);
    await page.getByLabel('New key name').fill('Another');
    await page.getByRole('button', { name: 'Create key' }).click();
  },
  'create a team': async (page, { org }) => {
    await page.goto(`${org}/settings/teams`);
    await page.getByLabel('New team name').fill('Shop');
    await page.getByRole('button', { name: 'Create team' }).click();
  },
  'resolve an issue': async (page, { issue }) => {
    await page.goto(issue);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  },
};

/** Does everything and answers what the browser has sent for it. */
async function act(page: Page, url: string, shortId: string): Promise<readonly Sent[]> {
  const places = {
    settings: `${url}/main/settings/projects/web`,
    issue: `${url}/main/issues/${shortId}`,
    org: `${url}/main`,
  };
  const sent: Sent[] = [];
  for (const [what, run] of Object.entries(ACTS)) {
    const isAction = (request: Request) =>
      request.method() === 'POST' && request.headers()['next-action'] !== undefined;
    const [request] = await Promise.all([page.waitForRequest(isAction), run(page, places)]);
    await request.response();
    const all = await request.allHeaders();
    const headers = Object.fromEntries(
      ACTION_HEADERS.flatMap((name) => (all[name] ? [[name, all[name]]] : [])),
    );
    const body = request.postDataBuffer();
    expect([what, body === null]).toEqual([what, false]);
    sent.push({ what, url: request.url(), headers: { ...headers, origin: url }, body: body! });
  }
  return sent;
}

const PROJECT = '/api/0/projects/main/web';

async function takeBack(dataDir: string, api: ApiClient, issueId: string): Promise<void> {
  const put = async (address: string, body: object) => {
    const { status } = await api.request('PUT', address, body);
    expect([address, status < 300]).toEqual([address, true]);
  };
  await put(`${PROJECT}/filters/localhost/`, { active: false });
  // A later version would be a reason of its own to refuse the earlier edit.
  await execute(dataDir, 'DELETE FROM ownership_rules');
  await execute(dataDir, 'DELETE FROM grouping_rules');
  await put(`${PROJECT}/rate-limits/`, { spikeProtection: { isEnabled: true, bodiesPerHour: 1_000 } });
  await put(`/api/0/issues/${issueId}/`, { status: 'unresolved' });
  expect((await api.request('DELETE', '/api/0/teams/main/shop/')).status).toBe(204);
}

/** Everything that the acts change, each as one part. */
async function readState(api: ApiClient, issueId: string) {
  type Filter = { id: string; active: unknown };
  const [filters, ownership, rules, spike, keys, teams, issue] = await Promise.all([
    api.get<Filter[]>(`${PROJECT}/filters/`),
    api.get<{ raw: string }>(`${PROJECT}/ownership/`),
    api.get<{ fingerprint: string }>(`${PROJECT}/grouping-rules/`),
    api.get<object>(`${PROJECT}/rate-limits/`),
    api.get<object[]>(`${PROJECT}/keys/`),
    api.get<object[]>('/api/0/organizations/main/teams/'),
    api.get<{ status: string }>(`/api/0/issues/${issueId}/`),
  ]);
  return {
    filters: filters.map(({ id, active }) => [id, active] as const),
    ownership: ownership.raw,
    rules: rules.fingerprint,
    spike,
    keys: keys.length,
    teams: teams.length,
    issue: issue.status,
  };
}

/** As if somebody had changed it a moment ago; the only owner cannot give the role away. */
const setRole = (dataDir: string, role: 'owner' | 'viewer'): Promise<void> =>
  execute(dataDir, `UPDATE memberships SET role = '${role}'`);

async function execute(dataDir: string, statement: string): Promise<void> {
  const { databaseUrl } = JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')) as {
    databaseUrl: string;
  };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
