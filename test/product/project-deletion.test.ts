import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization } from '#domain/projects.ts';
import { replayRecord } from '#main/connect-cli.ts';
import { runDataRequest } from '#product/data-requests/run-data-request.ts';
import { deleteOrganization } from '#product/organizations/organizations.ts';
import { deleteProjectData } from '#product/project-deletion/delete-project-data.ts';
import { deleteProject } from '#product/projects/change-projects.ts';
import type { Stores } from '#product/stores.ts';
import { blobKey } from '#protocol/blob-key.ts';
import { NO_RENEWAL } from '#storage/ports/spool-renewal.ts';
import { createBackupLock } from '#storage/postgres/backup/digest-pause.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { HOUR_MS, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { testInFull } from '../harness/is-full.ts';
import { until } from '../harness/until.ts';
import { openProduct, type Product } from './open-product.ts';

describe('deleting a project', () => {
  let product: Product;
  let organization: Organization;
  let manager: Awaited<ReturnType<Product['join']>>;

  beforeAll(async () => {
    product = await openProduct();
  });
  afterAll(async () => {
    await product?.close();
  });

  async function start() {
    organization = await product.createOrganization();
    manager = await product.join(organization, 'manager');
  }

  testInFull('rows go up to a key of a blob, those behind it stay', async () => {
    await start();
    const web = await product.createProject(organization, 'web');
    const ids = { organizationId: organization.id, projectId: web.id };
    const keys = ['a', 'b', 'c'].map((name) => blobKey(NOON_MS, web.id, name));
    await product.stores.telemetry.insert(
      {
        attachments: keys.slice(1).map((key) => makeRow('attachments', { ...ids, blobKey: key })),
        profiles: [makeRow('profiles', { ...ids, blobKey: keys[0]! })],
      },
      `keys ${web.id}`,
    );
    const deleted = { ...ids, deletedAt: 0, sweeps: 0 };
    const { deletedProjectData } = product.stores;
    expect(await deletedProjectData.listBlobKeys(deleted, '', 5)).toEqual(keys);
    await deletedProjectData.deleteBlobRows(deleted, keys[1]!);
    expect(await deletedProjectData.listBlobKeys(deleted, '', 5)).toEqual([keys[2]]);
    await expect(deletedProjectData.deleteBlobRows(deleted, "x' OR 1 = 1 --")).rejects.toThrow(
      'not a blob key',
    );
  });

  testInFull('no statement deletes more issues than its time limit bears', async () => {
    await start();
    const web = await product.createProject(organization, 'web');
    await product.pool.query(
      `INSERT INTO issues (organization_id, project_id, short_id, title, culprit, level, platform, type, substatus,
         priority, first_seen, last_seen, times_seen)
       SELECT $1, $2, 'WEB-' || number, 'x', '', 'error', 'node', 'error', 'new', 'high', now(), now(), 1
       FROM generate_series(1, 2500) AS number`,
      [organization.id, web.id],
    );
    await product.pool.query(
      `CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF (SELECT count(*) FROM gone) > 1000 THEN RAISE EXCEPTION 'too many at once'; END IF; RETURN NULL; END $$;
       CREATE TRIGGER refuse_many AFTER DELETE ON issues REFERENCING OLD TABLE AS gone
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`,
    );
    try {
      expect(await product.stores.projectDeletions.deleteProject(organization.id, web.id, NOON_MS)).toBe(
        true,
      );
    } finally {
      await product.pool.query('DROP TRIGGER refuse_many ON issues; DROP FUNCTION refuse_many');
    }
    const { rows } = await product.pool.query('SELECT FROM issues WHERE project_id = $1', [web.id]);
    expect(rows).toEqual([]);
    await product.stores.projectDeletions.forget(web.id);
  });

  test.each(['a project', 'an organization'])(
    'deleting %s locks nothing before the maps of hashes that somebody counts by',
    async (what) => {
      await start();
      const [first, second] = [
        await product.createProject(organization, 'first'),
        await product.createProject(organization, 'second'),
      ];
      const counted = what === 'a project' ? first : second;
      const owner = await product.join(organization, 'owner');
      const digest = await product.pool.connect();
      try {
        await digest.query('BEGIN');
        await digest.query('SELECT pg_advisory_xact_lock_shared((7270001::bigint << 32) | $1)', [counted.id]);
        const deleting =
          what === 'a project'
            ? deleteProject(manager, { projectSlug: 'first', confirmation: 'first' })
            : deleteOrganization(owner, { confirmation: organization.slug });
        await until('the deletion that waits', async () => {
          const { rows } = await product.pool.query(
            `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
             WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
          );
          return rows.length > 0;
        });
        await digest.query('SELECT FROM projects WHERE id = ANY($1) FOR UPDATE NOWAIT', [
          [first.id, second.id],
        ]);
        await digest.query('COMMIT');
        await deleting;
      } finally {
        digest.release();
      }
      const deleted = await product.stores.projectDeletions.listDeleted();
      expect(deleted.map(({ projectId }) => projectId)).toEqual(
        what === 'a project' ? [first.id] : [first.id, second.id],
      );
      for (const { projectId } of deleted) await product.stores.projectDeletions.forget(projectId);
    },
  );

  test('what was set aside goes with its project and is not replayed any more', async () => {
    await start();
    const [gone, kept] = [
      await product.createProject(organization, 'gone'),
      await product.createProject(organization, 'kept'),
    ];
    let position = 0;
    const setAside = async () => {
      const entries = [gone, kept].map(({ id }) => ({
        organizationId: organization.id,
        projectId: id,
        keyId: null,
        eventId: null,
        category: 'error' as const,
        reason: 'digest_failed',
        detail: '',
        attempts: 3,
        receivedAt: NOON_MS,
        record: Buffer.from('record'),
        spoolId: `set aside ${id}`,
        position: position++,
        item: 0,
      }));
      const stretch = { spoolId: `set aside ${gone.id} ${position}`, from: 0, to: 1 };
      await createDigestStore(product.db).assign(stretch, [], [], entries, NOON_MS);
    };
    const { quarantine } = product.stores;
    const list = async () => (await quarantine.list(organization.id, 10)).map(({ projectId }) => projectId);
    await setAside();
    await deleteProject(manager, { projectSlug: 'gone', confirmation: 'gone' });
    expect(await list()).toEqual([kept.id]);
    // What was in the spool is set aside after the project is gone.
    await setAside();
    const late = (await quarantine.list(organization.id, 10)).find(({ projectId }) => projectId === gone.id)!;
    await expect(
      replayRecord(quarantine, { append: () => Promise.reject(new Error('nowhere')) }, late.id),
    ).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/deleted/),
    });
    await deleteProjectData(product.stores, NOON_MS);
    expect(await list()).toEqual([kept.id, kept.id]);
    await setAside();
    await deleteProjectData(product.stores, NOON_MS + HOUR_MS);
    expect(await list()).toEqual([kept.id, kept.id, kept.id]);
  });

  test('what a deleted project had is counted for its certificate, and then in no part any more', async () => {
    await start();
    const web = await product.createProject(organization, 'certified');
    const row = { organizationId: organization.id, projectId: web.id };
    await product.stores.telemetry.insert(
      { logs: [makeRow('logs', row), makeRow('logs', row)] },
      'certified',
    );
    await product.ingest(organization, [{ projectId: web.id }]);
    await deleteProject(manager, { projectSlug: 'certified', confirmation: 'certified' });
    const { dataRequests, deletedRows } = product.stores;
    const work = async (nowMs: number, instead: Partial<Stores> = {}) => {
      for (;;) {
        const claimed = await dataRequests.claim('worker', 60_000, nowMs);
        if (!claimed) return (await dataRequests.list(organization.id, 1))[0]!;
        const deps = {
          backupLock: createBackupLock({ url: product.databaseUrl }),
          faults: { hit() {}, reach() {} },
        };
        await runDataRequest(
          { stores: { ...product.stores, ...instead }, now: () => nowMs, ...deps },
          claimed,
          'worker',
        );
      }
    };
    // What was on its way is deleted after an hour: until then the request waits.
    await deleteProjectData(product.stores, NOON_MS);
    const waiting = {
      subject: 'project',
      subjectName: 'certified',
      state: 'purging',
      removed: { logs: 2, events: 1 },
    };
    expect(await work(NOON_MS)).toMatchObject({ ...waiting, step: 'settle' });
    await deleteProjectData(product.stores, NOON_MS + HOUR_MS);
    expect(await work(NOON_MS + HOUR_MS)).toMatchObject({ ...waiting, step: 'spool' });
    expect(await deletedRows.listHidden()).toEqual([]);

    // What is stored after the last sweep is found by the check, and swept as the rest was.
    await product.stores.telemetry.insert({ logs: [makeRow('logs', row)] }, 'certified late');
    const atOnce: Partial<Stores> = {
      spoolRenewal: NO_RENEWAL,
      deletedRows: { ...deletedRows, clearReplaced: async () => 0 },
    };
    const later = NOON_MS + 2 * HOUR_MS;
    expect(await work(later, atOnce)).toMatchObject({ ...waiting, step: 'settle' });
    await deleteProjectData(product.stores, later);
    expect(await work(later + HOUR_MS, atOnce)).toMatchObject({
      state: 'erased',
      removed: { logs: 3, events: 1 },
    });
  });
});
