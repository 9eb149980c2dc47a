import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { hashDistinctId } from '#pipeline/sessions/session-attributes.ts';
import { addComment } from '#product/comments/comments.ts';
import type { DataRequest } from '#product/data-requests/data-request.ts';
import {
  cancelDataRequest,
  DATA_REQUESTS_LISTED_MAX,
  eraseData,
  expireDataRequests,
  exportData,
  getDataRequest,
  listAllDataRequests,
  openExport,
  requestData,
} from '#product/data-requests/data-requests.ts';
import { LEASE_MS, runDataRequest } from '#product/data-requests/run-data-request.ts';
import { TEXT_PLACES } from '#product/data-requests/store/text-places.ts';
import type { Stores } from '#product/stores.ts';
import { blobKey } from '#protocol/blob-key.ts';
import { createAnalyticSource } from '#storage/clickhouse/backup/analytic-cut.ts';
import { NO_RENEWAL } from '#storage/ports/spool-renewal.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';
import { createBackupLock } from '#storage/postgres/backup/digest-pause.ts';
import { DAY_MS, hashOf, MINUTE_MS, NOON_MS, newEventId } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { testInFull } from '../harness/is-full.ts';
import { until } from '../harness/until.ts';
import { openProduct, type Product } from './open-product.ts';

const EMAIL = 'ann.erasable@example.com';
const ID = 'cust-7f3a91c2';
/** Of one erasure from its beginning to its end, which rewrites tables of both stores. */
const WHOLE_ERASURE_MS = 2 * MINUTE_MS;
const NOBODY = { id: null, email: null, username: null, ip: null };
const ANN: readonly UserKey[] = [
  { kind: 'email', value: 'Ann.Erasable@example.com' },
  { kind: 'id', value: ID },
];

