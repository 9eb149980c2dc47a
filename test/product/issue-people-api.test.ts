import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '#domain/people.ts';
import type { Organization } from '#domain/projects.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import type { Context } from '#product/context.ts';
import { provideServices } from '#product/services.ts';
import { hashOf } from '../contract/sample-events.ts';
import { apiRoute } from '../harness/list-api-routes.ts';
import { openProduct, type Product } from './open-product.ts';
import { servicesOf } from './product-services.ts';

const activitiesRoute = apiRoute('issues/[issue]/activities');
const commentRoute = apiRoute('issues/[issue]/comments/[comment]');
const commentsRoute = apiRoute('issues/[issue]/comments');
const linkRoute = apiRoute('issues/[issue]/external-issues/[link]');
const linksRoute = apiRoute('issues/[issue]/external-issues');
const issueRoute = apiRoute('issues/[issue]');
const shareRoute = apiRoute('issues/[issue]/share');
const tagRoute = apiRoute('issues/[issue]/tags/[key]');
const valuesRoute = apiRoute('issues/[issue]/tags/[key]/values');
const tagsRoute = apiRoute('issues/[issue]/tags');
const organizationIssuesRoute = apiRoute('organizations/[org]/issues');
const memberTeamRoute = apiRoute('organizations/[org]/members/[member]/teams/[team]');
const teamsRoute = apiRoute('organizations/[org]/teams');
const codeownersRoute = apiRoute('projects/[org]/[project]/codeowners');
const ownersRoute = apiRoute('projects/[org]/[project]/events/[event]/owners');
const ownershipRoute = apiRoute('projects/[org]/[project]/ownership');
const projectTeamRoute = apiRoute('projects/[org]/[project]/teams/[team]');
const tombstoneRoute = apiRoute('projects/[org]/[project]/tombstones/[tombstone]');
const tombstonesRoute = apiRoute('projects/[org]/[project]/tombstones');
const membersRoute = apiRoute('teams/[org]/[team]/members');
const teamRoute = apiRoute('teams/[org]/[team]');

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Route = Readonly<Record<Method, unknown>>;
type Caller = { headers: Record<string, string>; ctx: Context & { userId: string; email: string } };

let product: Product;
let mine: Organization;
let viewer: Caller;
let member: Caller;
let other: Caller;
let admin: Caller;
let manager: Caller;
let stranger: Caller;
let issueId: string;
let eventId: string;

beforeAll(async () => {
  product = await openProduct();
  provideServices(servicesOf(product));
  mine = await product.createOrganization();
  const theirs = await product.createOrganization();
  const web = await product.createProject(mine, 'web');
  const callerOf = async (organization: Organization, role: Role): Promise<Caller> => {
    const ctx = await product.join(organization, role);
    const scopes = ['org:read', 'project:admin', 'event:admin', 'team:admin', 'org:write'];
    const { token } = await createToken(ctx, { name: 'Test', scopes, expiresAt: null });
    return { ctx, headers: { authorization: `Bearer ${token}` } };
  };
  [viewer, member, other, admin, manager, stranger] = await Promise.all([
    callerOf(mine, 'viewer'),
    callerOf(mine, 'member'),
    callerOf(mine, 'member'),
    callerOf(mine, 'admin'),
    callerOf(mine, 'manager'),
    callerOf(theirs, 'owner'),
  ]);
  const [event] = await product.ingest(mine, [{ projectId: web.id, tags: [['browser', 'Safari']] }]);
  eventId = event!.eventId;
  issueId = String((await product.stores.issues.findByShortId(mine.id, 'WEB-1'))!.id);
});
afterAll(async () => {
  await product?.close();
});

