import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import type { Context } from '#product/context.ts';
import { undoGroupingChange } from '#product/grouping/grouping-changes.ts';
import { applyGroupingRules } from '#product/grouping/grouping-rules.ts';
import { mergeIssues } from '#product/grouping/merge-issues.ts';
import { previewGroupingRules } from '#product/grouping/preview-grouping-rules.ts';
import { getIssuePeople, setUserState } from '#product/issue-user-state/user-state.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { restoreIssues } from '#product/issues/update-issues.ts';
import { createSavedSearch } from '#product/saved-searches/saved-searches.ts';
import { provideServices } from '#product/services.ts';
import { openSharedIssue } from '#product/sharing/open-shared-issue.ts';
import { shareIssue } from '#product/sharing/sharing.ts';
import type { WebServices } from '#product/stores.ts';
import { createTeam } from '#product/teams/teams.ts';
import { hashOf, NOON_MS } from '../contract/sample-events.ts';
import { apiRoute } from '../harness/list-api-routes.ts';
import { openProduct, type Product } from './open-product.ts';
import { servicesOf } from './product-services.ts';

const issueRoute = apiRoute('issues/[issue]');
const organizationIssuesRoute = apiRoute('organizations/[org]/issues');
const searchRoute = apiRoute('organizations/[org]/searches/[search]');
const projectEventsRoute = apiRoute('projects/[org]/[project]/events');
const membersRoute = apiRoute('teams/[org]/[team]/members');

type Joined = Awaited<ReturnType<Product['join']>>;
type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;
type Call = { as: Context; scopes?: readonly string[]; method?: string; query?: string; body?: object };

let product: Product;
let mine: Organization;
let viewer: Joined;
let member: Joined;
let manager: Joined;
let stranger: Joined;

beforeAll(async () => {
  product = await openProduct();
  provideServices(servicesOf(product));
  mine = await product.createOrganization();
  [viewer, member, manager] = await Promise.all([
    product.join(mine, 'viewer'),
    product.join(mine, 'member'),
    product.join(mine, 'manager'),
  ]);
  stranger = await product.join(await product.createOrganization(), 'owner', true);
  const web = await product.createProject(mine, 'web');
  const other = await product.createProject(mine, 'other');
  const internal = await product.createProject(mine, 'errata-self', true);
  await product.ingest(mine, [
    { projectId: web.id, groupingHash: hashOf('first') },
    { projectId: web.id, groupingHash: hashOf('second') },
    { projectId: web.id, groupingHash: hashOf('third') },
    { projectId: other.id, groupingHash: hashOf('elsewhere') },
    { projectId: internal.id, groupingHash: hashOf('internal') },
  ]);
});
afterAll(async () => {
  await product?.close();
});