describe('data requests', () => {
  let product: Product;
  let organization: Organization;
  let web: Project;
  let manager: Awaited<ReturnType<Product['join']>>;
  let kept: readonly string[];
  const replayId = newEventId();
  const blobs: string[] = [];

  beforeAll(async () => {
    product = await openProduct();
    organization = await product.createOrganization();
    web = await product.createProject(organization, 'web');
    manager = await product.join(organization, 'manager');
    await fill();
  });
  afterAll(async () => {
    await product?.close();
  });

  /** Ann's data of every kind, and beside each something that is not hers. */
  async function fill() {
    const projectId = web.id;
    const events = await product.ingest(organization, [
      {
        projectId,
        groupingHash: hashOf('both'),
        user: { ...NOBODY, id: ID, email: EMAIL },
        tags: [['user', `id:${ID}`]],
      },
      {
        projectId,
        groupingHash: hashOf('only ann'),
        user: { ...NOBODY, email: EMAIL },
        title: `No cart for ${EMAIL}`,
      },
      // In a text, behind a line break and in an address, as others write it.
      { projectId, groupingHash: hashOf('both'), message: `sent to\n${EMAIL}.` },
      { projectId, groupingHash: hashOf('both'), culprit: `/u?mail=${encodeURIComponent(EMAIL)}&x` },
      { projectId, groupingHash: hashOf('both'), user: { ...NOBODY, id: 'bob' } },
      { projectId, groupingHash: hashOf('both'), user: { ...NOBODY, email: `jo${EMAIL}` } },
      { projectId, groupingHash: hashOf('both'), message: `${EMAIL}.au and ${ID}-2` },
    ]);
    kept = events.slice(4).map((event) => event.eventId);
    const own = { organizationId: organization.id, projectId };
    const [first] = events;
    const put = async (name: string) => {
      const key = blobKey(NOON_MS, projectId, name);
      await product.stores.blobs.put(key, Buffer.from(`content of ${name}`));
      blobs.push(key);
      return key;
    };
    const transactionId = newEventId();
    const profileId = newEventId();
    await product.stores.telemetry.insert(
      {
        transactions: [
          makeRow('transactions', { ...own, eventId: transactionId, profileId, user: { ...NOBODY, id: ID } }),
          makeRow('transactions', own),
        ],
        spans: [
          makeRow('spans', { ...own, transactionId }),
          makeRow('spans', { ...own, attributes: { 'user.id': ID } }),
          makeRow('spans', own),
        ],
        logs: [
          makeRow('logs', { ...own, body: `login of ${ID}` }),
          makeRow('logs', { ...own, attributes: { 'user.email': EMAIL } }),
          makeRow('logs', own),
        ],
        metrics: [makeRow('metrics', { ...own, attributes: { user: EMAIL } }), makeRow('metrics', own)],
        sessions: [
          makeRow('sessions', { ...own, distinctIdHash: hashDistinctId(ID) }),
          makeRow('sessions', { ...own, distinctIdHash: hashDistinctId('bob') }),
        ],
        feedback: [makeRow('feedback', { ...own, email: EMAIL }), makeRow('feedback', own)],
        attachments: [
          makeRow('attachments', { ...own, eventId: first!.eventId, blobKey: await put('ann-file') }),
          makeRow('attachments', { ...own, eventId: kept[0]!, blobKey: await put('bob-file') }),
        ],
        replays: [
          makeRow('replays', { ...own, replayId, segmentId: 0, userEmail: EMAIL }),
          // A later segment that does not name her.
          makeRow('replays', { ...own, replayId, segmentId: 1 }),
          makeRow('replays', own),
        ],
        replaySegments: [
          makeRow('replaySegments', { ...own, replayId, segmentId: 0, blobKey: await put('ann-recording') }),
          makeRow('replaySegments', { ...own, blobKey: await put('bob-recording') }),
        ],
        profiles: [
          makeRow('profiles', { ...own, profileId, blobKey: await put('ann-profile') }),
          makeRow('profiles', { ...own, blobKey: await put('bob-profile') }),
        ],
      },
      'people',
    );
    const issue = await product.stores.issues.findByShortId(organization.id, 'WEB-1');
    await addComment(manager, issue!, { text: `${EMAIL} wrote, ${EMAIL},${EMAIL} too` });
    await product.pool.query(
      `INSERT INTO quarantine (organization_id, project_id, key_id, category, reason, detail, attempts, received_at,
         quarantined_at, spool_id, position, item, record)
       SELECT $1, $2, 1, 'error', 'digest_failed', '', 3, now(), now(), 'people', number, 0, record
       FROM unnest($3::bytea[]) WITH ORDINALITY AS records (record, number)`,
      [
        organization.id,
        projectId,
        [Buffer.from(`{"email":"${EMAIL}"}`), Buffer.from('{"email":"bob@example.com"}')],
      ],
    );
  }

  /** What the digest of a machine reports. */
  const report = (spoolId: string, completeUntil: number) =>
    product.stores.ingestMarks.save(spoolId, { completeUntil, gaps: [], updatedAt: product.clock.nowMs });

  /** Works until the request waits for something or is done. */
  async function work(id: number, instead: Partial<Stores> = {}): Promise<DataRequest> {
    await report('one machine', product.clock.nowMs);
    for (let rounds = 0; rounds < 20; rounds += 1) {
      const claimed = await product.stores.dataRequests.claim('worker', LEASE_MS, product.clock.nowMs);
      if (!claimed) break;
      await runDataRequest(
        {
          stores: { ...product.stores, ...instead },
          backupLock: createBackupLock({ url: product.databaseUrl }),
          faults: { hit() {}, reach() {} },
          now: () => product.clock.nowMs,
        },
        claimed,
        'worker',
      );
    }
    return (await product.stores.dataRequests.find(organization.id, id))!;
  }

  const FOUND = {
    events: 4,
    transactions: 1,
    spans: 2,
    logs: 2,
    metrics: 1,
    sessions: 1,
    feedback: 1,
    attachments: 1,
    replays: 1,
    replaySegments: 1,
    profiles: 1,
    files: 3,
    issues: 2,
    comments: 1,
    quarantine: 1,
  };

  test('what is stored of a person is counted by kind, exported, and erased; nothing else is', async () => {
    const { id } = await requestData(manager, { identifiers: ANN });
    const counted = await work(id);
    expect(counted).toMatchObject({ state: 'counted', lastError: null, found: FOUND });
    expect(counted.found.searchValues).toBeGreaterThan(0);
    expect((await getDataRequest(manager, id)).identifiers).toEqual(ANN);

    await exportData(manager, id);
    expect(await work(id)).toMatchObject({ state: 'counted', lastError: null });
    const files = await readTar(await openExport(manager, id));
    expect(files.get('manifest.json')).toContain('errata-data-export-1');
    expect(files.get('events/00001.jsonl')!.trim().split('\n')).toHaveLength(4);
    expect(files.get('comments/00001.jsonl')).toContain(EMAIL);
    expect([...files.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(3);
    expect([...files.values()].join()).not.toContain('content of bob');
    const other = await product.join(organization, 'owner');
    await expect(openExport(other, id)).rejects.toMatchObject({ code: 'not_found' });

    await expect(eraseData(manager, { requestId: id, confirmation: 'yes' })).rejects.toMatchObject({
      code: 'invalid',
    });
    await eraseData(manager, { requestId: id, confirmation: 'erase' });
    const waiting = await work(id);
    expect(waiting).toMatchObject({ lastError: null, state: 'purging', step: 'spool' });

    // Hidden, and in no part any more; texts are blanked.
    expect(await product.stores.deletedRows.listHidden()).toEqual([]);
    const { rows } = await product.pool.query('SELECT data::text FROM activities');
    expect(JSON.stringify(rows)).toContain('[erased] wrote, [erased],[erased] too');
    for (const key of blobs)
      expect([key, (await product.stores.blobs.size(key)) !== null]).toEqual([key, key.includes('bob')]);
    const scope = { organizationId: organization.id, projectIds: [web.id] };
    for (const eventId of kept) expect(await product.stores.events.findEvent(scope, eventId)).not.toBeNull();
    const issues = await product.pool.query<{ short_id: string }>('SELECT short_id FROM issues ORDER BY id');
    expect(issues.rows.map((row) => row.short_id)).toEqual(['WEB-1']);

    // Nobody is left to be found.
    const again = await requestData(manager, { identifiers: ANN });
    expect(await work(again.id)).toMatchObject({ state: 'counted', found: {} });
    await cancelDataRequest(manager, again.id);
    const audit = await product.stores.audit.list(organization.id, {}, 50);
    expect(audit.map(({ action }) => action)).toContain('data-request.erase');
    expect(JSON.stringify(audit).toLowerCase()).not.toContain('ann.erasable');
    const { rows: requests } = await product.pool.query(
      'SELECT data_requests::text AS row FROM data_requests',
    );
    expect(JSON.stringify(requests).toLowerCase()).not.toContain('ann.erasable');
  });

  test('a short number is only looked for where a user is named', async () => {
    await product.ingest(organization, [
      { projectId: web.id, user: { ...NOBODY, id: '42' } },
      { projectId: web.id, message: 'took 42 ms' },
    ]);
    const { id, notes } = await requestData(manager, { identifiers: [{ kind: 'id', value: '42' }] });
    expect(notes).toEqual(['short_identifier']);
    expect((await work(id)).found).toMatchObject({ events: 1 });
    await cancelDataRequest(manager, id);
  });

  test('who may not, and what is none', async () => {
    const admin = await product.join(organization, 'admin');
    await expect(requestData(admin, { identifiers: ANN })).rejects.toMatchObject({ code: 'forbidden' });
    const invalid = (identifiers: readonly UserKey[]) =>
      expect(requestData(manager, { identifiers })).rejects.toMatchObject({ code: 'invalid' });
    await invalid([]);
    await invalid([{ kind: 'email', value: 'ann' }]);
    await invalid([{ kind: 'ip', value: '300.1.1.1' }]);
  });

  test('a request that nobody goes on with is forgotten', async () => {
    const { id } = await requestData(manager, { identifiers: ANN });
    await work(id);
    await expireDataRequests(product.stores, product.clock.nowMs + 15 * DAY_MS);
    expect(await product.stores.dataRequests.find(organization.id, id)).toMatchObject({ state: 'canceled' });
    expect(await product.stores.dataRequests.readIdentifiers(organization.id, id)).toEqual([]);
    expect(await product.stores.personRows.listNoted()).not.toContain(id);
  });

  /** A person with one event, whose data was counted. */
  async function countNewPerson(name: string) {
    const email = `${name}@people.example`;
    const store = async () =>
      (await product.ingest(organization, [{ projectId: web.id, user: { ...NOBODY, email } }]))[0]!.eventId;
    const first = await store();
    const { id } = await requestData(manager, { identifiers: [{ kind: 'email', value: email }] });
    return { id, store, first };
  }
  const isStored = async (eventId: string) => {
    const scope = { organizationId: organization.id, projectIds: [web.id] };
    return (await product.stores.events.findEvent(scope, eventId)) !== null;
  };

  testInFull(
    'a request that is canceled while it is counted or exported stays canceled, and has no archive',
    async () => {
      const { personRows, exportFiles, dataRequests } = product.stores;
      const counting = await countNewPerson('cancel-1');
      const counted = work(counting.id, {
        personRows: {
          ...personRows,
          async note(...args) {
            await personRows.note(...args);
            await cancelDataRequest(manager, counting.id);
          },
        },
      });
      await expect(counted).rejects.toThrow('canceled');
      expect(await dataRequests.find(organization.id, counting.id)).toMatchObject({ state: 'canceled' });

      const exporting = await countNewPerson('cancel-2');
      await work(exporting.id);
      await exportData(manager, exporting.id);
      const exported = work(exporting.id, {
        exportFiles: {
          ...exportFiles,
          async write(...args) {
            await cancelDataRequest(manager, exporting.id);
            return await exportFiles.write(...args);
          },
        },
      });
      await expect(exported).rejects.toThrow('canceled');
      expect(await dataRequests.find(organization.id, exporting.id)).toMatchObject({
        state: 'canceled',
        exportBytes: null,
      });
      expect(await exportFiles.read(exporting.id)).toBeNull();
    },
  );

  test('an erasure waits for what other machines accepted before, and says for which', async () => {
    const { id, store } = await countNewPerson('settle');
    await work(id);
    const askedAt = product.clock.nowMs;
    await report('other machine', askedAt - 1);
    await eraseData(manager, { requestId: id, confirmation: 'erase' });
    expect(await work(id)).toMatchObject({ state: 'purging', step: 'settle', lastError: null });
    product.clock.nowMs += 2 * MINUTE_MS;
    expect(await work(id)).toMatchObject({
      step: 'settle',
      lastError: expect.stringContaining('Spool other machine'),
    });
    const late = await store();
    await report('other machine', askedAt);
    product.clock.nowMs += MINUTE_MS;
    expect(await work(id)).toMatchObject({ step: 'spool', lastError: null });
    expect(await isStored(late)).toBe(false);
    await report('other machine', askedAt + 30 * DAY_MS);
  });

  testInFull(
    'a machine that stays away for a week is not waited for any more, which the certificate says',
    async () => {
      const { id } = await countNewPerson('gone');
      await work(id);
      await report('gone machine', product.clock.nowMs - 1);
      await eraseData(manager, { requestId: id, confirmation: 'erase' });
      expect(await work(id)).toMatchObject({ step: 'settle' });
      product.clock.nowMs += 7 * DAY_MS;
      expect(await work(id, { spoolRenewal: NO_RENEWAL })).toMatchObject({
        state: 'erased',
        notes: expect.arrayContaining(['spool_not_stored']),
      });
    },
    WHOLE_ERASURE_MS,
  );

  testInFull(
    'what arrives after the second round goes in a third, also when the last check was interrupted',
    async () => {
      const { id, store, first } = await countNewPerson('late');
      await work(id);
      await eraseData(manager, { requestId: id, confirmation: 'erase' });
      const { personRows, deletedRows } = product.stores;
      let late = '';
      let notes = 0;
      const instead: Partial<Stores> = {
        spoolRenewal: NO_RENEWAL,
        deletedRows: {
          ...deletedRows,
          async clearReplaced(beforeMs) {
            late ||= await store();
            return await deletedRows.clearReplaced(beforeMs);
          },
        },
        personRows: {
          ...personRows,
          async note(requestId, query) {
            await personRows.note(requestId, query);
            if (requestId === id && ++notes === 3) throw new Error('interrupted');
          },
        },
      };
      await expect(work(id, instead)).rejects.toThrow('interrupted');
      expect(await isStored(late)).toBe(true);
      const erased = await work(id, instead);
      expect(erased).toMatchObject({ state: 'erased', lastError: null, removed: { events: 2 } });
      expect([await isStored(first), await isStored(late)]).toEqual([false, false]);
    },
    WHOLE_ERASURE_MS,
  );

  testInFull(
    'an erasure ends when no backup holds the rows any more, and drops what a killed one held',
    async () => {
      const { id } = await countNewPerson('held');
      await work(id);
      await eraseData(manager, { requestId: id, confirmation: 'erase' });
      const begun = await createAnalyticSource(product.clickhouseUrl).begin();
      const cut = await begun.hold(() => false);
      try {
        const { deletedRows } = product.stores;
        const lock = createBackupLock({ url: product.databaseUrl });
        await lock.during(async () => {
          expect(await work(id, { spoolRenewal: NO_RENEWAL })).toMatchObject({
            state: 'purging',
            step: 'clear',
            lastError: expect.stringContaining('backup'),
          });
          expect(await deletedRows.hasHeld()).toBe(true);
        });
        product.clock.nowMs += MINUTE_MS;
        await until('the lock is free', async () => {
          product.clock.nowMs += MINUTE_MS;
          return (await work(id, { spoolRenewal: NO_RENEWAL })).state === 'erased';
        });
        expect(await deletedRows.hasHeld()).toBe(false);
      } finally {
        await cut.end();
      }
    },
    WHOLE_ERASURE_MS,
  );

  test('the operator can list requests of all times', async () => {
    const { id: highest } = await requestData(manager, { identifiers: ANN });
    await cancelDataRequest(manager, highest);
    await product.pool.query(
      `INSERT INTO data_requests (organization_id, organization_slug, subject, state, requested_by_name, created_at, next_at)
       SELECT $1, 'many', 'person', 'canceled', 'A manager', now(), now() FROM generate_series(1, $2)`,
      [organization.id, DATA_REQUESTS_LISTED_MAX],
    );
    const operator = { actor: { kind: 'system' } as const, stores: product.stores };
    const page = await listAllDataRequests(operator, null);
    expect(page).toHaveLength(DATA_REQUESTS_LISTED_MAX);
    const older = await listAllDataRequests(operator, page.at(-1)!.id);
    expect(older.map(({ id }) => id)).toEqual(Array.from({ length: highest }, (_, index) => highest - index));
  });

  test('every text of the schema is searched, or is none of a person', async () => {
    const { rows } = await product.pool.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND (data_type IN ('text', 'jsonb') OR udt_name = '_text') ORDER BY name`,
    );
    const searched = new Set(
      TEXT_PLACES.flatMap(({ table, texts, json }) =>
        [...texts, ...json].map((column) => `${table}.${column}`),
      ),
    );
    expect(rows.map(({ name }) => name).filter((name) => !searched.has(name))).toMatchSnapshot();
  });
});

/** Content by name. */
async function readTar({ content }: { content: AsyncIterable<Buffer> }): Promise<Map<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const archive = gunzipSync(Buffer.concat(chunks));
  const files = new Map<string, string>();
  for (let at = 0; archive[at] !== 0; ) {
    const name = archive.toString('latin1', at, at + 100).replaceAll('\0', '');
    const bytes = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8);
    files.set(name, archive.toString('utf8', at + 512, at + 512 + bytes));
    at += 512 + Math.ceil(bytes / 512) * 512;
  }
  return files;
}
