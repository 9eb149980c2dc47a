import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerWith } from '#app/api/0/answer-request.ts';
import type { Role } from '#domain/people.ts';
import type { Organization } from '#domain/projects.ts';
import { unavailable } from '#lib/errors.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import type { Context } from '#product/context.ts';
import { provideServices } from '#product/services.ts';
import { createAuthenticator } from '#storage/postgres/auth/authenticator.ts';
import { apiRoute } from '../harness/list-api-routes.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';

const issueRoute = apiRoute('issues/[issue]');
const organizationsRoute = apiRoute('organizations');
const projectIssuesRoute = apiRoute('projects/[org]/[project]/issues');
const projectsRoute = apiRoute('projects');
const rootRoute = apiRoute('');

const PASSWORD = 'three birds on a wire';

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

let product: Product;
let authenticator: ReturnType<typeof createAuthenticator>;
let mine: Organization;
let theirs: Organization;
let issueId: number;

beforeAll(async () => {
  product = await openProduct();
  authenticator = createAuthenticator({
    pool: product.pool,
    secret: 'fe5c1c0f4b1d4b7f9d8f4f6f2c6f0a3b9e7d5c3b1a',
    publicUrl: PUBLIC_URL,
  });
  provideServices(servicesOf(product));
  mine = await product.createOrganization();
  theirs = await product.createOrganization();
  const web = await product.createProject(mine, 'web');
  await product.createProject(theirs, 'other');
  await product.ingest(mine, [{ projectId: web.id }]);
  const found = await product.stores.issues.findByShortId(mine.id, 'WEB-1');
  issueId = found!.id;
});
afterAll(async () => {
  await product?.close();
});

/** Calls a route as the server does; `params` are the dynamic parts of its path. */
async function call(
  handler: Handler,
  path: string,
  options: { params?: object; headers?: Record<string, string>; method?: string; body?: string } = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const { params = {}, ...init } = options;
  const response = await handler(new Request(`http://127.0.0.1:1/api/0${path}`, init), {
    params: Promise.resolve(params as never),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function tokenOf(ctx: Context, scopes: readonly string[]): Promise<Record<string, string>> {
  return bearer((await createToken(ctx, { name: 'Test', scopes, expiresAt: null })).token);
}

const getIssue = (headers: Record<string, string>) =>
  call(issueRoute.GET as Handler, `/issues/${issueId}/`, { params: { issue: String(issueId) }, headers });

const resolve = (headers: Record<string, string>) =>
  call(issueRoute.PUT as Handler, `/issues/${issueId}/`, {
    params: { issue: String(issueId) },
    headers,
    method: 'PUT',
    body: '{"status":"resolved"}',
  });

test('a token sees its organization and nothing of others, not even that it exists', async () => {
  const inside = await tokenOf(await product.join(mine, 'member'), [
    'org:read',
    'project:read',
    'event:read',
  ]);
  const outside = await tokenOf(await product.join(theirs, 'owner', true), ['org:read', 'event:read']);
  const organizations = await call(organizationsRoute.GET as Handler, '/organizations/', { headers: inside });
  expect(organizations.body).toMatchObject([{ slug: mine.slug }]);
  expect((await call(projectsRoute.GET as Handler, '/projects/', { headers: inside })).body).toMatchObject([
    { slug: 'web', organization: { slug: mine.slug } },
  ]);
  expect((await getIssue(inside)).status).toBe(200);
  expect((await getIssue(outside)).status).toBe(404);
  const list = (headers: Record<string, string>, project: string) =>
    call(projectIssuesRoute.GET as Handler, '/projects/x/y/issues/', {
      params: { org: mine.slug, project },
      headers,
    });
  expect((await list(inside, 'web')).status).toBe(200);
  expect((await list(inside, 'nothing')).status).toBe(404);
  expect((await list(outside, 'web')).body).toEqual((await list(outside, 'nothing')).body);
});

test('each method needs its scope, and the answer names it', async () => {
  const member = await product.join(mine, 'member');
  const reader = await tokenOf(member, ['event:read']);
  expect((await getIssue(reader)).status).toBe(200);
  expect(await resolve(reader)).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('event:write') },
  });
  const blind = await tokenOf(member, ['project:read']);
  expect(await getIssue(blind)).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('event:read') },
  });
  for (const [route, scope] of [
    [organizationsRoute.GET, 'org:read'],
    [projectsRoute.GET, 'project:read'],
  ] as const) {
    expect(await call(route as Handler, '/x/', { headers: reader })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining(scope) },
    });
  }
});

