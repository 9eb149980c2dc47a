import { afterEach, describe, expect, test } from 'vitest';
import type { TrackerAnswer, TrackerService } from '#delivery/ports/tracker-client.ts';
import { createOpenTracker } from '#delivery/trackers/open-tracker.ts';
import { networkWith, parseAllowedInside } from '#lib/guarded-request/network.ts';
import { FAKE_TOKEN, FAKE_TRACKERS, type FakeTracker } from './harness/fake-trackers.ts';

const openTracker = createOpenTracker(networkWith(parseAllowedInside('127.0.0.1')));
const trackers: FakeTracker[] = [];
afterEach(() => {
  for (const tracker of trackers.splice(0)) tracker.close();
});

function done<Value>(answer: TrackerAnswer<Value>): Value {
  if (answer.kind === 'done') return answer.value;
  throw new Error(answer.reason);
}

async function open(
  kind: TrackerService,
  token = FAKE_TOKEN,
  login: string | null = FAKE_TRACKERS[kind].login,
) {
  const tracker = await FAKE_TRACKERS[kind].open();
  trackers.push(tracker);
  return { tracker, client: openTracker({ kind, url: tracker.url, login, token }) };
}

const KINDS = Object.keys(FAKE_TRACKERS) as TrackerService[];

describe.each([
  ...KINDS.map((kind) => ({ kind, login: FAKE_TRACKERS[kind].login })),
  { kind: 'jira' as const, login: null },
])('$kind ($login)', ({ kind, login }) => {
  const { projectId, key } = FAKE_TRACKERS[kind];

  test('an issue is made, found and read, all as its documentation has it', async () => {
    const { tracker, client } = await open(kind, FAKE_TOKEN, login);
    expect(done(await client.whoAmI()).name.toLowerCase()).toBe('ana');
    expect(done(await client.listProjects('', 1)).map(({ id }) => id)).toEqual([projectId]);
    if (kind !== 'gitlab') expect(done(await client.listProjects('nothing like it', 10))).toEqual([]);
    const made = done(
      await client.createIssue({ projectId, title: 'Cart is "empty"', body: 'It *was* full' }),
    );
    expect(made).toMatchObject({ key: key(1), title: 'Cart is "empty"', state: 'open' });
    expect(made.url).toContain(tracker.url);
    expect(tracker.issues).toMatchObject([{ title: 'Cart is "empty"', body: 'It *was* full' }]);
    tracker.issues.push({ number: 2, title: 'Another one', body: '', isClosed: true });
    const find = async (text: string) =>
      done(await client.findIssues(projectId, text, 10)).map((issue) => issue.key);
    expect(await find('cart')).toEqual([key(1)]);
    expect(await find('')).toEqual([key(1), key(2)]);
    expect(done(await client.getIssue(key(1)))).toEqual(made);
    expect(done(await client.getIssue(key(2)))).toMatchObject({ state: 'closed' });
    expect(done(await client.getIssue(key(3)))).toBeNull();
    expect(tracker.complaints).toEqual([]);
  });

  test('what is asked for in another case is named as its webhooks name it', async () => {
    const { client } = await open(kind, FAKE_TOKEN, login);
    const made = done(await client.createIssue({ projectId, title: 'Cart', body: '' }));
    // Keys of Jira and Linear are in capitals; they are made so where they are read.
    const asked = kind === 'github' || kind === 'gitlab' ? made.key.toUpperCase() : made.key;
    expect(done(await client.getIssue(asked))?.key).toBe(made.key);
  });

  test('a token that is refused says so', async () => {
    const { client } = await open(kind, 'another-token', login);
    const answer = await client.whoAmI();
    expect(answer).toMatchObject({ kind: 'failed', isDenied: true, concernsAll: true });
  });
});

test.each(KINDS)('%s: what is no name of a place or an issue leads nowhere else', async (kind) => {
  const { tracker, client } = await open(kind);
  for (const name of ['../../user', 'a/../b', '', '"x" OR project = Y', '%2e%2e/%2e%2e']) {
    const made = await client.createIssue({ projectId: name, title: 'x', body: '' });
    const read = await client.getIssue(`${name}#1/../2`);
    expect([made.kind, read.kind === 'done' ? read.value : null]).toEqual(['failed', null]);
  }
  expect(tracker.issues).toEqual([]);
});

test('an inside address is refused unless the operator allows it, and an answer of another kind is told', async () => {
  const { tracker } = await open('github');
  const access = { kind: 'github' as const, url: tracker.url, login: null, token: FAKE_TOKEN };
  const strict = createOpenTracker(networkWith(parseAllowedInside('10.1.2.3')));
  expect(await strict(access).whoAmI()).toMatchObject({
    kind: 'failed',
    reason: expect.stringContaining('ERRATA_ALLOW_INSIDE_ADDRESSES'),
  });
  const gone = await openTracker({ ...access, url: `${tracker.url}/elsewhere` }).whoAmI();
  expect(gone).toMatchObject({ kind: 'failed', isDenied: false });
  tracker.close();
  const away = await openTracker(access).whoAmI();
  expect(away).toMatchObject({ kind: 'failed', isDenied: false, concernsAll: true });
});

test.each([
  [301, { kind: 'failed', concernsAll: false }],
  [403, { kind: 'failed', concernsAll: false }],
  [404, { kind: 'done', value: null }],
  [410, { kind: 'done', value: null }],
  [429, { kind: 'failed', concernsAll: true }],
  [503, { kind: 'failed', concernsAll: true }],
])('an issue that answers %i says whether others would too', async (answersStatus, expected) => {
  const { tracker, client } = await open('github');
  tracker.issues.push({ number: 1, title: 'Cart', body: '', isClosed: false, answersStatus });
  expect(await client.getIssue(FAKE_TRACKERS.github.key(1))).toMatchObject(expected);
});

test('a repository is looked for beyond the first page', async () => {
  const { client } = await open('github');
  const found = done(await client.listProjects('FAR', 10));
  expect(found).toEqual([{ id: 'acme/far-away', name: 'acme/far-away' }]);
});
