import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import { getInboundFilters } from '#product/inbound-filters/inbound-filters.ts';
import { provideServices } from '#product/services.ts';
import { apiRoute } from '../harness/list-api-routes.ts';
import { openProduct, type Product } from './open-product.ts';
import { servicesOf } from './product-services.ts';

const filterRoute = apiRoute('projects/[org]/[project]/filters/[filter]');
const filtersRoute = apiRoute('projects/[org]/[project]/filters');

let product: Product;
let organization: Organization;

beforeAll(async () => {
  product = await openProduct();
  provideServices(servicesOf(product));
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  organization = await product.createOrganization();
  await product.createProject(organization, 'web');
});

/** A token of a new admin. */
async function tokenOf(scopes: readonly string[]): Promise<string> {
  const admin = await product.join(organization, 'admin');
  return (await createToken(admin, { name: 'CI', scopes, expiresAt: null })).token;
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });

async function list(token: string): Promise<Record<string, unknown>[]> {
  const response = await filtersRoute.GET(
    new Request('http://127.0.0.1:1/api/0/projects/o/web/filters/', { headers: headersOf(token) }),
    { params: Promise.resolve({ org: organization.slug, project: 'web' }) },
  );
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>[];
}

async function put(token: string, filter: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await filterRoute.PUT(
    new Request(`http://127.0.0.1:1/api/0/projects/o/web/filters/${filter}/`, {
      method: 'PUT',
      headers: headersOf(token),
      body: JSON.stringify(body),
    }),
    { params: Promise.resolve({ org: organization.slug, project: 'web', filter }) },
  );
  return { status: response.status, text: await response.text() };
}

test('lists every filter with its state, as Sentry does', async () => {
  const rows = await list(await tokenOf(['project:read']));
  expect(rows.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'browser-extensions',
      'localhost',
      'web-crawlers',
      'filtered-transaction',
      'legacy-browsers',
    ]),
  );
  expect(rows.find(({ id }) => id === 'localhost')).toEqual({
    id: 'localhost',
    active: false,
    name: expect.any(String),
    description: expect.any(String),
    hello: expect.stringContaining('localhost - '),
  });
  expect(rows.find(({ id }) => id === 'legacy-browsers')).toMatchObject({ active: false });
});

test('turns a filter on and off, and leaves the others', async () => {
  const token = await tokenOf(['project:write']);
  expect(await put(token, 'localhost', { active: true })).toEqual({ status: 204, text: '' });
  expect(await put(token, 'web-crawlers', { active: false })).toEqual({ status: 204, text: '' });
  const rows = await list(token);
  expect(
    rows.filter(({ id }) => id === 'localhost' || id === 'web-crawlers').map(({ active }) => active),
  ).toEqual([true, false]);
});

test('chooses legacy browsers one by one, or the usual ones, or none', async () => {
  const token = await tokenOf(['project:write']);
  const chosen = async () => (await list(token)).find(({ id }) => id === 'legacy-browsers')?.active;
  expect((await put(token, 'legacy-browsers', { subfilters: ['safari', 'ie'] })).status).toBe(204);
  expect(await chosen()).toEqual(['ie', 'safari']);
  expect((await put(token, 'legacy-browsers', { active: true })).status).toBe(204);
  expect(await chosen()).toEqual(expect.arrayContaining(['ie_pre_9', 'opera_pre_15']));
  expect((await put(token, 'legacy-browsers', { active: false })).status).toBe(204);
  expect(await chosen()).toBe(false);
});

test('refuses what is wrong, and changes nothing', async () => {
  const token = await tokenOf(['project:write']);
  expect((await put(token, 'no-such-filter', { active: true })).status).toBe(404);
  expect((await put(token, 'localhost', { active: 'yes' })).status).toBe(400);
  expect((await put(token, 'localhost', {})).status).toBe(400);
  expect((await put(token, 'legacy-browsers', { subfilters: ['netscape'] })).status).toBe(400);
  expect((await put(await tokenOf(['project:read']), 'localhost', { active: true })).status).toBe(403);
  const viewer = await product.join(organization, 'viewer');
  expect((await getInboundFilters(viewer, 'web')).localhost).toBe(false);
});
