import { describe, expect, test } from 'vitest';
import { POST } from '#app/api/hooks/[org]/[kind]/[tracker]/route.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import { addLink, listLinks, removeLink } from '#product/issue-links/issue-links.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { updateOrganization } from '#product/organizations/organizations.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { PUBLIC_URL } from './open-product.ts';
import {
  connect,
  githubPush,
  githubRequest,
  gitlabPush,
  gitlabRequest,
  ISSUE_HOOKS,
  linksOf,
  member,
  openHookScene,
  organization,
  post,
  product,
  SECRET,
  SHA,
  SIGN,
  send,
  statusOf,
} from './tracker-hook-scene.ts';

openHookScene();

const activitiesOf = async (shortId: string) => {
  const page = await listActivities(member, await getIssue(member, shortId), {
    only: null,
    cursor: null,
    limit: 20,
  });
  return page.activities;
};

describe.each([
  ['github', 'push', githubPush],
  ['gitlab', 'Push Hook', gitlabPush],
] as const)('commits of %s', (kind, event, push) => {
  test('a commit that names an issue is linked, and resolves what it says it fixes, by its author', async () => {
    const tracker = await connect(kind);
    expect(await send(tracker, event, push('Cart: empty it\n\nfixes WEB-1\nsee WEB-2'))).toBe('applied');
    expect(await linksOf('WEB-1')).toEqual([
      ['acme/web@9f2c1ab4d2 Cart: empty it', expect.stringContaining(SHA)],
    ]);
    expect(await linksOf('WEB-2')).toHaveLength(1);
    expect(await statusOf('WEB-1')).toEqual([
      'resolved',
      { kind: 'commit', repository: 'acme/web', commit: SHA },
    ]);
    expect((await statusOf('WEB-2'))[0]).toBe('unresolved');
    expect(await activitiesOf('WEB-1')).toMatchObject([
      { type: 'set_resolved_in_commit', user: { id: member.userId } },
      { type: 'linked', user: { id: member.userId } },
      { type: 'first_seen' },
    ]);
  });

  test('a branch links only; the same commit resolves when it comes to the default branch, and once', async () => {
    const tracker = await connect(kind);
    await send(tracker, event, push('fixes WEB-1', 'refs/heads/cart'));
    expect((await statusOf('WEB-1'))[0]).toBe('unresolved');
    await send(tracker, event, push('fixes WEB-1'));
    expect((await statusOf('WEB-1'))[0]).toBe('resolved');
    expect(await linksOf('WEB-1')).toHaveLength(1);
    const { id } = await getIssue(member, 'WEB-1');
    await updateIssues(member, { issueIds: [id], change: { status: 'unresolved' } });
    const again = { ...push('fixes WEB-1'), before: SHA };
    expect(await send(tracker, event, again)).toBe('applied');
    expect((await statusOf('WEB-1'))[0]).toBe('unresolved');
  });
});

testInFull('a release that holds the commit already is what it is resolved in', async () => {
  const tracker = await connect('github');
  const { projectId } = await getIssue(member, 'WEB-1');
  await product.ingest(organization, [{ projectId, release: 'web@2.0.0', title: 'Released' }]);
  const repositories = await product.stores.repositories.ensure(organization.id, ['acme/web'], NOON_MS);
  const release = await product.stores.releases.save(
    organization.id,
    { version: 'web@2.0.0', projectIds: [projectId], change: {} },
    NOON_MS,
  );
  const author = { name: null, email: null };
  const commit = {
    repositoryId: repositories.get('acme/web')!,
    key: SHA,
    message: 'Cart',
    author,
    committedAt: NOON_MS,
    files: [],
  };
  await product.stores.commits.setReleaseCommits(organization.id, release.releaseId, [commit]);
  await send(tracker, 'push', githubPush('fixes WEB-1'));
  expect(await statusOf('WEB-1')).toEqual(['resolved', { kind: 'release', release: 'web@2.0.0' }]);
});

describe.each([
  ['github', 'pull_request', githubRequest, 'acme/web#34'],
  ['gitlab', 'Merge Request Hook', gitlabRequest, 'acme/web!34'],
] as const)('requests of %s', (kind, event, request, name) => {
  test('a request is linked when it names an issue, and resolves it when it is merged', async () => {
    const tracker = await connect(kind);
    await send(tracker, event, request({}));
    expect((await linksOf('WEB-1')).map(([title]) => title)).toEqual([`${name} Empty the cart`]);
    expect((await statusOf('WEB-1'))[0]).toBe('unresolved');
    await send(tracker, event, request({ merged: true, base: { ref: 'old' } }));
    expect((await statusOf('WEB-1'))[0]).toBe('unresolved');
    await send(tracker, event, request({ merged: true }));
    expect(await statusOf('WEB-1')).toEqual([
      'resolved',
      { kind: 'commit', repository: 'acme/web', commit: SHA },
    ]);
    expect(await linksOf('WEB-1')).toHaveLength(1);
  });
});

