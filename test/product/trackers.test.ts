import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { Organization } from '#domain/projects.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import { listLinks } from '#product/issue-links/issue-links.ts';
import type { Services } from '#product/services.ts';
import {
  createTrackerIssue,
  draftTrackerIssue,
  findTrackerIssues,
  linkTrackerIssue,
  listTrackerProjects,
} from '#product/trackers/link-tracker-issue.ts';
import { refreshTrackerLinks } from '#product/trackers/refresh-tracker-links.ts';
import type { TrackerKind } from '#product/trackers/tracker-kinds.ts';
import {
  connectTracker,
  disconnectTracker,
  listTrackers,
  setHookSecret,
  updateTracker,
} from '#product/trackers/trackers.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { FAKE_TOKEN, FAKE_TRACKERS, type FakeTracker, fakeGithub } from '../harness/fake-trackers.ts';
import { testInFull } from '../harness/is-full.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let services: Services;
let organization: Organization;
let manager: Joined;
let issue: Issue;
const trackers: FakeTracker[] = [];

beforeAll(async () => {
  product = await openProduct();
  services = servicesOf(product);
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  product.clock.nowMs = NOON_MS;
  organization = await product.createOrganization();
  const web = await product.createProject(organization, 'web');
  manager = await product.join(organization, 'manager');
  await product.ingest(organization, [{ projectId: web.id, title: 'TypeError: ``` @everyone' }]);
  issue = (await product.stores.issues.findByShortId(organization.id, 'WEB-1'))!;
});
afterEach(async () => {
  for (const tracker of trackers.splice(0)) tracker.close();
  // What is due is asked for all organizations at once.
  for (const { id } of await product.stores.trackers.list(organization.id)) {
    await product.stores.trackers.remove(organization.id, id);
  }
});

async function connect(kind: TrackerKind) {
  const fake = await FAKE_TRACKERS[kind].open();
  trackers.push(fake);
  const { login } = FAKE_TRACKERS[kind];
  const input = { kind, name: '', url: fake.url, login, token: FAKE_TOKEN };
  // Linear is at one address only: its own server stands in its place.
  const openTracker: Services['openTracker'] = (access) => services.openTracker({ ...access, url: fake.url });
  const connected = await connectTracker(manager, openTracker, input);
  return { fake, openTracker, ...connected };
}

describe.each(['github', 'gitlab', 'jira', 'linear'] as const)('%s', (kind) => {
  const { projectId, key } = FAKE_TRACKERS[kind];

  test('an issue is made there with the facts and the way back, and its state is followed', async () => {
    const { fake, openTracker, tracker } = await connect(kind);
    const projects = await listTrackerProjects(manager, openTracker, { trackerId: tracker.id, text: '' });
    expect(projects[0]?.id).toBe(projectId);
    const draft = await draftTrackerIssue(manager, issue, kind);
    expect(draft.body).toContain(`WEB-1: ${PUBLIC_URL}/${organization.slug}/issues/WEB-1`);
    const link = await createTrackerIssue(manager, openTracker, issue, {
      trackerId: tracker.id,
      projectId,
      ...draft,
    });
    expect(link).toMatchObject({
      title: `${key(1)} ${draft.title}`,
      createdBy: { id: manager.userId },
      tracked: { trackerId: tracker.id, key: key(1), state: 'open' },
    });
    expect(fake.issues[0]?.body).toBe(draft.body);
    const { activities } = await listActivities(manager, issue, { only: null, cursor: null, limit: 10 });
    expect(activities[0]).toMatchObject({ type: 'linked', user: { id: manager.userId } });

    fake.issues[0]!.isClosed = true;
    const refresh = (nowMs: number) => refreshTrackerLinks({ stores: product.stores, openTracker }, nowMs);
    expect(await refresh(NOON_MS + 59 * 60_000)).toBe(0);
    const parts = { stores: product.stores, openTracker };
    expect(await refreshTrackerLinks(parts, NOON_MS + 60.5 * 60_000, { runMsMax: 0 })).toBe(0);
    expect(await refresh(NOON_MS + 61 * 60_000)).toBe(1);
    expect((await listLinks(manager, issue))[0]?.tracked).toMatchObject({ state: 'closed' });
    expect(await refresh(NOON_MS + 200 * 60_000)).toBe(0);
    expect(fake.complaints).toEqual([]);
  });

  test('an issue that is there is found, and linked once', async () => {
    const { fake, openTracker, tracker } = await connect(kind);
    fake.issues.push({ number: 1, title: 'Cart is empty', body: '', isClosed: true });
    const trackerId = tracker.id;
    const found = await findTrackerIssues(manager, openTracker, { trackerId, projectId, text: 'cart' });
    expect(found).toMatchObject([{ key: key(1), state: 'closed' }]);
    const link = (reference: string) =>
      linkTrackerIssue(manager, openTracker, issue, { trackerId, reference });
    expect(await link(key(1))).toMatchObject({
      title: `${key(1)} Cart is empty`,
      tracked: { state: 'closed' },
    });
    await expect(link(key(1))).rejects.toMatchObject({ code: 'conflict' });
    await expect(link(key(9))).rejects.toMatchObject({ code: 'invalid', field: 'reference' });
    await expect(link('https://elsewhere.example.com/browse/WEB-1')).rejects.toMatchObject({
      field: 'reference',
    });
  });
});

/** Open issues of a tracker, linked one after the other and closed there since; the first ones answer otherwise. */
async function linkIssues(count: number, refused: { count: number; answersStatus: number }) {
  const { fake, openTracker, tracker } = await connect('github');
  for (let number = 1; number <= count; number += 1) {
    fake.issues.push({ number, title: 'Cart', body: '', isClosed: false });
    product.clock.nowMs += 1_000;
    const reference = FAKE_TRACKERS.github.key(number);
    await linkTrackerIssue(manager, openTracker, issue, { trackerId: tracker.id, reference });
  }
  for (const one of fake.issues) one.isClosed = true;
  for (const one of fake.issues.slice(0, refused.count)) one.answersStatus = refused.answersStatus;
  return openTracker;
}

