import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { findIssuesByWords } from '#product/issues/find-issues.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { listEnvironments } from '#product/projects/list-project-summaries.ts';
import { DAY_MS, hashOf, NOON_MS } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
let organization: Organization;
let web: Project;
let member: Awaited<ReturnType<Product['join']>>;

beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  product.clock.nowMs = NOON_MS;
  organization = await product.createOrganization();
  web = await product.createProject(organization, 'web');
  member = await product.join(organization, 'member');
});

const ingest = (title: string, occurredAt = NOON_MS, environment?: string) =>
  product.ingest(organization, [
    { projectId: web.id, title, groupingHash: hashOf(title), occurredAt, environment },
  ]);

describe('findIssuesByWords', () => {
  const titles = async (text: string) => (await findIssuesByWords(member, text)).map((issue) => issue.title);

  test('finds what has all the words, in either case, and by the short id', async () => {
    await ingest('The coupon is gone');
    await ingest('The coupon is spent');
    expect(await titles('COUPON spent')).toEqual(['The coupon is spent']);
    const [issue] = await findIssuesByWords(member, 'gone');
    expect(await titles(issue?.shortId.toLowerCase() ?? '')).toEqual(['The coupon is gone']);
    expect(await titles('coupon nowhere')).toEqual([]);
  });

  test('takes every character as it is: nothing typed is an operator or a wildcard', async () => {
    await ingest('50 % of "web"* is:open (half');
    expect(await titles('is:open "web"*')).toHaveLength(1);
    expect(await titles('5* open')).toEqual([]);
    expect(await titles('% (half \0')).toHaveLength(1);
  });

  test('answers few, and nothing for no words', async () => {
    for (let index = 0; index < 10; index += 1) await ingest(`many ${index}`);
    expect(await titles('many')).toHaveLength(8);
    expect(await titles('  ')).toEqual([]);
  });

  test('finds nothing of another organization', async () => {
    await ingest('secret');
    const other = await product.join(await product.createOrganization(), 'owner');
    expect(await findIssuesByWords(other, 'secret')).toEqual([]);
  });
});

test('environments are those of the chosen projects', async () => {
  const api = await product.createProject(organization, 'api');
  await ingest('one', NOON_MS, 'staging');
  await product.ingest(organization, [{ projectId: api.id, title: 'two', environment: 'production' }]);
  expect((await listEnvironments(member, [])).toSorted()).toEqual(['production', 'staging']);
  expect(await listEnvironments(member, ['web'])).toEqual(['staging']);
  await expect(listEnvironments(member, ['nope'])).rejects.toMatchObject({ code: 'not_found' });
});

test('a time that is over has the issues that were there then, also those that went on', async () => {
  await ingest('went on', NOON_MS - 3 * DAY_MS);
  await ingest('went on', NOON_MS);
  await ingest('came later', NOON_MS);
  const { issues } = await listIssues(member, {
    query: '',
    projectSlugs: [],
    sort: 'date',
    range: { fromMs: NOON_MS - 4 * DAY_MS, toMs: NOON_MS - 2 * DAY_MS },
    cursor: null,
    limit: 10,
  });
  expect(issues.map((issue) => [issue.title, issue.activity?.events])).toEqual([['went on', 1]]);
});