describe.each(['github', 'gitlab', 'jira', 'linear'] as const)('%s', (kind) => {
  const { key, event, body } = ISSUE_HOOKS[kind];

  test('what becomes of its issues is shown', async () => {
    const tracker = await connect(kind);
    const { id } = await getIssue(member, 'WEB-1');
    const tracked = { trackerId: tracker.id, key, state: 'open', stateName: 'Open' } as const;
    const link = { url: 'https://tracker.example.com/12', title: `${key} Old`, tracked };
    await product.stores.issueLinks.add(organization.id, id, link, null, NOON_MS, 10);
    const state = async () => {
      const [found] = await listLinks(member, await getIssue(member, 'WEB-1'));
      return [found?.title, found?.tracked?.state];
    };
    expect(await send(tracker, event, body(true))).toBe('applied');
    expect(await state()).toEqual([`${key} Cart`, 'closed']);
    await send(tracker, event, body(false));
    expect(await state()).toEqual([`${key} Cart`, 'open']);
  });

  test('what says nothing of use, or is of another shape, is taken and left', async () => {
    const tracker = await connect(kind);
    const timed = { timestamp: NOON_MS, webhookTimestamp: NOON_MS };
    expect(await send(tracker, 'ping', { ...timed, zen: 'Keep it simple' })).toBe('ignored');
    expect(await send(tracker, event, { ...timed, webhookEvent: 'jira:issue_updated', commits: 7 })).toBe(
      'ignored',
    );
    expect(await send(tracker, 'constructor', timed)).toBe('ignored');
    const signed = SIGN[kind]('no json', event, 'x', SECRET);
    expect(['400', '401']).toContain(await post(tracker, 'no json', signed));
  });
});

test('GitHub may send a form', async () => {
  const tracker = await connect('github');
  const text = String(new URLSearchParams({ payload: JSON.stringify(githubPush('fixes WEB-1')) }));
  const headers = {
    ...SIGN.github(text, 'push', 'form', SECRET),
    'content-type': 'application/x-www-form-urlencoded',
  };
  expect(await post(tracker, text, headers)).toBe('applied');
  expect((await statusOf('WEB-1'))[0]).toBe('resolved');
});

test('GitLab tells of confidential issues under another name, and may sign with a token that is not known here', async () => {
  const tracker = await connect('gitlab');
  const { body } = ISSUE_HOOKS.gitlab;
  expect(await send(tracker, 'Confidential Issue Hook', body(true))).toBe('applied');
  const text = JSON.stringify(body(false));
  const both = { ...SIGN.gitlab(text, 'Issue Hook', 'both', SECRET), 'webhook-signature': 'v1,AAAA' };
  expect(await post(tracker, text, both)).toBe('applied');
});

test('a link that somebody removed does not come back by itself', async () => {
  const tracker = await connect('github');
  await send(tracker, 'pull_request', { ...githubRequest({}), action: 'opened' });
  const issue = await getIssue(member, 'WEB-1');
  const [link] = await listLinks(member, issue);
  await removeLink(member, issue, link!.id);
  expect(await send(tracker, 'pull_request', { ...githubRequest({}), action: 'synchronize' })).toBe(
    'applied',
  );
  expect(await linksOf('WEB-1')).toEqual([]);
  await addLink(member, issue, { url: link!.url });
  expect(await linksOf('WEB-1')).toHaveLength(1);
});

testInFull('a webhook goes on working when the organization is renamed', async () => {
  const tracker = await connect('github');
  const former = organization.slug;
  const owner = await product.join(organization, 'owner');
  await updateOrganization(owner, { slug: `${former}-new` });
  const text = JSON.stringify(githubPush('fixes WEB-1'));
  expect(await post(tracker, text, SIGN.github(text, 'push', 'renamed', SECRET), former)).toBe('applied');
});

testInFull('commits leave room for the links of people, and a large push ends', async () => {
  const tracker = await connect('github');
  const commits = Array.from({ length: 200 }, (_, index) => ({
    id: index.toString(16).padStart(40, '0'),
    message: 'WEB-1',
    url: `https://github.com/acme/web/commit/${index}`,
    author: null,
  }));
  expect(await send(tracker, 'push', { ...githubPush(''), commits })).toBe('applied');
  expect(await linksOf('WEB-1')).toHaveLength(30);
  const request = new Request(`${PUBLIC_URL}/api/hooks`, {
    method: 'POST',
    body: 'x'.repeat(9 * 1024 * 1024),
    headers: { 'x-hub-signature-256': 'sha256=00' },
  });
  const params = Promise.resolve({ org: organization.slug, kind: 'github', tracker: String(tracker.id) });
  expect((await POST(request, { params })).status).toBe(400);
});