test.each([
  [410, 5],
  [301, 5],
  [403, 5],
  // Three are asked beside it; what it says of the service spares the others.
  [503, 3],
])('one issue that answers %i leaves %i of the others to be refreshed', async (answersStatus, refreshed) => {
  const reached = await linkIssues(6, { count: 1, answersStatus });
  const first = Promise.withResolvers<void>();
  const openTracker: Services['openTracker'] = (access) => {
    const client = reached(access);
    return {
      ...client,
      async getIssue(key) {
        if (key !== FAKE_TRACKERS.github.key(1)) await first.promise;
        const answer = await client.getIssue(key);
        first.resolve();
        return answer;
      },
    };
  };
  const parts = { stores: product.stores, openTracker };
  expect(await refreshTrackerLinks(parts, NOON_MS + 2 * 3_600_000)).toBe(refreshed);
});

testInFull(
  'three failures in a row spare a tracker, and those left out come first the next time',
  async () => {
    const openTracker = await linkIssues(8, { count: 6, answersStatus: 403 });
    const parts = { stores: product.stores, openTracker };
    expect(await refreshTrackerLinks(parts, NOON_MS + 2 * 3_600_000)).toBe(0);
    expect(await refreshTrackerLinks(parts, NOON_MS + 4 * 3_600_000)).toBe(2);
  },
);

test('a draft holds what programs sent as it is: nobody is called by it', async () => {
  const { title, body } = await draftTrackerIssue(manager, issue, 'github');
  expect(title).toBe('TypeError: ``` @everyone');
  expect(body).toMatch(/^```text\nError: TypeError: ``` @everyone\n[^`]*\n```\n\nWEB-1: /);
});

test('a tracker is connected only when it takes the token, and tells its secrets to nobody', async () => {
  const fake = await fakeGithub();
  trackers.push(fake);
  const input = { kind: 'github', name: 'Ours', url: fake.url, login: null };
  const add = (token: string) => connectTracker(manager, services.openTracker, { ...input, token });
  await expect(add('wrong')).rejects.toMatchObject({ code: 'invalid', field: 'token' });
  expect(await listTrackers(manager)).toEqual([]);
  const { tracker, hookSecret } = await add(FAKE_TOKEN);
  expect(tracker).toMatchObject({ name: 'Ours', account: 'ana', createdBy: { id: manager.userId } });
  expect(tracker.hookUrl).toBe(`${PUBLIC_URL}/api/hooks/${organization.slug}/github/${tracker.id}`);
  await expect(add(FAKE_TOKEN)).rejects.toMatchObject({ code: 'conflict', field: 'name' });
  const shown = JSON.stringify([
    await listTrackers(manager),
    await product.stores.audit.list(organization.id, {}, 10),
  ]);
  expect(shown).not.toContain(FAKE_TOKEN);
  expect(shown).not.toContain(hookSecret);
  const { rows } = await product.pool.query('SELECT token, hook_secret FROM trackers WHERE id = $1', [
    tracker.id,
  ]);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${FAKE_TOKEN}|${hookSecret}`));
});

test('a token goes to no other address than it was given for', async () => {
  const { tracker, openTracker } = await connect('github');
  const elsewhere = await fakeGithub();
  trackers.push(elsewhere);
  const change = (url: string, token: string) =>
    updateTracker(manager, services.openTracker, {
      trackerId: tracker.id,
      name: 'New',
      url,
      login: null,
      token,
    });
  await expect(change(elsewhere.url, '')).rejects.toMatchObject({ code: 'invalid', field: 'token' });
  expect(await change(tracker.url, '')).toMatchObject({ name: 'New', url: tracker.url });
  expect(await change(elsewhere.url, FAKE_TOKEN)).toMatchObject({ url: elsewhere.url });
  void openTracker;
});

test('what is wrong is named', async () => {
  const add = (input: object) =>
    connectTracker(manager, services.openTracker, {
      kind: 'jira',
      name: '',
      url: 'https://x.example',
      login: '',
      token: 't',
      ...input,
    });
  await expect(add({ kind: 'trello' })).rejects.toMatchObject({ field: 'kind' });
  await expect(add({ url: '' })).rejects.toMatchObject({ field: 'url' });
  await expect(add({ url: 'ftp://x' })).rejects.toMatchObject({ field: 'url' });
  await expect(add({ token: 'a b' })).rejects.toMatchObject({ field: 'token' });
  await expect(add({ login: 'a:b' })).rejects.toMatchObject({ field: 'login' });
  await expect(add({ url: 'http://127.0.0.2:1' })).rejects.toMatchObject({ field: 'url' });
});

test('a disconnected tracker leaves its links as addresses, and those of another organization are not there', async () => {
  const { fake, openTracker, tracker } = await connect('jira');
  fake.issues.push({ number: 1, title: 'Cart is empty', body: '', isClosed: false });
  await linkTrackerIssue(manager, openTracker, issue, { trackerId: tracker.id, reference: 'WEB-1' });
  const stranger = await product.join(await product.createOrganization(), 'owner');
  await expect(disconnectTracker(stranger, tracker.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(setHookSecret(stranger, { trackerId: tracker.id, given: null })).rejects.toMatchObject({
    code: 'not_found',
  });
  await disconnectTracker(manager, tracker.id);
  expect(await listLinks(manager, issue)).toMatchObject([{ title: 'WEB-1 Cart is empty', tracked: null }]);
});
