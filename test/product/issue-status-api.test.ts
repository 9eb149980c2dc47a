import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import { unarchiveIssues } from '#product/issues/issue-transitions.ts';
import { provideServices } from '#product/services.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { DAY_MS, HOUR_MS, hashOf, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { apiRoute } from '../harness/list-api-routes.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';

const issueRoute = apiRoute('organizations/[org]/issues/[issue]');
const issuesRoute = apiRoute('organizations/[org]/issues');

type ApiIssue = {
  id: string;
  status: string;
  substatus: string | null;
  statusDetails: Record<string, unknown>;
  priority: string;
  priorityLockedAt: string | null;
  count: string;
  activity: { type: string; data: Record<string, unknown> }[];
};

let product: Product;
let organization: Organization;
let web: Project;
let token: string;
let issueId: string;

beforeAll(async () => {
  product = await openProduct();
  provideServices(servicesOf(product));
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  product.clock.nowMs = NOON_MS;
  organization = await product.createOrganization();
  web = await product.createProject(organization, 'web');
  const member = await product.join(organization, 'member');
  ({ token } = await createToken(member, {
    name: 'CI',
    scopes: ['event:read', 'event:write', 'project:read', 'org:read'],
    expiresAt: null,
  }));
  await happen([{ release: 'web@1.0.0' }]);
  const [issue] = await list('is:unresolved');
  issueId = issue!.id;
});

/** A minute later; `user` is the id of a user. */
async function happen(events: readonly (Partial<DigestedEvent> & { who?: string })[]): Promise<void> {
  product.clock.nowMs += MINUTE_MS;
  const at = product.clock.nowMs;
  await product.ingest(
    organization,
    events.map(({ who, ...event }) => ({
      projectId: web.id,
      occurredAt: at,
      receivedAt: at,
      user: { id: who ?? null, email: null, username: null, ip: null },
      ...event,
    })),
  );
}

