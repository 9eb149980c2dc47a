import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { explainSelection } from '#product/explore/rows/explain-selection.ts';
import { createDeploy } from '#product/releases/deploys.ts';
import { saveRelease } from '#product/releases/save-release.ts';
import { HOUR_MS, MINUTE_MS, makeEvent, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { openProduct, type Product } from './open-product.ts';

const RANGE = { fromMs: NOON_MS - 10 * HOUR_MS, toMs: NOON_MS + HOUR_MS };
const SELECTION = { fromMs: NOON_MS, toMs: NOON_MS + 30 * MINUTE_MS };

describe('what changed in a part of the time', () => {
  let product: Product;
  let organization: Organization;
  let web: Project;
  let viewer: Awaited<ReturnType<Product['join']>>;

  beforeAll(async () => {
    product = await openProduct();
    organization = await product.createOrganization();
    web = await product.createProject(organization, 'web');
    viewer = await product.join(organization, 'viewer');
    const own = { organizationId: organization.id, projectId: web.id };
    // In the selection three in four are of one host; before it one in ten.
    const logs = Array.from({ length: 200 }, (_, index) => {
      const isSelected = index < 40;
      const isOfHost = isSelected ? index % 4 !== 0 : index % 10 === 0;
      return makeRow('logs', {
        ...own,
        body: `Order ${index} failed`,
        level: 'error',
        environment: 'production',
        release: 'web@1',
        occurredAtUs: (isSelected ? NOON_MS + index * 1_000 : NOON_MS - 2 * HOUR_MS + index * 1_000) * 1_000,
        attributes: { 'server.address': isOfHost ? 'node-7' : `node-${index % 5}`, odd: index % 2 === 1 },
      });
    });
    const events = Array.from({ length: 60 }, (_, index) =>
      makeEvent({
        ...own,
        occurredAt: index < 20 ? NOON_MS + index * 1_000 : NOON_MS - 3 * HOUR_MS + index * 1_000,
        release: index < 20 ? 'web@2' : 'web@1',
        tags: [['browser', index < 20 || index % 9 === 0 ? 'Firefox' : 'Chrome']],
      }),
    );
    await product.stores.telemetry.insert({ logs }, 'selection');
    await product.stores.events.insertEvents(events, 'selection');
  });
  afterAll(async () => {
    await product?.close();
  });

  const ask = (dataset: 'errors' | 'logs', part = {}) => ({
    dataset,
    query: '',
    projectSlugs: [],
    environments: [],
    range: RANGE,
    ...part,
  });

  test('a value that is more frequent, with the rows of both sides; what differs in every row says nothing', async () => {
    const found = await explainSelection(viewer, ask('logs'), SELECTION);
    expect(found).toMatchObject({
      total: { selected: 40, others: 160 },
      looked: { selected: 40, others: 160 },
      isSampled: false,
    });
    expect(found.values).toEqual([{ name: 'server.address', value: 'node-7', selected: 30, others: 16 }]);
  });

  test('errors by release and tag', async () => {
    const found = await explainSelection(viewer, ask('errors'), SELECTION);
    expect(found.total).toEqual({ selected: 20, others: 40 });
    expect(found.values.map(({ name, value }) => `${name}:${value}`)).toEqual([
      'release:web@2',
      'browser:Firefox',
    ]);
  });

  test('releases and deploys shortly before', async () => {
    const owner = await product.join(organization, 'owner');
    const projectSlugs = ['web'];
    const at = (minutes: number) => NOON_MS + minutes * MINUTE_MS;
    await saveRelease(owner, { version: 'web@2', projectSlugs, change: { releasedAt: at(-50) } });
    await saveRelease(owner, { version: 'web@1', projectSlugs, change: { releasedAt: at(-600) } });
    for (const [environment, minutes] of [
      ['staging', -300],
      ['production', -5],
    ] as const) {
      const deploy = { environment, name: null, url: null, startedAt: null, finishedAt: at(minutes) };
      await createDeploy(owner, { version: 'web@2', projectSlugs: [], deploy });
    }
    const { arrivals } = await explainSelection(viewer, ask('logs'), SELECTION);
    expect(arrivals).toEqual([
      { kind: 'release', version: 'web@2', environment: null, atMs: at(-50) },
      { kind: 'deploy', version: 'web@2', environment: 'production', atMs: at(-5) },
    ]);
  });

  test('nothing to compare, and a part outside of the range', async () => {
    expect((await explainSelection(viewer, ask('logs'), RANGE)).values).toEqual([]);
    const later = { fromMs: RANGE.toMs, toMs: RANGE.toMs + HOUR_MS };
    await expect(explainSelection(viewer, ask('logs'), later)).rejects.toThrow('outside of the time range');
    await expect(explainSelection(viewer, ask('logs', { query: 'a:(' }), SELECTION)).rejects.toThrow();
  });
});