/** Calls a route as the server does; `params` are the dynamic parts of its path. */
async function call(
  route: Route,
  method: Method,
  caller: Caller,
  options: { params?: object; body?: unknown; query?: string } = {},
): Promise<{ status: number; body: never; link: string | null }> {
  const request = new Request(`http://127.0.0.1:1/api/0/x/${options.query ?? ''}`, {
    method,
    headers: caller.headers,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const params = { issue: issueId, org: mine.slug, project: 'web', ...options.params };
  const response = await (route[method] as Handler)(request, { params: Promise.resolve(params as never) });
  const text = await response.text();
  const body = (text === '' ? null : JSON.parse(text)) as never;
  return { status: response.status, body, link: response.headers.get('link') };
}

const put = async (caller: Caller, body: object) => call(issueRoute, 'PUT', caller, { body });
const read = async (caller: Caller) =>
  (await call(issueRoute, 'GET', caller)).body as Record<string, unknown>;

test('every address answers 404 to another organization, whatever the method', async () => {
  const routes: [Route, Method, object?, unknown?][] = [
    [commentsRoute, 'GET'],
    [commentsRoute, 'POST', {}, { text: 'x' }],
    [commentRoute, 'PUT', { comment: '1' }, { text: 'x' }],
    [commentRoute, 'DELETE', { comment: '1' }],
    [activitiesRoute, 'GET'],
    [linksRoute, 'GET'],
    [linksRoute, 'POST', {}, { url: 'https://x.example' }],
    [linkRoute, 'DELETE', { link: '1' }],
    [shareRoute, 'GET'],
    [shareRoute, 'POST', {}, {}],
    [shareRoute, 'DELETE'],
    [tagsRoute, 'GET'],
    [tagRoute, 'GET', { key: 'browser' }],
    [valuesRoute, 'GET', { key: 'browser' }],
    [issueRoute, 'DELETE'],
    [teamsRoute, 'GET'],
    [teamsRoute, 'POST', {}, { slug: 'x', name: 'x' }],
    [teamRoute, 'GET', { team: 'shop' }],
    [teamRoute, 'PUT', { team: 'shop' }, { name: 'x' }],
    [teamRoute, 'DELETE', { team: 'shop' }],
    [membersRoute, 'GET', { team: 'shop' }],
    [memberTeamRoute, 'POST', { team: 'shop', member: 'me' }],
    [projectTeamRoute, 'POST', { team: 'shop' }],
    [ownershipRoute, 'GET'],
    [ownershipRoute, 'PUT', {}, { raw: '' }],
    [codeownersRoute, 'GET'],
    [codeownersRoute, 'PUT', {}, { raw: '' }],
    [ownersRoute, 'GET', { event: eventId }],
    [tombstonesRoute, 'GET'],
    [tombstoneRoute, 'DELETE', { tombstone: '1' }],
  ];
  for (const [index, [route, method, params, body]] of routes.entries()) {
    const { status } = await call(route, method, stranger, { params, body });
    expect([index, method, status]).toEqual([index, method, 404]);
  }
});

test('comments: read by all, written by members, changed by their author', async () => {
  expect((await call(commentsRoute, 'POST', viewer, { body: { text: 'x' } })).status).toBe(403);
  expect((await call(commentsRoute, 'POST', member, { body: { text: ' ' } })).status).toBe(400);
  const made = await call(commentsRoute, 'POST', member, { body: { text: `@${viewer.ctx.email} look` } });
  expect(made).toMatchObject({
    status: 201,
    body: { type: 'note', user: { id: member.ctx.userId }, data: { text: `@${viewer.ctx.email} look` } },
  });
  const params = { comment: (made.body as { id: string }).id };
  const change = { params, body: { text: 'better' } };
  expect((await call(commentRoute, 'PUT', other, change)).status).toBe(403);
  expect((await call(commentRoute, 'PUT', member, change)).body).toMatchObject({ data: { text: 'better' } });
  expect((await call(commentsRoute, 'GET', viewer)).body).toMatchObject([{ data: { text: 'better' } }]);
  expect(await read(viewer)).toMatchObject({ numComments: 1, isSubscribed: true });
  const page = await call(activitiesRoute, 'GET', viewer, { query: '?limit=1' });
  expect(page.body).toMatchObject({ activity: [{ type: 'note' }] });
  expect(page.link).toContain('results="true"');
  expect((await call(commentRoute, 'DELETE', other, { params })).status).toBe(403);
  expect((await call(commentRoute, 'DELETE', member, { params })).status).toBe(204);
  expect((await call(commentRoute, 'DELETE', member, { params: { comment: 'x' } })).status).toBe(404);
});

test('teams, and issues that belong to them', async () => {
  const body = { name: 'Shop & Cart' };
  expect((await call(teamsRoute, 'POST', admin, { body })).status).toBe(403);
  expect(await call(teamsRoute, 'POST', manager, { body })).toMatchObject({
    status: 201,
    body: { slug: 'shop-cart', name: 'Shop & Cart', memberCount: 0 },
  });
  expect((await call(teamsRoute, 'POST', manager, { body })).status).toBe(409);
  const params = { team: 'shop-cart', member: other.ctx.userId };
  expect((await call(memberTeamRoute, 'POST', manager, { params })).body).toMatchObject({ memberCount: 1 });
  expect((await call(projectTeamRoute, 'POST', manager, { params })).body).toMatchObject({
    slug: 'web',
    teams: [{ slug: 'shop-cart' }],
  });
  expect((await call(membersRoute, 'GET', viewer, { params })).body).toMatchObject([
    { user: { id: other.ctx.userId }, teamSlug: 'shop-cart' },
  ]);
  expect((await call(teamsRoute, 'GET', other)).body).toMatchObject([{ slug: 'shop-cart', isMember: true }]);

  expect((await put(member, { assignedTo: '#shop-cart' })).status).toBe(200);
  expect(await read(viewer)).toMatchObject({ assignedTo: { type: 'team', slug: 'shop-cart' } });
  expect((await put(member, { assignedTo: `user:${other.ctx.userId}` })).status).toBe(200);
  expect(await read(viewer)).toMatchObject({ assignedTo: { type: 'user', id: other.ctx.userId } });
  expect((await put(member, { assignedTo: 'team:999999' })).status).toBe(400);
  expect((await put(viewer, { assignedTo: '' })).status).toBe(403);
  expect((await put(member, { assignedTo: '' })).status).toBe(200);

  expect((await call(teamRoute, 'PUT', manager, { params, body: { slug: 'shop' } })).body).toMatchObject({
    slug: 'shop',
  });
  expect(
    (await call(memberTeamRoute, 'DELETE', manager, { params: { ...params, team: 'shop' } })).status,
  ).toBe(200);
});

test('marks are the caller’s own, and a share is answered once', async () => {
  expect((await put(member, { isBookmarked: true, hasSeen: true, isSubscribed: false })).body).toMatchObject({
    isBookmarked: true,
    hasSeen: true,
    isSubscribed: false,
  });
  expect(await read(other)).toMatchObject({ isBookmarked: false, hasSeen: false });
  expect(await read(member)).toMatchObject({ seenBy: [{ id: member.ctx.userId }] });

  expect((await call(shareRoute, 'POST', viewer, { body: {} })).status).toBe(403);
  const shared = await call(shareRoute, 'POST', member, { body: { days: 1 } });
  expect(shared).toMatchObject({
    status: 201,
    body: { shareId: expect.stringMatching(/^[\w-]{43}$/), url: expect.stringContaining('/share/issue/') },
  });
  expect(await read(viewer)).toMatchObject({ isPublic: true, shareId: null });
  expect((await call(shareRoute, 'GET', viewer)).body).toMatchObject({ isAllowed: true, isPublic: true });
  expect((await put(member, { isPublic: false })).status).toBe(200);
  expect(await read(viewer)).toMatchObject({ isPublic: false });
});

test('links and tags', async () => {
  const body = { url: 'https://github.com/acme/web/issues/12' };
  expect((await call(linksRoute, 'POST', viewer, { body })).status).toBe(403);
  expect((await call(linksRoute, 'POST', member, { body: { url: 'ftp://x' } })).status).toBe(400);
  const made = await call(linksRoute, 'POST', member, { body });
  expect(made).toMatchObject({
    status: 201,
    body: { serviceType: 'github.com', displayName: '12 · github.com', webUrl: body.url },
  });
  expect((await call(linksRoute, 'POST', member, { body })).status).toBe(409);
  expect((await call(linksRoute, 'GET', viewer)).body).toMatchObject([{ webUrl: body.url }]);
  const params = { link: (made.body as { id: string }).id };
  expect((await call(linkRoute, 'DELETE', member, { params })).status).toBe(204);
  expect((await call(linkRoute, 'DELETE', member, { params })).status).toBe(404);

  const top = [{ value: 'Safari', count: 1 }];
  expect((await call(tagsRoute, 'GET', viewer)).body).toMatchObject([
    { key: 'browser', totalValues: 1, topValues: top },
  ]);
  const browser = { params: { key: 'browser' } };
  expect((await call(tagRoute, 'GET', viewer, browser)).body).toMatchObject({ topValues: top });
  expect((await call(valuesRoute, 'GET', viewer, browser)).body).toMatchObject(top);
  expect((await call(tagRoute, 'GET', viewer, { params: { key: 'nothing' } })).status).toBe(404);
});

test('ownership rules and CODEOWNERS', async () => {
  const raw = `* ${member.ctx.email}`;
  expect((await call(ownershipRoute, 'PUT', member, { body: { raw } })).status).toBe(403);
  expect(await call(ownershipRoute, 'PUT', admin, { body: { raw: 'a b' } })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('line 1') },
  });
  const autoAssignment = 'Auto Assign to Issue Owner';
  expect((await call(ownershipRoute, 'PUT', admin, { body: { raw, autoAssignment } })).body).toMatchObject({
    raw,
    autoAssignment,
  });
  expect((await call(ownershipRoute, 'GET', viewer)).body).toMatchObject({ raw });
  const file = { raw: '* @acme/shop', stackRoot: 'app:///', sourceRoot: 'src' };
  expect((await call(codeownersRoute, 'PUT', admin, { body: file })).body).toMatchObject(file);
  const long = { raw: `# ${'x'.repeat(90_000)}` };
  expect((await call(codeownersRoute, 'PUT', admin, { body: long })).status).toBe(200);
  const owners = await call(ownersRoute, 'GET', viewer, { params: { event: eventId } });
  // The event has no stack: no rule about paths fits.
  expect(owners.body).toEqual({ owners: [], rule: null, rules: [], isComplete: true });
});