const ask = (method: string, query = '', body?: unknown) =>
  new Request(`${PUBLIC_URL}/api/0/${query}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const inOrganization = () => ({ params: Promise.resolve({ org: organization.slug }) });

async function list(query: string): Promise<ApiIssue[]> {
  const response = await issuesRoute.GET(ask('GET', `?query=${encodeURIComponent(query)}`), inOrganization());
  expect(response.status).toBe(200);
  return (await response.json()) as ApiIssue[];
}

/** Changes the issue a minute later. */
async function put(body: unknown, query = `?id=${issueId}`): Promise<{ status: number; body: unknown }> {
  product.clock.nowMs += MINUTE_MS;
  const response = await issuesRoute.PUT(ask('PUT', query, body), inOrganization());
  return { status: response.status, body: response.status === 204 ? null : await response.json() };
}

async function get(): Promise<ApiIssue> {
  const response = await issueRoute.GET(ask('GET'), {
    params: Promise.resolve({ org: organization.slug, issue: issueId }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as ApiIssue;
}

const runJobs = () => unarchiveIssues(product.stores, product.clock.nowMs);

describe('resolving', () => {
  test('now, and a regression', async () => {
    expect(await put({ status: 'resolved' })).toEqual({
      status: 200,
      body: { status: 'resolved', statusDetails: {} },
    });
    expect(await get()).toMatchObject({ status: 'resolved', substatus: null, statusDetails: {} });
    await happen([{}]);
    expect(await get()).toMatchObject({ status: 'unresolved', substatus: 'regressed', count: '2' });
    expect((await get()).activity[0]).toMatchObject({ type: 'set_regression' });
    expect(await list('is:regressed')).toMatchObject([{ id: issueId }]);
  });

  test.each([
    { status: 'resolved', statusDetails: { inNextRelease: true } },
    { status: 'resolvedInNextRelease' },
  ])('in the next release with %o', async (body) => {
    expect(await put(body)).toMatchObject({
      body: { status: 'resolved', statusDetails: { inNextRelease: true } },
    });
    expect(await get()).toMatchObject({ status: 'resolved', statusDetails: { inNextRelease: true } });
    await happen([{ release: 'web@1.0.0' }]);
    expect((await get()).status).toBe('resolved');
    const other = { groupingHash: hashOf('other'), groupingHashes: [hashOf('other')] };
    await happen([{ release: 'web@1.1.0', ...other }]);
    expect(await get()).toMatchObject({ status: 'resolved', statusDetails: { inRelease: 'web@1.1.0' } });
    await happen([{ release: 'web@1.1.0' }]);
    expect(await get()).toMatchObject({ status: 'unresolved', substatus: 'regressed' });
  });

  test('in the next and in the latest release of its own package, whatever its project saw last', async () => {
    const other = { groupingHash: hashOf('other'), groupingHashes: [hashOf('other')] };
    await happen([{ release: 'backend@7.0.0', ...other }]);
    await put({ status: 'resolved', statusDetails: { inRelease: 'latest' } });
    expect(await get()).toMatchObject({ statusDetails: { inRelease: 'web@1.0.0' } });
    await put({ status: 'unresolved' });
    await put({ status: 'resolved', statusDetails: { inNextRelease: true } });
    expect((await get()).activity[0]).toMatchObject({ data: { inNextRelease: true, after: 'web@1.0.0' } });
    await happen([{ release: 'backend@8.0.0' }]);
    expect(await get()).toMatchObject({ status: 'resolved', count: '2' });
    await happen([{ release: 'web@1.0.1' }]);
    expect(await get()).toMatchObject({ status: 'unresolved', substatus: 'regressed' });
  });

  testInFull('in a given and in the latest release', async () => {
    await happen([{ release: 'web@2.0.0' }]);
    await put({ status: 'resolved', statusDetails: { inRelease: 'web@1.0.0' } });
    expect(await get()).toMatchObject({ statusDetails: { inRelease: 'web@1.0.0' } });
    await put({ status: 'resolved', statusDetails: { inRelease: 'latest' } });
    expect(await get()).toMatchObject({ statusDetails: { inRelease: 'web@2.0.0' } });
    await happen([{ release: 'web@1.0.0' }]);
    expect((await get()).status).toBe('resolved');
    await happen([{ release: 'web@2.0.0' }]);
    expect((await get()).substatus).toBe('regressed');
  });

  test('in a commit', async () => {
    const inCommit = { repository: 'shop/web', commit: '9f2c1ab' };
    await put({ status: 'resolved', statusDetails: { inCommit } });
    expect(await get()).toMatchObject({ status: 'resolved', statusDetails: { inCommit } });
    expect((await get()).activity[0]).toMatchObject({ type: 'set_resolved_in_commit', data: inCommit });
  });
});

describe('archiving', () => {
  testInFull('for a time: ongoing when it is over', async () => {
    await put({ status: 'ignored', statusDetails: { ignoreDuration: 30 } });
    const until = new Date(product.clock.nowMs + 30 * MINUTE_MS).toISOString();
    expect(await get()).toMatchObject({
      status: 'ignored',
      substatus: 'archived_until_condition_met',
      statusDetails: { ignoreUntil: until, actor: { id: expect.any(String) } },
    });
    await happen(Array.from({ length: 50 }, () => ({})));
    await runJobs();
    expect((await get()).status).toBe('ignored');
    product.clock.nowMs = Date.parse(until);
    await runJobs();
    expect(await get()).toMatchObject({ status: 'unresolved', substatus: 'ongoing', statusDetails: {} });
  });

  test('until a moment, which must be to come', async () => {
    const ignoreUntil = new Date(NOON_MS + DAY_MS).toISOString();
    await put({ status: 'ignored', statusDetails: { ignoreUntil } });
    expect(await get()).toMatchObject({ statusDetails: { ignoreUntil } });
    const past = new Date(NOON_MS - DAY_MS).toISOString();
    expect((await put({ status: 'ignored', statusDetails: { ignoreUntil: past } })).status).toBe(400);
    expect((await put({ status: 'ignored', statusDetails: { ignoreUntil: 'soon' } })).status).toBe(400);
  });

  test('until more events', async () => {
    await put({ status: 'ignored', statusDetails: { ignoreCount: 3 } });
    await happen([{}, {}]);
    expect(await get()).toMatchObject({
      status: 'ignored',
      statusDetails: { ignoreCount: 3, ignoreWindow: null },
    });
    await happen([{}]);
    expect(await get()).toMatchObject({ status: 'unresolved', substatus: 'escalating', count: '4' });
    expect((await get()).activity[0]).toMatchObject({ type: 'set_escalating' });
  });

  testInFull('until more events: what is merged into it are none of them', async () => {
    await happen(Array.from({ length: 9 }, () => ({})));
    const groupingHashes = [hashOf('other')];
    await happen(Array.from({ length: 5 }, () => ({ groupingHash: groupingHashes[0]!, groupingHashes })));
    await put({ status: 'ignored', statusDetails: { ignoreCount: 3 } });
    const [other] = await list('is:unresolved');
    expect((await put({ merge: 1 }, `?id=${issueId}&id=${other!.id}`)).status).toBe(200);
    await happen([{}, { groupingHash: groupingHashes[0]!, groupingHashes }]);
    expect(await get()).toMatchObject({ status: 'ignored', count: '17' });
    await happen([{}]);
    expect(await get()).toMatchObject({ substatus: 'escalating', count: '18' });
  });

  test('until more events in a window', async () => {
    await put({ status: 'ignored', statusDetails: { ignoreCount: 3, ignoreWindow: 10 } });
    for (let round = 0; round < 4; round++) {
      await happen([{}]);
      product.clock.nowMs += 6 * MINUTE_MS;
      await runJobs();
    }
    expect((await get()).status).toBe('ignored');
    await happen([{}, {}]);
    product.clock.nowMs += MINUTE_MS;
    await runJobs();
    expect(await get()).toMatchObject({ status: 'unresolved', substatus: 'escalating' });
  });

  testInFull('until more users: those whom it had not happened to before', async () => {
    await happen([{ who: 'ana' }, { who: 'bob' }]);
    await put({ status: 'ignored', statusDetails: { ignoreUserCount: 2 } });
    await happen([{ who: 'ana' }, { who: 'bob' }, { who: 'cy' }]);
    product.clock.nowMs += MINUTE_MS;
    await runJobs();
    expect((await get()).status).toBe('ignored');
    await happen([{ who: 'dan' }]);
    product.clock.nowMs += MINUTE_MS;
    await runJobs();
    expect(await get()).toMatchObject({ status: 'unresolved', substatus: 'escalating' });
  });

  testInFull('until more users in a window: whoever they are', async () => {
    await happen([{ who: 'ana' }]);
    await put({ status: 'ignored', statusDetails: { ignoreUserCount: 2, ignoreUserWindow: 10 } });
    await happen([{ who: 'ana' }]);
    product.clock.nowMs += 20 * MINUTE_MS;
    await happen([{ who: 'bob' }]);
    product.clock.nowMs += MINUTE_MS;
    await runJobs();
    expect((await get()).status).toBe('ignored');
    await happen([{ who: 'ana' }]);
    product.clock.nowMs += MINUTE_MS;
    await runJobs();
    expect((await get()).substatus).toBe('escalating');
  });

  test('forever', async () => {
    await put({ status: 'ignored', substatus: 'archived_forever' });
    await happen(Array.from({ length: 100 }, (_, index) => ({ who: String(index) })));
    await runJobs();
    expect(await get()).toMatchObject({ status: 'ignored', substatus: 'archived_forever' });
  });

  test('until escalating: what goes on as ever stays, what passes the forecast comes back', async () => {
    const week = Array.from({ length: 7 }, (_, day) => NOON_MS - (day + 1) * DAY_MS + HOUR_MS);
    await happen(week.flatMap((occurredAt) => Array.from({ length: 100 }, () => ({ occurredAt }))));
    await put({ status: 'ignored', statusDetails: { untilEscalating: true } });
    product.clock.nowMs = NOON_MS + HOUR_MS;
    await happen(Array.from({ length: 90 }, () => ({})));
    await runJobs();
    expect((await get()).status).toBe('ignored');
    // 100 are expected in this hour, and 30 more can be chance; the event beyond is noticed without a job.
    await happen(Array.from({ length: 40 }, () => ({})));
    expect((await get()).status).toBe('ignored');
    await happen([{}]);
    expect(await get()).toMatchObject({ status: 'unresolved', substatus: 'escalating', priority: 'high' });
    expect((await get()).activity[0]).toMatchObject({
      type: 'set_escalating',
      data: { reason: { kind: 'forecast', events: 131, forecast: 130 } },
    });
  });

  testInFull('until escalating: a burst that a job finds only afterwards', async () => {
    await put({ status: 'ignored' });
    product.clock.nowMs = NOON_MS + 2 * HOUR_MS - 2 * MINUTE_MS;
    await happen(Array.from({ length: 20 }, () => ({})));
    expect((await get()).status).toBe('ignored');
    product.clock.nowMs = NOON_MS + 2 * HOUR_MS + MINUTE_MS;
    await runJobs();
    expect(await get()).toMatchObject({ status: 'unresolved', substatus: 'escalating' });
  });
});

describe('bulk changes', () => {
  test('by search, of what matches only; nothing found is 204', async () => {
    const hashes = [hashOf('b'), hashOf('c')];
    await happen(
      hashes.map((groupingHash, index) => ({
        groupingHash,
        groupingHashes: [groupingHash],
        level: index === 0 ? ('fatal' as const) : ('error' as const),
      })),
    );
    expect(await put({ status: 'resolved' }, '?query=level%3Afatal')).toMatchObject({ status: 200 });
    expect(await list('is:resolved')).toHaveLength(1);
    expect(await put({ status: 'resolved' }, '?query=level%3Adebug')).toEqual({ status: 204, body: null });
    expect((await put({ status: 'resolved' }, '')).status).toBe(400);
    expect((await put({ status: 'resolved' }, '?id=999999999')).status).toBe(404);
  });

  test('priority: chosen, kept while the issue escalates, with an activity', async () => {
    expect(await put({ priority: 'low' })).toEqual({ status: 200, body: { priority: 'low' } });
    const at = new Date(product.clock.nowMs).toISOString();
    expect(await get()).toMatchObject({ priority: 'low', priorityLockedAt: at });
    expect((await get()).activity[0]).toMatchObject({ type: 'set_priority', data: { priority: 'low' } });
    await put({ status: 'ignored', statusDetails: { ignoreCount: 1 } });
    await happen([{}]);
    expect(await get()).toMatchObject({ substatus: 'escalating', priority: 'low' });
  });

  test('marks of whoever asks go along', async () => {
    const { body } = await put({ isBookmarked: true, hasSeen: true, status: 'resolved' });
    expect(body).toMatchObject({ isBookmarked: true, hasSeen: true, status: 'resolved' });
    expect(await get()).toMatchObject({ isBookmarked: true, hasSeen: true, isSubscribed: true });
  });

  test('a body that is refused says why, and changes nothing', async () => {
    const before = await get();
    for (const body of [
      {},
      { status: 'closed' },
      { status: 'resolved', statusDetails: { ignoreCount: 5 } },
      { status: 'ignored', statusDetails: { inNextRelease: true } },
      { status: 'ignored', statusDetails: { ignoreCount: 0 } },
      { status: 'ignored', statusDetails: { ignoreCount: 5, ignoreWindow: 20_000 } },
      { status: 'ignored', statusDetails: { ignoreCount: 5, ignoreUserCount: 5 } },
      { status: 'ignored', substatus: 'archived_until_condition_met' },
      { status: 'resolved', statusDetails: { inRelease: 'web@9.9.9' } },
      { status: 'resolved', statusDetails: { inCommit: { repository: 'r', commit: 'xyz' } } },
      { priority: 'urgent' },
      { unknown: true },
    ]) {
      const answer = await put(body);
      expect(answer.status, JSON.stringify(body)).toBe(400);
      expect(answer.body).toEqual({ detail: expect.stringMatching(/\w+/) });
    }
    expect(await get()).toEqual(before);
  });

  test('issues of another organization do not exist', async () => {
    const [own, theirs] = [organization, await product.createOrganization()];
    const stranger = await product.join(theirs, 'owner');
    ({ token } = await createToken(stranger, {
      name: 'CI',
      scopes: ['event:read', 'event:write'],
      expiresAt: null,
    }));
    organization = theirs;
    expect((await put({ status: 'resolved' })).status).toBe(404);
    organization = own;
    expect((await put({ status: 'resolved' })).status).toBe(404);
  });
});
