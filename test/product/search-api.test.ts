import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import type { Context } from '#product/context.ts';
import { SAVED_SEARCHES_PER_USER_MAX } from '#product/saved-searches/own-searches.ts';
import {
  createSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
} from '#product/saved-searches/saved-searches.ts';
import { explainNothing } from '#product/search/explain-nothing.ts';
import { suggestSearch } from '#product/search/suggest/suggest-search.ts';
import { provideServices } from '#product/services.ts';
import { hashOf } from '../contract/sample-events.ts';
import { apiRoute } from '../harness/list-api-routes.ts';
import { openProduct, type Product } from './open-product.ts';
import { servicesOf } from './product-services.ts';

const issueEventsRoute = apiRoute('issues/[issue]/events');
const organizationIssuesRoute = apiRoute('organizations/[org]/issues');
const searchRoute = apiRoute('organizations/[org]/searches/[search]');
const searchesRoute = apiRoute('organizations/[org]/searches');
const projectEventsRoute = apiRoute('projects/[org]/[project]/events');

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

let product: Product;
let organization: Organization;
let member: Awaited<ReturnType<Product['join']>>;
let headers: Record<string, string>;

beforeAll(async () => {
  product = await openProduct();
  provideServices(servicesOf(product));
  organization = await product.createOrganization();
  const web = await product.createProject(organization, 'web');
  member = await product.join(organization, 'member');
  headers = await tokenOf(member, ['event:read', 'event:write']);
  await product.ingest(organization, [
    event('cart', { environment: 'production', release: 'web@1.0', tags: [['customer', 'acme inc']] }),
    event('late', {
      environment: 'staging',
      tags: [
        ['customer', 'zeta'],
        ['colour', 'red'],
      ],
    }),
  ]);
  function event(title: string, part: object) {
    return { projectId: web.id, title, groupingHash: hashOf(title), ...part };
  }
});
afterAll(async () => {
  await product?.close();
});

const tokenOf = async (ctx: Context, scopes: readonly string[]) => ({
  authorization: `Bearer ${(await createToken(ctx, { name: 'Test', scopes, expiresAt: null })).token}`,
});