test('the scopes of a token are cut down to the role of its owner', async () => {
  const viewer = await tokenOf(await product.join(mine, 'viewer'), ['event:write', 'project:write']);
  const root = await call(rootRoute.GET as Handler, '/', { headers: viewer });
  expect(root.body).toMatchObject({ version: '0', auth: { scopes: ['project:read', 'event:read'] } });
  expect((await resolve(viewer)).status).toBe(403);
});

test('without credentials, and with wrong ones, the answer is 401 as JSON with the reason', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer ' },
    { authorization: 'Bearer nonsense' },
    { authorization: 'Basic YTpi' },
    { cookie: 'better-auth.session_token=made.up' },
  ]) {
    const answer = await getIssue(headers as Record<string, string>);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/json']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="api"');
    expect(answer.body).toEqual({ detail: expect.stringMatching(/\w/) });
  }
});

test('a signed-in user may read with the session cookie, but not change anything with it', async () => {
  const signedIn = await signIn('admin');
  expect(await getIssue(signedIn)).toMatchObject({ status: 200, body: { shortId: 'WEB-1' } });
  const root = await call(rootRoute.GET as Handler, '/', { headers: signedIn });
  expect(root.body).toMatchObject({ auth: { scopes: expect.arrayContaining(['project:write']) } });
  expect((await resolve(signedIn)).status).toBe(401);
  expect(await getIssue(signedIn)).toMatchObject({ body: { status: 'unresolved' } });
});

test('a wrong token is refused also beside a good session', async () => {
  expect((await getIssue({ ...(await signIn('member')), ...bearer('nonsense') })).status).toBe(401);
});

test('a method that a path does not have is 405 and says which it has', async () => {
  const answer = await call(issueRoute.POST as Handler, '/issues/1/', {
    params: { issue: '1' },
    method: 'POST',
  });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, PUT, DELETE']);
  expect(answer.body).toEqual({ detail: expect.stringContaining('POST') });
});

test('nothing that is answered may be kept by a cache', async () => {
  const token = await tokenOf(await product.join(mine, 'member'), ['event:read']);
  for (const answer of [await getIssue(token), await getIssue({})]) {
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
});

test('what no endpoint expects is 500 without its content, a store that is away 503 with Retry-After', async () => {
  const token = await tokenOf(await product.join(mine, 'member'), ['event:read']);
  const failing =
    (error: Error): Handler =>
    (request) =>
      answerWith(() => Promise.reject(error), request, {});
  const defect = await call(failing(new Error('password=hunter2')), '/x/', { headers: token });
  expect(defect).toMatchObject({ status: 500, body: { detail: expect.stringContaining('log') } });
  expect(JSON.stringify(defect.body)).not.toContain('hunter2');
  const away = await call(failing(unavailable('PostgreSQL is not responding')), '/x/', { headers: token });
  expect(away).toMatchObject({ status: 503, body: { detail: 'PostgreSQL is not responding' } });
  expect(away.headers.get('retry-after')).toBe('5');
});

/** The cookie header of a new member who has signed in. */
async function signIn(role: Role): Promise<Record<string, string>> {
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`;
  const user = await authenticator.createUser({ email, name: role, password: PASSWORD });
  await product.stores.accounts.addMembership({ organizationId: mine.id, userId: user.id, role });
  const signedIn = await authenticator.signIn({ email, password: PASSWORD, headers: new Headers() });
  return { cookie: (signedIn?.cookies ?? []).map((cookie) => cookie.split(';')[0]).join('; ') };
}
