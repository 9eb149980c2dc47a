import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import {
  countFiltered,
  getInboundFilters,
  updateInboundFilters,
} from '#product/inbound-filters/inbound-filters.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';
import { DAY_MS, HOUR_MS, NOON_MS } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
let organization: Organization;
let project: Project;

beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  organization = await product.createOrganization();
  project = await product.createProject(organization, 'web');
});

describe('filters of a project', () => {
  test('are the defaults until somebody decides, and what was not changed stays', async () => {
    const admin = await product.join(organization, 'admin');
    expect(await getInboundFilters(admin, 'web')).toEqual(DEFAULT_INGEST_SETTINGS.filters);
    await updateInboundFilters(admin, {
      projectSlug: 'web',
      change: { localhost: true, releases: [' 1.* ', '', '1.*', '2.0'] },
    });
    const filters = await updateInboundFilters(admin, {
      projectSlug: 'web',
      change: { legacyBrowsers: ['android', 'ie', 'ie'] },
    });
    const expected = {
      ...DEFAULT_INGEST_SETTINGS.filters,
      localhost: true,
      releases: ['1.*', '2.0'],
      legacyBrowsers: ['ie', 'android'],
    };
    expect(filters).toEqual(expected);
    expect(await getInboundFilters(admin, 'web')).toEqual(expected);
  });

  test('a line that cannot be used is refused by its number, and nothing changes', async () => {
    const admin = await product.join(organization, 'admin');
    const change = { localhost: true, ipAddresses: ['10.0.0.1', '10.0.0.0/99'] };
    await expect(updateInboundFilters(admin, { projectSlug: 'web', change })).rejects.toMatchObject({
      code: 'invalid',
      field: 'ipAddresses',
      message: expect.stringMatching(/IP addresses, line 2 \("10\.0\.0\.0\/99"\)/),
    });
    await expect(
      updateInboundFilters(admin, { projectSlug: 'web', change: { legacyBrowsers: ['netscape' as 'ie'] } }),
    ).rejects.toMatchObject({ code: 'invalid', field: 'legacyBrowsers' });
    expect(await getInboundFilters(admin, 'web')).toEqual(DEFAULT_INGEST_SETTINGS.filters);
  });

  test('anybody may read them, an admin may change them, and those of others are not found', async () => {
    const member = await product.join(organization, 'member');
    expect(await getInboundFilters(member, 'web')).toEqual(DEFAULT_INGEST_SETTINGS.filters);
    await expect(
      updateInboundFilters(member, { projectSlug: 'web', change: { localhost: true } }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    const stranger = await product.join(await product.createOrganization(), 'owner');
    await expect(getInboundFilters(stranger, 'web')).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      updateInboundFilters(stranger, { projectSlug: 'web', change: { localhost: true } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('what filters dropped is counted by filter, over 30 days and of this project only', async () => {
  const viewer = await product.join(organization, 'viewer');
  const other = await product.createProject(organization, 'api');
  const count = (fields: Partial<OutcomeCount>): OutcomeCount => ({
    organizationId: organization.id,
    projectId: project.id,
    keyId: null,
    at: NOON_MS - HOUR_MS,
    category: 'error',
    outcome: 'filtered',
    reason: 'web-crawlers',
    quantity: 1,
    ...fields,
  });
  await product.assignNext([], {
    nowMs: NOON_MS,
    outcomes: [
      count({ quantity: 12_304 }),
      count({ category: 'transaction', quantity: 2 }),
      count({ reason: 'localhost', at: NOON_MS - 29 * DAY_MS, quantity: 3 }),
      count({ reason: 'localhost', at: NOON_MS - 31 * DAY_MS, quantity: 500 }),
      count({ outcome: 'invalid', reason: 'duplicate', quantity: 9 }),
      count({ projectId: other.id, quantity: 70 }),
    ],
  });
  expect(await countFiltered(viewer, 'web')).toEqual({ 'web-crawlers': 12_306, localhost: 3 });
});