test('deleting takes a manager; discarding is listed and can be taken back', async () => {
  const web = (await product.stores.projects.findProject(mine.id, 'web'))!;
  await product.ingest(mine, [
    { projectId: web.id, groupingHash: hashOf('one') },
    { projectId: web.id, groupingHash: hashOf('two') },
    { projectId: web.id, groupingHash: hashOf('three') },
  ]);
  const idOf = async (name: string) =>
    String((await product.stores.issues.findByHash(mine.id, web.id, hashOf(name)))?.id ?? '');
  const [one, two, three] = [await idOf('one'), await idOf('two'), await idOf('three')];
  expect((await call(issueRoute, 'DELETE', admin, { params: { issue: one } })).status).toBe(403);
  expect((await call(issueRoute, 'DELETE', manager, { params: { issue: one } })).status).toBe(202);
  const bulk = (caller: Caller, query: string) =>
    call(organizationIssuesRoute, 'DELETE', caller, { query, params: {} });
  expect((await bulk(member, `?id=${two}`)).status).toBe(403);
  expect((await bulk(manager, '')).status).toBe(400);
  expect((await bulk(manager, `?id=${two}&id=${one}`)).status).toBe(204);
  expect((await bulk(manager, `?id=${two}`)).status).toBe(404);
  expect(await idOf('two')).toBe('');

  const discard = { params: { issue: three }, body: { discard: true } };
  expect((await call(issueRoute, 'PUT', member, discard)).status).toBe(403);
  expect((await call(issueRoute, 'PUT', manager, discard)).status).toBeLessThan(300);
  const listed = await call(tombstonesRoute, 'GET', viewer);
  expect(listed.body).toMatchObject([{ title: 'TypeError: x is undefined' }]);
  const params = { tombstone: (listed.body as { id: string }[])[0]?.id };
  expect((await call(tombstoneRoute, 'DELETE', admin, { params })).status).toBe(403);
  expect((await call(tombstoneRoute, 'DELETE', manager, { params })).status).toBe(204);
  expect((await call(tombstonesRoute, 'GET', viewer)).body).toEqual([]);
});
