import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { getEvent } from '#product/events/get-event.ts';
import { listProjectEvents } from '#product/events/list-project-events.ts';
import { listProjectKeys } from '#product/projects/client-keys.ts';
import { createProject } from '#product/projects/create-project.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { getProject, listProjects } from '#product/visible-projects.ts';
import { parseDsn } from '#protocol/dsn.ts';
import {
  acceptedOutcomes,
  DAY_MS,
  HOUR_MS,
  hashOf,
  MINUTE_MS,
  makeEvent,
  NOON_MS,
} from '../contract/sample-events.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';

let product: Product;
let organization: Organization;

beforeAll(async () => {
  product = await openProduct();
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  organization = await product.createOrganization();
});

describe('createProject', () => {
  test('gives a DSN of its first key at the public address', async () => {
    const admin = await product.join(organization, 'admin');
    const { project, dsn } = await createProject(admin, { slug: 'web', platform: 'javascript-nextjs' });
    expect(project).toMatchObject({
      slug: 'web',
      name: 'web',
      platform: 'javascript-nextjs',
      isInternal: false,
      organizationId: organization.id,
    });
    const keys = await listProjectKeys(admin, 'web');
    expect(keys.map((key) => key.dsn)).toEqual([dsn]);
    expect(parseDsn(dsn)).toEqual({
      baseUrl: PUBLIC_URL,
      publicKey: keys[0]?.publicKey,
      projectId: project.id,
    });
  });

  test('a name is kept, without the space around it', async () => {
    const admin = await product.join(organization, 'admin');
    const { project } = await createProject(admin, { slug: 'web', name: '  Web shop ', platform: null });
    expect(project).toMatchObject({ name: 'Web shop', platform: null });
  });

  test('needs the role admin, and of a token project:write', async () => {
    const make = { slug: 'web', platform: null };
    for (const role of ['viewer', 'member'] as const) {
      const ctx = await product.join(organization, role);
      await expect(createProject(ctx, make)).rejects.toMatchObject({ code: 'forbidden' });
    }
    const admin = await product.join(organization, 'admin');
    const token = (scopes: readonly string[]) =>
      ({
        ...admin,
        actor: {
          kind: 'token',
          userId: admin.userId,
          name: 'CI',
          role: 'admin',
          isInstanceOwner: false,
          scopes,
        },
      }) as const;
    await expect(createProject(token(['project:read']), make)).rejects.toThrow(/project:write/);
    expect((await createProject(token(['project:write']), make)).project.slug).toBe('web');
    const system = product.contextFor(organization, { kind: 'system' });
    expect((await createProject(system, { slug: 'api', platform: null })).project.slug).toBe('api');
  });

  test('bad slugs, names and platforms are invalid, a taken slug is a conflict', async () => {
    const admin = await product.join(organization, 'admin');
    await createProject(admin, { slug: 'web', platform: null });
    for (const [input, field] of [
      [{ slug: 'Web', platform: null }, 'slug'],
      [{ slug: '42', platform: null }, 'slug'],
      [{ slug: 'settings', platform: null }, 'slug'],
      [{ slug: 'ok', name: 'x'.repeat(201), platform: null }, 'name'],
      [{ slug: 'ok', platform: 'no such <thing>' }, 'platform'],
    ] as const) {
      await expect(createProject(admin, input)).rejects.toMatchObject({ code: 'invalid', field });
    }
    await expect(createProject(admin, { slug: 'web', platform: null })).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

test('internal projects are known to the owner of the instance only, those of others to nobody', async () => {
  await product.createProject(organization, 'web');
  await product.createProject(organization, 'errata-self', true);
  const owner = await product.join(organization, 'owner');
  const instanceOwner = await product.join(organization, 'owner', true);
  const stranger = await product.join(await product.createOrganization(), 'owner', true);
  const slugs = async (ctx: typeof owner) => (await listProjects(ctx)).map((project) => project.slug);
  expect(await slugs(owner)).toEqual(['web']);
  expect(await slugs(instanceOwner)).toEqual(['web', 'errata-self']);
  expect(await slugs(stranger)).toEqual([]);
  await expect(getProject(owner, 'errata-self')).rejects.toMatchObject({ code: 'not_found' });
  await expect(listProjectKeys(owner, 'errata-self')).rejects.toMatchObject({ code: 'not_found' });
  await expect(getProject(stranger, 'web')).rejects.toMatchObject({ code: 'not_found' });
  expect((await getProject(instanceOwner, 'errata-self')).isInternal).toBe(true);
});

describe('the events of a project', () => {
  test('one is found by its id in any writing, with its issue', async () => {
    const web = await product.createProject(organization, 'web');
    const viewer = await product.join(organization, 'viewer');
    const [made] = await product.ingest(organization, [{ projectId: web.id }]);
    const id = made!.eventId;
    const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();
    for (const eventId of [id, dashed]) {
      const { event, issue } = await getEvent(viewer, { projectSlug: 'web', eventId });
      expect(event).toMatchObject({ eventId: id, payload: made!.payload });
      expect(issue?.shortId).toBe('WEB-1');
    }
  });

  test('one of another project or organization, or of none, is not found', async () => {
    const web = await product.createProject(organization, 'web');
    await product.createProject(organization, 'api');
    const viewer = await product.join(organization, 'viewer');
    const other = await product.createOrganization();
    await product.createProject(other, 'web');
    const stranger = await product.join(other, 'owner', true);
    const [made] = await product.ingest(organization, [{ projectId: web.id }]);
    const { eventId } = made!;
    await expect(getEvent(viewer, { projectSlug: 'api', eventId })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(getEvent(stranger, { projectSlug: 'web', eventId })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(getEvent(viewer, { projectSlug: 'web', eventId: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('are listed newest first over pages, each with its issue', async () => {
    const web = await product.createProject(organization, 'web');
    const viewer = await product.join(organization, 'viewer');
    const made = await product.ingest(
      organization,
      Array.from({ length: 5 }, (_, index) => ({
        projectId: web.id,
        title: `Issue ${index % 2}`,
        groupingHash: hashOf(`${index % 2}`),
        occurredAt: NOON_MS - index * MINUTE_MS,
      })),
    );
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await listProjectEvents(viewer, { projectSlug: 'web', cursor, limit: 2 });
      for (const { event, issue } of page.events) {
        expect(issue?.title).toBe(event.title);
        ids.push(event.eventId);
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(ids).toEqual(made.map((event) => event.eventId));
  });
});

describe('getOutcomeSeries', () => {
  test('counts outcomes of the given projects by bucket', async () => {
    const [web, api] = [
      await product.createProject(organization, 'web'),
      await product.createProject(organization, 'api'),
    ];
    const viewer = await product.join(organization, 'viewer');
    const events = [web, web, api].map((project) =>
      makeEvent({
        organizationId: organization.id,
        projectId: project.id,
        occurredAt: NOON_MS - 2 * HOUR_MS,
      }),
    );
    await product.assignNext(events, { outcomes: acceptedOutcomes(events) });
    const range = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS };
    const read = (projectSlugs: string[]) =>
      getOutcomeSeries(viewer, { projectSlugs, range, bucketMs: HOUR_MS });
    const [series] = await read([]);
    expect(series).toMatchObject({ category: 'error', outcome: 'accepted', total: 3 });
    expect(series?.buckets).toHaveLength(24);
    expect(series?.buckets[22]).toBe(3);
    expect((await read(['api']))[0]?.total).toBe(1);
    await expect(read(['nope'])).rejects.toMatchObject({ code: 'not_found' });
  });

  test('takes whole hours only, and not too many of them', async () => {
    const viewer = await product.join(organization, 'viewer');
    const read = (lengthMs: number, bucketMs: number) =>
      getOutcomeSeries(viewer, {
        projectSlugs: [],
        range: { fromMs: NOON_MS - lengthMs, toMs: NOON_MS },
        bucketMs,
      });
    await expect(read(DAY_MS, 30 * MINUTE_MS)).rejects.toThrow(/whole hours/);
    await expect(read(90 * DAY_MS, HOUR_MS)).rejects.toThrow(/1000 buckets/);
    await expect(read(0, HOUR_MS)).rejects.toMatchObject({ code: 'invalid' });
  });
});
