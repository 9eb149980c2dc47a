import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { IssueRulesTable } from '#ingest/issue-rules-table.ts';
import { digestEnvelope } from '#pipeline/digest-envelope.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import type { Context } from '#product/context.ts';
import { deleteEvents } from '#product/issue-deletion/delete-events.ts';
import {
  deleteIssues,
  listDiscardedIssues,
  restoreDiscardedIssue,
} from '#product/issue-deletion/delete-issues.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { blobKey } from '#protocol/blob-key.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { TELEMETRY_KINDS, type TelemetryRows } from '#protocol/telemetry.ts';
import { testLog } from '../contract/engines.ts';
import { hashOf, makeEvent, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { testInFull } from '../harness/is-full.ts';
import { until } from '../harness/until.ts';
import { openProduct, type Product } from './open-product.ts';

const NO_ROWS = Object.fromEntries(TELEMETRY_KINDS.map((kind) => [kind, []])) as unknown as TelemetryRows;

let product: Product;
let mine: Organization;
let web: Project;
let member: Context;
let manager: Context;
let stranger: Context;

beforeAll(async () => {
  product = await openProduct();
  mine = await product.createOrganization();
  web = await product.createProject(mine, 'web');
  [member, manager] = await Promise.all([product.join(mine, 'member'), product.join(mine, 'manager')]);
  stranger = await product.join(await product.createOrganization(), 'owner', true);
});
afterAll(async () => {
  await product?.close();
});

const scope = () => ({ organizationId: mine.id, projectIds: [web.id] });
const find = (name: string) => product.stores.issues.findByHash(mine.id, web.id, hashOf(name));
const countEvents = async (name: string) => {
  const issue = { issueId: 0, projectId: web.id, hashes: [hashOf(name)] };
  const page = await product.stores.events.listIssueEvents(scope(), issue, {
    limit: 100,
    before: null,
    range: null,
  });
  const [activity] = await product.stores.events.countActivity(
    scope(),
    [issue],
    { fromMs: NOON_MS - 1_000, toMs: NOON_MS + 86_400_000 },
    86_400_000,
  );
  return [page.events.length, activity?.events];
};

test('an issue goes at once, its events, their attachments and feedback follow, others stay', async () => {
  const [first, second, kept] = await product.ingest(mine, [
    { projectId: web.id, groupingHash: hashOf('gone') },
    { projectId: web.id, groupingHash: hashOf('gone') },
    { projectId: web.id, groupingHash: hashOf('kept') },
  ]);
  const key = blobKey(NOON_MS, web.id, 'a'.repeat(32));
  const keptKey = blobKey(NOON_MS, web.id, 'b'.repeat(32));
  for (const each of [key, keptKey]) await product.stores.blobs.put(each, Buffer.from('x'));
  const ids = { organizationId: mine.id, projectId: web.id };
  await product.stores.telemetry.insert(
    {
      ...NO_ROWS,
      attachments: [
        makeRow('attachments', { ...ids, eventId: first!.eventId, blobKey: key }),
        makeRow('attachments', { ...ids, eventId: kept!.eventId, blobKey: keptKey }),
      ],
      feedback: [
        makeRow('feedback', { ...ids, associatedEventId: first!.eventId }),
        // As the event of its own issue has it.
        makeRow('feedback', { ...ids, feedbackId: second!.eventId, associatedEventId: null }),
        makeRow('feedback', { ...ids, associatedEventId: kept!.eventId }),
      ],
    },
    'rows',
  );
  const issue = (await find('gone'))!;
  const input = { issueIds: [issue.id], discard: false };
  await expect(deleteIssues(member, input)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await deleteIssues(stranger, input)).toEqual({ deleted: [] });
  expect((await deleteIssues(manager, input)).deleted).toMatchObject([{ shortId: issue.shortId }]);
  await expect(getIssue(manager, issue.shortId)).rejects.toMatchObject({ code: 'not_found' });

  // A run that died in the middle is repeated.
  const [deletion] = await product.stores.issueDeletions.listWaiting(10);
  await product.stores.deletedEvents.deleteEvents(deletion!);
  expect(await deleteEvents(product.stores, () => product.clock.nowMs)).toBe(1);
  expect(await deleteEvents(product.stores, () => product.clock.nowMs)).toBe(0);
  expect(await countEvents('gone')).toEqual([0, 0]);
  expect(await countEvents('kept')).toEqual([1, 1]);
  expect(await product.stores.blobs.size(keptKey)).toBe(1);
  const list = { limit: 10, before: null, range: null, filter: {} };
  const attachments = await product.stores.telemetry.list('attachments', scope(), list);
  expect(attachments.rows.map(({ eventId }) => eventId)).toEqual([kept!.eventId]);
  const feedback = await product.stores.telemetry.list('feedback', scope(), list);
  expect(feedback.rows.map((row) => row.associatedEventId)).toEqual([kept!.eventId]);
});

testInFull('bodies of attachments go with the events', async () => {
  const [event] = await product.ingest(mine, [{ projectId: web.id, groupingHash: hashOf('bodies') }]);
  const key = blobKey(NOON_MS, web.id, 'c'.repeat(32));
  await product.stores.blobs.put(key, Buffer.from('x'));
  const row = { organizationId: mine.id, projectId: web.id, eventId: event!.eventId, blobKey: key };
  await product.stores.telemetry.insert({ ...NO_ROWS, attachments: [makeRow('attachments', row)] }, 'bodies');
  await deleteIssues(manager, { issueIds: [(await find('bodies'))!.id], discard: false });
  await deleteEvents(product.stores, () => product.clock.nowMs);
  expect(await product.stores.blobs.size(key)).toBeNull();
});

testInFull(
  'attachments with keys up to one go before their events, and the deletion takes its next turn',
  async () => {
    const [event] = await product.ingest(mine, [{ projectId: web.id, groupingHash: hashOf('many') }]);
    const keys = ['d', 'e'].map((letter) => blobKey(NOON_MS, web.id, letter.repeat(32)));
    const ids = { organizationId: mine.id, projectId: web.id, eventId: event!.eventId };
    const rows = keys.map((key) => makeRow('attachments', { ...ids, blobKey: key }));
    await product.stores.telemetry.insert({ ...NO_ROWS, attachments: rows }, 'many');
    await product.ingest(mine, [{ projectId: web.id, groupingHash: hashOf('few') }]);
    for (const name of ['many', 'few']) {
      await deleteIssues(manager, { issueIds: [(await find(name))!.id], discard: false });
    }
    const { deletedEvents, issueDeletions } = product.stores;
    const waiting = async () => (await issueDeletions.listWaiting(10)).map(({ hashes }) => hashes);
    expect(await waiting()).toEqual([[hashOf('many')], [hashOf('few')]]);
    const [deletion] = await issueDeletions.listWaiting(1);
    expect(await deletedEvents.listBlobKeys(deletion!, '', 5)).toEqual(keys);
    await deletedEvents.deleteBlobRows(deletion!, keys[0]!);
    expect(await deletedEvents.listBlobKeys(deletion!, '', 5)).toEqual([keys[1]]);
    await issueDeletions.postpone(deletion!.id);
    expect(await waiting()).toEqual([[hashOf('few')], [hashOf('many')]]);
    expect(await deleteEvents(product.stores, () => product.clock.nowMs)).toBe(2);
  },
);

testInFull('what arrives afterwards is a new issue with a new number, and its events stay', async () => {
  await product.ingest(mine, [{ projectId: web.id, groupingHash: hashOf('again') }]);
  const issue = (await find('again'))!;
  await deleteIssues(manager, { issueIds: [issue.id], discard: false });
  const later = { receivedAt: product.clock.nowMs + 1 };
  await product.ingest(mine, [{ projectId: web.id, groupingHash: hashOf('again'), ...later }]);
  await deleteEvents(product.stores, () => product.clock.nowMs);
  expect(await find('again')).toMatchObject({ timesSeen: 1 });
  expect((await find('again'))?.shortId).not.toBe(issue.shortId);
  expect(await countEvents('again')).toEqual([1, 1]);
});

testInFull('an event that was on its way when its issue was deleted leaves no empty issue', async () => {
  await product.ingest(mine, [{ projectId: web.id, groupingHash: hashOf('late') }]);
  await deleteIssues(manager, { issueIds: [(await find('late'))!.id], discard: false });
  await product.ingest(mine, [{ projectId: web.id, groupingHash: hashOf('late') }]);
  expect(await find('late')).not.toBeNull();
  await deleteEvents(product.stores, () => product.clock.nowMs);
  expect(await find('late')).toBeNull();
});

test('events that are counted while their issue is deleted are counted anew, in a new issue', async () => {
  await product.ingest(mine, [{ projectId: web.id, groupingHash: hashOf('race') }]);
  const before = (await find('race'))!;
  const client = await product.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('DELETE FROM issues WHERE id = $1', [before.id]);
    const events = [makeEvent({ organizationId: mine.id, projectId: web.id, groupingHash: hashOf('race') })];
    const assigning = product.assignNext(events, { spoolId: 'race' });
    const failure = expect(assigning).rejects.toMatchObject({ code: 'unavailable' });
    await until('the digest that waits', async () => {
      const { rows } = await product.pool.query(
        "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      );
      return rows.length > 0;
    });
    await client.query('COMMIT');
    await failure;
    expect(await product.assignNext(events, { spoolId: 'race' })).toMatchObject({ newIssues: 1 });
  } finally {
    client.release();
  }
  expect(await find('race')).toMatchObject({ timesSeen: 1 });
  expect((await find('race'))?.id).not.toBe(before.id);
});

test('discarded, what arrives later is filtered with a reason, until it is restored', async () => {
  const table = new IssueRulesTable(product.stores, testLog);
  const digest = async () => {
    await table.load();
    return digestEnvelope(
      [item('Boom')],
      {
        organizationId: mine.id,
        projectId: web.id,
        keyId: 1,
        receivedAtMs: NOON_MS,
        sentAtMs: null,
        envelopeEventId: null,
        clientIp: null,
        userAgent: null,
        rules: compileIngestRules(DEFAULT_INGEST_SETTINGS),
        isDiscarded: (hashes) => table.isDiscarded(web.id, hashes),
        lookUpGeo: () => null,
      },
      () => false,
    );
  };
  const { events } = await digest();
  expect(events).toHaveLength(1);
  const groupingHash = events[0]!.groupingHash;
  await product.ingest(mine, [{ projectId: web.id, groupingHash, title: 'Boom' }]);
  const issue = (await product.stores.issues.findByHash(mine.id, web.id, groupingHash))!;
  await deleteIssues(manager, { issueIds: [issue.id], discard: true });

  expect(await digest()).toMatchObject({
    events: [],
    outcomes: [{ category: 'error', outcome: 'filtered', reason: 'discarded-hash', quantity: 1 }],
  });
  expect(table.isDiscarded(web.id + 1, [groupingHash])).toBe(false);
  const [discarded] = await listDiscardedIssues(member, 'web');
  expect(discarded).toMatchObject({
    shortId: issue.shortId,
    title: 'Boom',
    discardedBy: { name: 'A manager' },
  });
  await expect(listDiscardedIssues(stranger, 'web')).rejects.toMatchObject({ code: 'not_found' });
  const restore = { projectSlug: 'web', discardedId: discarded!.id };
  await expect(restoreDiscardedIssue(member, restore)).rejects.toMatchObject({ code: 'forbidden' });
  await restoreDiscardedIssue(manager, restore);
  await expect(restoreDiscardedIssue(manager, restore)).rejects.toMatchObject({ code: 'not_found' });
  expect((await digest()).events).toHaveLength(1);
});

const item = (message: string) => ({
  type: 'event',
  contentType: null,
  filename: null,
  attachmentType: null,
  itemCount: null,
  platform: null,
  payload: Buffer.from(JSON.stringify({ message })),
  blob: null,
  itemId: 'd'.repeat(32),
  crash: null,
});