async function call(
  handler: unknown,
  path: string,
  params: object,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<{ status: number; body: unknown }> {
  const request = new Request(`http://127.0.0.1:1/api/0${path}`, { headers, ...init });
  const response = await (handler as Handler)(request, { params: Promise.resolve(params as never) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const titlesOf = (body: unknown) => (body as { title: string }[]).map(({ title }) => title).sort();

describe('lists by the API', () => {
  test.each([
    ['', ['cart', 'late']],
    ['query=customer:"acme inc"', ['cart']],
    ['query=&environment=staging', ['late']],
    ['query=customer:*&environment=staging&environment=production', ['cart', 'late']],
    ['query=customer:zeta&environment=production', []],
    ['query=WEB-1&shortIdLookup=1', ['cart']],
  ])('issues: %s', async (query, expected) => {
    const answer = await call(organizationIssuesRoute.GET, `/organizations/x/issues/?${query}`, {
      org: organization.slug,
    });
    expect([answer.status, titlesOf(answer.body)]).toEqual([200, expected]);
  });

  test.each([
    ['', ['cart', 'late']],
    ['query=customer:zeta', ['late']],
    ['environment=production', ['cart']],
  ])('events of a project: %s', async (query, expected) => {
    const params = { org: organization.slug, project: 'web' };
    const answer = await call(projectEventsRoute.GET, `/projects/x/web/events/?${query}`, params);
    expect([answer.status, titlesOf(answer.body)]).toEqual([200, expected]);
  });

  test('events of an issue', async () => {
    const issue = await product.stores.issues.findByShortId(organization.id, 'WEB-1');
    const count = async (query: string) => {
      const params = { issue: String(issue?.id) };
      const answer = await call(issueEventsRoute.GET, `/issues/1/events/?query=${query}`, params);
      return (answer.body as unknown[]).length;
    };
    expect(await count('')).toBe(1);
    expect(await count('environment:production')).toBe(1);
    expect(await count('environment:staging')).toBe(0);
  });

  test('a bad search is answered 400 with the place', async () => {
    const answer = await call(organizationIssuesRoute.GET, '/organizations/x/issues/?query=a%20is:open', {
      org: organization.slug,
    });
    expect(answer).toEqual({
      status: 400,
      body: { detail: expect.stringContaining('"is:" does not support "open" at character 6') },
    });
  });
});

describe('saved searches', () => {
  const list = async (as = headers) =>
    await call(searchesRoute.GET, '/organizations/x/searches/', { org: organization.slug }, { headers: as });
  const create = async (body: object, as = headers) =>
    await call(
      searchesRoute.POST,
      '/organizations/x/searches/',
      { org: organization.slug },
      { method: 'POST', body: JSON.stringify(body), headers: as },
    );
  const change = async (id: string, method: 'PUT' | 'DELETE', body: object = {}, as = headers) =>
    await call(
      method === 'PUT' ? searchRoute.PUT : searchRoute.DELETE,
      `/organizations/x/searches/${id}/`,
      { org: organization.slug, search: id },
      { method, ...(method === 'PUT' && { body: JSON.stringify(body) }), headers: as },
    );

  test('are kept, renamed and deleted', async () => {
    const created = await create({ type: 0, name: ' Firefox ', query: 'browser.name:Firefox', sort: 'freq' });
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'Firefox', query: 'browser.name:Firefox', sort: 'freq', type: 0, visibility: 'owner' },
    });
    const { id } = created.body as { id: string };
    expect((await change(id, 'PUT', { name: 'Fire', visibility: 'organization' })).body).toMatchObject({
      name: 'Fire',
      visibility: 'organization',
      query: 'browser.name:Firefox',
    });
    expect((await list()).body).toHaveLength(1);
    expect((await change(id, 'DELETE')).status).toBe(204);
    expect((await list()).body).toEqual([]);
    expect((await change(id, 'DELETE')).status).toBe(404);
  });

  test('need a name, and a search that can be read', async () => {
    expect((await create({ name: ' ', query: 'x' })).status).toBe(400);
    expect((await create({ name: 'x', query: 'is:open' })).status).toBe(400);
    expect((await create({ name: 'x', query: 'x', sort: 'inbox' })).status).toBe(400);
    const first = await create({ name: 'Same', query: 'x' });
    expect(first.status).toBe(201);
    expect((await create({ name: 'same', query: 'y' })).status).toBe(409);
    expect((await create({ name: 'same', query: 'y', visibility: 'organization' })).status).toBe(201);
  });

  test('own ones are seen by nobody else, shared ones changed by whoever may', async () => {
    const viewer = await product.join(organization, 'viewer');
    const manager = await product.join(organization, 'manager');
    const asViewer = await tokenOf(viewer, ['event:read', 'event:write', 'org:write']);
    const asManager = await tokenOf(manager, ['event:read', 'event:write', 'org:write']);
    const own = (await create({ name: 'Own', query: 'x' })).body as { id: string };
    const shared = (await create({ name: 'Shared', query: 'x', visibility: 'organization' })).body as {
      id: string;
    };
    const names = async (as: Record<string, string>) =>
      ((await list(as)).body as { name: string }[]).map(({ name }) => name);
    expect(await names(headers)).toEqual(expect.arrayContaining(['Own', 'Shared']));
    expect(await names(asViewer)).toContain('Shared');
    expect(await names(asViewer)).not.toContain('Own');
    expect((await change(own.id, 'DELETE', {}, asManager)).status).toBe(404);
    expect((await change(shared.id, 'PUT', { name: 'Mine' }, asViewer)).status).toBe(403);
    // A token that may only read writes nothing, not even for its owner.
    expect((await create({ name: 'V', query: 'x' }, asViewer)).status).toBe(403);
    expect((await create({ name: 'W', query: 'x', visibility: 'organization' }, asViewer)).status).toBe(403);
    expect((await change(shared.id, 'DELETE', {}, asManager)).status).toBe(204);
  });

  test('of another organization do not exist, and their number is bounded', async () => {
    const other = await product.createOrganization();
    await product.createProject(other, 'web');
    const stranger = await product.join(other, 'owner');
    const asStranger = await tokenOf(stranger, ['event:read', 'event:write', 'org:write']);
    const { id } = (await create({ name: 'Ours', query: 'x', visibility: 'organization' })).body as {
      id: string;
    };
    const answer = await call(
      searchRoute.DELETE,
      `/organizations/x/searches/${id}/`,
      { org: other.slug, search: id },
      { method: 'DELETE', headers: asStranger },
    );
    expect(answer.status).toBe(404);
    const save = (name: string) =>
      createSavedSearch(stranger, { name, query: 'x', sort: 'date', isShared: false });
    for (let index = 0; index < SAVED_SEARCHES_PER_USER_MAX; index++) await save(`search ${index}`);
    await expect(save('one more')).rejects.toMatchObject({ code: 'conflict' });
    expect(await listSavedSearches(stranger)).toHaveLength(SAVED_SEARCHES_PER_USER_MAX);
  });
});

describe('a search that finds nothing', () => {
  test.each<[string, string | null]>([
    ['levl:error', 'No stored event has a field or tag "levl". Did you mean "level"?'],
    ['is:new has:nonsense', 'No stored event has a field or tag "nonsense".'],
    ['customer:nobody', null],
    ['level:debug', null],
    ['jane@example.com', 'To find a user’s issues, use user.email:jane@example.com'],
  ])('%s', async (query, expected) => {
    expect(await explainNothing(member, { query, projectSlugs: ['web'] })).toBe(expected);
  });

  test('tells nothing of what other organizations have', async () => {
    const stranger = await product.join(await product.createOrganization(), 'owner');
    const hint = await explainNothing(stranger, { query: 'customer:x', projectSlugs: [] });
    expect(hint).toBe('No stored event has a field or tag "customer".');
  });
});

describe('suggestions', () => {
  const labels = async (query: string, ctx: Context = member) => {
    const found = await suggestSearch(ctx, { query, caret: query.length, projectSlugs: [] });
    return found?.items.map(({ label }) => label) ?? null;
  };

  test.each<[string, readonly string[]]>([
    ['is:unr', ['unresolved']],
    ['level:e', ['error', 'debug']],
    ['fir', ['firstSeen', 'firstRelease']],
    ['is:new cust', ['customer']],
    ['customer:ac', ['acme inc']],
    ['environment:', ['production', 'staging']],
    ['release:', ['latest', 'web@1.0']],
    ['project:w', ['web']],
    ['assigned:n', ['none']],
    ['has:col', ['colour']],
    ['error.handled:', ['true', 'false']],
  ])('%s', async (query, expected) => {
    expect((await labels(query))?.slice(0, expected.length).sort()).toEqual([...expected].sort());
  });

  test('a value with spaces comes in quotes', async () => {
    const found = await suggestSearch(member, { query: 'customer:ac', caret: 11, projectSlugs: [] });
    expect(found).toEqual({
      kind: 'value',
      start: 9,
      end: 11,
      items: [{ text: '"acme inc"', label: 'acme inc', hint: null, events: 1 }],
    });
  });

  test('nothing of another organization is suggested', async () => {
    const other = await product.createOrganization();
    await product.createProject(other, 'shop');
    const stranger = await product.join(other, 'owner');
    expect(await labels('cust', stranger)).toEqual([]);
    expect(await labels('customer:', stranger)).toEqual([]);
    expect(await labels('release:', stranger)).toEqual(['latest']);
    expect(await labels('project:', stranger)).toEqual(['shop']);
  });
});

describe('saved queries of Explore', () => {
  const savedRoute = apiRoute('organizations/[org]/explore/saved');
  const oneRoute = apiRoute('organizations/[org]/explore/saved/[query]');
  const starRoute = apiRoute('organizations/[org]/explore/saved/[query]/starred');
  const path = '/organizations/x/explore/saved/';
  const ask = async (handler: Handler, query?: string, method = 'GET', body?: object) =>
    await call(
      handler,
      path,
      { org: organization.slug, ...(query && { query }) },
      { method, headers, ...(body && { body: JSON.stringify(body) }) },
    );
  const create = async (body: object) => await ask(savedRoute.POST, undefined, 'POST', body);
  const table = {
    mode: 'aggregate',
    query: 'level:error',
    aggregateField: [{ groupBy: 'release' }, { yAxes: ['count()'] }],
    aggregateOrderby: '-count()',
  };

  test('are kept with their table, starred first, replaced and deleted', async () => {
    const created = await create({
      name: ' By release ',
      dataset: 'errors',
      range: '7d',
      environment: ['production'],
      query: [table],
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        name: 'By release',
        dataset: 'errors',
        range: '7d',
        environment: ['production'],
        query: [{ mode: 'aggregate', query: 'level:error', groupby: ['release'] }],
        visibility: 'organization',
        starred: false,
      },
    });
    const { id } = created.body as { id: string };
    const later = (await create({ name: 'Slow', query: [{ mode: 'samples', fields: ['span.op'] }] }))
      .body as { id: string };
    const names = async () =>
      ((await ask(savedRoute.GET)).body as { name: string }[]).map(({ name }) => name);
    expect(await names()).toEqual(['Slow', 'By release']);
    expect((await ask(starRoute.POST, id, 'POST', { starred: true })).body).toMatchObject({ starred: true });
    expect(await names()).toEqual(['By release', 'Slow']);
    const replaced = await ask(oneRoute.PUT, later.id, 'PUT', {
      name: 'Slower',
      dataset: 'logs',
      start: '2026-01-01T00:00:00Z',
      end: '2026-01-02T00:00:00Z',
      query: [{ mode: 'samples', query: 'severity:error', orderby: '-timestamp' }],
    });
    expect(replaced.body).toMatchObject({ name: 'Slower', dataset: 'logs', range: null });
    expect((await ask(oneRoute.GET, later.id)).body).toEqual(replaced.body);
    expect((await ask(oneRoute.DELETE, id, 'DELETE')).status).toBe(204);
    expect((await ask(oneRoute.GET, id)).status).toBe(404);
    expect(await names()).toEqual(['Slower']);
  });

  test('must be what could be asked, and are no searches of issues', async () => {
    expect((await create({ name: ' ', query: [table] })).status).toBe(400);
    expect((await create({ name: 'a', query: [{ ...table, query: 'span.duration:fast' }] })).status).toBe(
      400,
    );
    expect((await create({ name: 'a', query: [{ ...table, aggregateOrderby: 'p95()' }] })).status).toBe(400);
    expect((await create({ name: 'a', dataset: 'transactions', query: [table] })).status).toBe(400);
    expect((await create({ name: 'a', projects: [999_999], query: [table] })).status).toBe(404);
    const search = await createSavedSearch(member, { name: 'a', query: '', sort: 'date', isShared: false });
    expect((await ask(oneRoute.GET, String(search.id))).status).toBe(404);
    const { id } = (await create({ name: 'a', visibility: 'owner', query: [table] })).body as { id: string };
    await expect(deleteSavedSearch(member, Number(id))).rejects.toMatchObject({ code: 'not_found' });
  });
});
