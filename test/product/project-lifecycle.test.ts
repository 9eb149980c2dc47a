import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { deleteProjectData } from '#product/project-deletion/delete-project-data.ts';
import { deleteProject, updateProject } from '#product/projects/change-projects.ts';
import { createProject } from '#product/projects/create-project.ts';
import { listProjectSummaries } from '#product/projects/list-project-summaries.ts';
import { getProject, listProjects } from '#product/visible-projects.ts';
import { blobKey } from '#protocol/blob-key.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { DAY_MS, HOUR_MS, hashOf, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { testInFull } from '../harness/is-full.ts';
import { openProduct, type Product } from './open-product.ts';

describe('the lifecycle of a project', () => {
  let product: Product;
  let organization: Organization;
  let manager: Awaited<ReturnType<Product['join']>>;
  let admin: Awaited<ReturnType<Product['join']>>;

  beforeAll(async () => {
    product = await openProduct();
  });
  afterAll(async () => {
    await product?.close();
  });

  async function start() {
    product.clock.nowMs = NOON_MS;
    organization = await product.createOrganization();
    manager = await product.join(organization, 'manager');
    admin = await product.join(organization, 'admin');
  }

  testInFull(
    'an admin changes name, slug and platform; issues keep their names, and no other project gives them again',
    async () => {
      await start();
      const web = await product.createProject(organization, 'web');
      await product.ingest(organization, [{ projectId: web.id, groupingHash: hashOf('before') }]);
      const changed = await updateProject(admin, {
        projectSlug: 'web',
        change: { name: '  Web shop ', slug: 'shop', platform: 'javascript-react' },
      });
      expect(changed).toMatchObject({
        id: web.id,
        name: 'Web shop',
        slug: 'shop',
        platform: 'javascript-react',
      });
      await expect(getProject(admin, 'web')).rejects.toMatchObject({ code: 'not_found' });
      const { issues } = product.stores;
      expect((await issues.findByShortId(organization.id, 'WEB-1'))?.projectSlug).toBe('shop');
      await product.ingest(organization, [{ projectId: web.id, groupingHash: hashOf('after') }]);
      expect(await issues.findByShortId(organization.id, 'SHOP-2')).not.toBeNull();

      await expect(createProject(admin, { slug: 'web', platform: null })).rejects.toMatchObject({
        code: 'conflict',
        field: 'slug',
      });
      // A longer slug makes other names.
      await createProject(admin, { slug: 'web-2', platform: null });
      await expect(
        updateProject(admin, { projectSlug: 'web-2', change: { slug: 'web' } }),
      ).rejects.toMatchObject({ code: 'conflict', field: 'slug' });
      await expect(
        updateProject(admin, { projectSlug: 'web-2', change: { slug: 'shop' } }),
      ).rejects.toMatchObject({ code: 'conflict', field: 'slug' });
      // Its own former name is free to itself.
      expect((await updateProject(admin, { projectSlug: 'shop', change: { slug: 'web' } })).slug).toBe('web');
    },
  );

  test('what is wrong names its field; who may not change it hears so', async () => {
    await start();
    await product.createProject(organization, 'web');
    const change = (part: object, ctx = admin) => updateProject(ctx, { projectSlug: 'web', change: part });
    await expect(change({ name: '  ' })).rejects.toMatchObject({ code: 'invalid', field: 'name' });
    await expect(change({ slug: 'issues' })).rejects.toMatchObject({ code: 'invalid', field: 'slug' });
    await expect(change({ platform: 'no such/thing' })).rejects.toMatchObject({ field: 'platform' });
    const member = await product.join(organization, 'member');
    await expect(change({ name: 'x' }, member)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('an internal project stays as it is', async () => {
    await start();
    await product.createProject(organization, 'errata-self', true);
    const owner = await product.join(organization, 'owner', true);
    await expect(
      updateProject(owner, { projectSlug: 'errata-self', change: { name: 'x' } }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      deleteProject(owner, { projectSlug: 'errata-self', confirmation: 'errata-self' }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('a deleted project is gone at once, and all that it stored with the sweeps', async () => {
    await start();
    const [gone, kept] = [
      await product.createProject(organization, 'gone'),
      await product.createProject(organization, 'kept'),
    ];
    const body = blobKey(NOON_MS, gone.id, 'body');
    const fill = async () => {
      for (const project of [gone, kept]) {
        await product.stores.events.insertEvents(
          await product.ingest(organization, [{ projectId: project.id }]),
          `again ${project.id} ${Math.random()}`,
        );
        await product.stores.telemetry.insert(
          {
            logs: [makeRow('logs', { organizationId: organization.id, projectId: project.id })],
            attachments: [
              makeRow('attachments', {
                organizationId: organization.id,
                projectId: project.id,
                ...(project === gone && { blobKey: body }),
              }),
            ],
          },
          `telemetry ${project.id} ${Math.random()}`,
        );
      }
    };
    await fill();
    await product.stores.blobs.put(body, Buffer.from('body'));
    const { deletedProjectData, events, telemetry } = product.stores;
    const range = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS + DAY_MS };
    const left = async (projectId: number) => {
      const scope = { organizationId: organization.id, projectIds: [projectId] };
      const page = await events.listEvents(scope, { limit: 5, before: null, range });
      const logs = await telemetry.list('logs', scope, { limit: 5, before: null, range });
      return [page.events.length, logs.rows.length];
    };
    expect(await left(gone.id)).toEqual([1, 1]);

    await expect(deleteProject(admin, { projectSlug: 'gone', confirmation: 'gone' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(deleteProject(manager, { projectSlug: 'gone', confirmation: 'kept' })).rejects.toMatchObject(
      { code: 'invalid', field: 'confirmation' },
    );
    await deleteProject(manager, { projectSlug: 'gone', confirmation: ' gone ' });
    expect((await listProjects(manager)).map((project) => project.slug)).toEqual(['kept']);

    const sweep = () => deleteProjectData(product.stores, product.clock.nowMs);
    expect(await sweep()).toBe(1);
    expect([await left(gone.id), await left(kept.id)]).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(await product.stores.blobs.size(body)).toBeNull();
    expect(await sweep()).toBe(0);
    // What was in the spool arrives after the first sweep.
    const late = { organizationId: organization.id, projectId: gone.id, deletedAt: 0, sweeps: 0 };
    await product.stores.telemetry.insert({ logs: [makeRow('logs', late)] }, `late ${gone.id}`);
    product.clock.nowMs += HOUR_MS;
    expect(await sweep()).toBe(1);
    expect(await left(gone.id)).toEqual([0, 0]);
    expect(await deletedProjectData.listBlobKeys(late, '', 5)).toEqual([]);
    expect(await product.stores.projectDeletions.listDeleted()).toEqual([]);
  });

  test('several deletions wait side by side, each for its own sweeps', async () => {
    await start();
    const { projectDeletions } = product.stores;
    const projects = [
      await product.createProject(organization, 'one'),
      await product.createProject(organization, 'two'),
    ];
    for (const { id } of projects) await projectDeletions.deleteProject(organization.id, id, NOON_MS);
    expect(await projectDeletions.deleteProject(organization.id, projects[0]!.id, NOON_MS)).toBe(false);
    await projectDeletions.noteSweep(projects[1]!.id);
    const sweeps = async () => (await projectDeletions.listDeleted()).map((project) => project.sweeps);
    expect(await sweeps()).toEqual([0, 1]);
    await projectDeletions.postpone(projects[0]!.id);
    expect(await sweeps()).toEqual([1, 0]);
    await projectDeletions.forget(projects[0]!.id);
    expect(await sweeps()).toEqual([1]);
    await projectDeletions.forget(projects[1]!.id);
    expect(await sweeps()).toEqual([]);
  });

  test('projects beside each other: what they sent, what is new, their key and their teams', async () => {
    await start();
    const web = await product.createProject(organization, 'web');
    await product.createProject(organization, 'quiet');
    const at = NOON_MS - 2 * HOUR_MS;
    const events = await product.ingest(organization, [
      { projectId: web.id, groupingHash: hashOf('one'), occurredAt: at },
      { projectId: web.id, groupingHash: hashOf('two'), occurredAt: at - 30 * DAY_MS },
    ]);
    const spoolId = `summaries ${organization.id}`;
    const outcomes = events.map(() => ({
      organizationId: organization.id,
      projectId: web.id,
      keyId: null,
      at,
      category: 'error' as const,
      outcome: 'accepted' as const,
      reason: '',
      quantity: 1,
    }));
    await createDigestStore(product.db).assign({ spoolId, from: 0, to: 1 }, [], outcomes, [], NOON_MS);
    const team = await product.stores.teams.create(organization.id, { slug: 'shop', name: 'Shop' });
    await product.stores.teams.setProject(organization.id, team.id, web.id, true);
    await product.stores.teams.setMember(organization.id, team.id, admin.userId, true);
    const range = { fromMs: NOON_MS - DAY_MS, toMs: NOON_MS };
    const { projects, bucketMs } = await listProjectSummaries(admin, { range });
    expect(bucketMs).toBe(HOUR_MS);
    expect(projects.map((project) => project.slug)).toEqual(['quiet', 'web']);
    const [quiet, busy] = projects;
    expect(quiet).toMatchObject({
      isOwn: false,
      teams: [],
      summary: { accepted: 0, newIssues: 0, unresolvedIssues: 0, lastEventAt: null },
    });
    expect(busy).toMatchObject({
      isOwn: true,
      teams: ['shop'],
      summary: { accepted: 2, newIssues: 1, unresolvedIssues: 2, lastEventAt: at },
    });
    expect(busy?.summary.buckets[22]).toBe(2);
    expect(busy?.dsn).toMatch(new RegExp(`//[0-9a-f]{32}@errors.example.com/${web.id}$`));
    const [key] = await product.stores.projects.listKeys(organization.id, web.id);
    await product.stores.projects.setKeyActive(organization.id, key!.id, false);
    expect((await listProjectSummaries(admin, { range })).projects[1]?.dsn).toBeNull();
  });
});