/** What a token of somebody with the scopes gets to see. */
async function call(
  handler: unknown,
  params: object,
  { as, scopes = ['event:read'], method = 'GET', query = '', body }: Call,
): Promise<number> {
  const { token } = await createToken(as, { name: 'Narrow', scopes, expiresAt: null });
  const request = new Request(`http://127.0.0.1:1/api/0/x/${query}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const context = { params: Promise.resolve({ org: mine.slug, ...params } as never) };
  return (await (handler as Handler)(request, context)).status;
}

const RULES = { fingerprint: '', stackTrace: '' };
const RANGE = { fromMs: NOON_MS - 86_400_000, toMs: NOON_MS + 86_400_000 };

test('a token that may only read changes nothing, whoever has it and whatever it asks for', async () => {
  const { id } = await getIssue(manager, 'WEB-1');
  for (const as of [viewer, manager]) {
    const put = { as, method: 'PUT', body: {} };
    expect(await call(issueRoute.PUT, { issue: String(id) }, put)).toBe(403);
    // Nothing is found by it, and that is not told either.
    expect(await call(organizationIssuesRoute.PUT, {}, { ...put, query: '?query=level%3Adebug' })).toBe(403);
    expect(await call(organizationIssuesRoute.PUT, {}, { ...put, query: '?id=1' })).toBe(403);
  }
});

test('a token without the scope for teams does not list who is in one', async () => {
  await createTeam(manager, { slug: 'shop', name: 'Shop' });
  expect(await call(membersRoute.GET, { team: 'shop' }, { as: manager })).toBe(403);
  expect(await call(membersRoute.GET, { team: 'shop' }, { as: manager, scopes: ['team:read'] })).toBe(200);
});

test('a token that may only read deletes no saved search, not even one of its owner', async () => {
  const input = { name: 'Mine', query: 'x', sort: 'date', isShared: false } as const;
  const search = String((await createSavedSearch(viewer, input)).id);
  const change = { as: viewer, method: 'DELETE' };
  expect(await call(searchRoute.DELETE, { search }, change)).toBe(403);
  expect(await call(searchRoute.DELETE, { search }, { ...change, as: member })).toBe(403);
  expect(await call(searchRoute.PUT, { search }, { ...change, method: 'PUT', body: { name: 'X' } })).toBe(
    403,
  );
});

test('a search for events names no issue of a project that is not searched', async () => {
  const search = (as: Context, issue: string) =>
    call(projectEventsRoute.GET, { project: 'web' }, { as, query: `?query=issue:${issue}` });
  expect(await search(viewer, 'WEB-1')).toBe(200);
  expect(await search(viewer, 'OTHER-1')).toBe(400);
  expect(await search(viewer, 'ERRATA-SELF-1')).toBe(400);
  expect(await search(viewer, 'NOTHING-1')).toBe(400);
});

test('a viewer neither undoes nor previews nor applies, and a member no rules', async () => {
  const { id } = await getIssue(viewer, 'WEB-1');
  const entries = [{ issueId: id, priority: 'low', priorityLockedAt: null } as const];
  await expect(restoreIssues(viewer, { part: 'priority', entries })).rejects.toMatchObject({
    code: 'forbidden',
  });
  for (const ctx of [viewer, member]) {
    await expect(
      previewGroupingRules(ctx, { projectSlug: 'web', texts: RULES, range: RANGE }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      applyGroupingRules(ctx, { projectSlug: 'web', rules: RULES, to: 'new', basedOn: 0 }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  }
});

test('an undo of another organization, or of a merge by a viewer, does nothing', async () => {
  const [first, second] = [await getIssue(member, 'WEB-1'), await getIssue(member, 'WEB-3')];
  const { change } = await mergeIssues(member, { issueIds: [first.id, second.id], targetId: first.id });
  await expect(undoGroupingChange(viewer, change.id)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(undoGroupingChange(stranger, change.id)).rejects.toMatchObject({ code: 'not_found' });
  const entries = [{ issueId: first.id, priority: 'low', priorityLockedAt: NOON_MS } as const];
  await restoreIssues(stranger, { part: 'priority', entries });
  expect((await getIssue(member, 'WEB-1')).priority).toBe(first.priority);
  await undoGroupingChange(member, change.id);
  expect((await getIssue(member, 'WEB-3')).id).toBe(second.id);
});

test('a shared address ends with a merge, and an undo does not bring it back', async () => {
  const [first, second] = [await getIssue(member, 'WEB-1'), await getIssue(member, 'WEB-2')];
  const shares = await Promise.all([first, second].map((issue) => shareIssue(member, issue, { days: 7 })));
  const open = async () => {
    const services = { stores: product.stores as WebServices, now: () => product.clock.nowMs };
    return await Promise.all(
      shares.map(async ({ token }) => (await openSharedIssue(services, token)) !== null),
    );
  };
  expect(await open()).toEqual([true, true]);
  const { change } = await mergeIssues(member, { issueIds: [first.id, second.id], targetId: first.id });
  expect(await open()).toEqual([true, false]);
  await undoGroupingChange(member, change.id);
  expect(await open()).toEqual([true, false]);
});

test('whoever has left the organization is not told to have seen an issue', async () => {
  const leaver = await product.join(mine, 'member');
  const issue = await getIssue(member, 'WEB-1');
  for (const ctx of [leaver, member])
    await setUserState(ctx, { issueIds: [issue.id], change: { hasSeen: true } });
  const seenBy = async () => (await getIssuePeople(viewer, issue)).seenBy.map(({ userId }) => userId).sort();
  expect(await seenBy()).toEqual([leaver.userId, member.userId].sort());
  await product.pool.query('DELETE FROM memberships WHERE user_id = $1', [leaver.userId]);
  expect(await seenBy()).toEqual([member.userId]);
});

test('the name of a team of another organization is not told, wherever its number came from', async () => {
  const foreign = await createTeam(stranger, { slug: 'spies', name: 'Spies' });
  const { id } = await getIssue(member, 'WEB-1');
  await product.pool.query('UPDATE issues SET assignee_team_id = $1 WHERE id = $2', [foreign.id, id]);
  expect(JSON.stringify(await getIssue(viewer, 'WEB-1'))).not.toMatch(/spies/i);
});
