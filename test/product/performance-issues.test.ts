import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OCCURRENCE, serializeOccurrence } from '#app/api/0/shapes/occurrence.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { BodySampler } from '#ingest/body-sampler.ts';
import { DetectionBudget } from '#ingest/detection-budget.ts';
import { type DigestDeps, prepareBatch, storeBatch } from '#ingest/digest-batch.ts';
import { encodeRecord } from '#ingest/spool-record.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { HOUR_MS } from '#lib/time.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { countEvents } from '#product/explore/event-groups.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { getDetectionBudget } from '#product/performance-issues/detection-budget.ts';
import {
  getDetectionSettings,
  updateDetectionSettings,
} from '#product/performance-issues/detection-settings.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
let folder: string;
let recentIds: ReturnType<typeof openRecentIds>;
let organization: Organization;
let project: Project;
let keyId: number;
let admin: Awaited<ReturnType<Product['join']>>;
let spools = 0;

beforeAll(async () => {
  product = await openProduct();
  folder = mkdtempSync(join(tmpdir(), 'performance-issues-'));
  recentIds = openRecentIds(folder);
});
afterAll(async () => {
  await recentIds?.close();
  await product?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  organization = await product.createOrganization();
  project = await product.createProject(organization, 'web');
  const [key] = await product.stores.projects.listKeys(organization.id, project.id);
  keyId = key!.id;
  admin = await product.join(organization, 'admin');
  spools += 1;
});

const RECEIVED_MS = NOON_MS;
const ROOT = 'fa90fdead5f74052';

/** With a slow query, and nothing else. */
const transaction = (eventId: string) => ({
  type: 'transaction',
  event_id: eventId,
  platform: 'python',
  transaction: 'GET /cart',
  start_timestamp: RECEIVED_MS / 1_000 - 2,
  timestamp: RECEIVED_MS / 1_000 - 1,
  release: 'web@1',
  user: { id: 'ann' },
  contexts: { trace: { trace_id: newEventId(), span_id: ROOT, op: 'http.server' } },
  spans: [
    {
      span_id: 'b'.repeat(16),
      parent_span_id: ROOT,
      op: 'db.sql.query',
      description: 'SELECT * FROM carts WHERE id = 17',
      start_timestamp: RECEIVED_MS / 1_000 - 1.9,
      timestamp: RECEIVED_MS / 1_000 - 1.2,
    },
  ],
});

const recordOf = (eventId: string, position: number) => {
  const record = encodeRecord({
    organizationId: organization.id,
    projectId: project.id,
    keyId,
    receivedAtMs: RECEIVED_MS,
    sentAtMs: null,
    eventId,
    clientIp: null,
    userAgent: null,
    isReplay: false,
    items: [{ type: 'transaction', payload: Buffer.from(JSON.stringify(transaction(eventId))) }],
    outcomes: [],
  });
  return { position, bytes: Buffer.concat(record) };
};

/** As the role of digest has them, with the settings of the project as they are now. */
async function depsOf(detection = new DetectionBudget()): Promise<DigestDeps> {
  const settings = await product.stores.ingestSettings.findProject(organization.id, project.id);
  const rules = compileIngestRules(settings!);
  return {
    ...product.stores,
    digest: createDigestStore(product.db),
    recentIds,
    faults: parseFaultPoints(null),
    now: () => RECEIVED_MS,
    rules: { find: () => rules },
    bodies: new BodySampler(),
    detection,
    lookUpGeo: () => null,
    readAhead: async () => ({ crash: null, head: null, videoParts: null }),
  };
}

async function digest(eventIds: readonly string[], detection?: DetectionBudget) {
  const deps = await depsOf(detection);
  const records = eventIds.map((eventId, index) => recordOf(eventId, index + 1));
  return storeBatch(deps, await prepareBatch(deps, `spool ${spools}`, 0, records));
}

const scope = () => ({ organizationId: organization.id, projectIds: [project.id] });

async function issuesOf(query = '') {
  const { issues } = await listIssues(admin, {
    query,
    projectSlugs: [],
    sort: 'date',
    range: null,
    cursor: null,
    limit: 10,
  });
  return issues;
}

async function storedEvents() {
  const { events } = await product.stores.events.listEvents(scope(), {
    limit: 100,
    before: null,
    range: null,
  });
  return events;
}

test('transactions with the same problem make one issue, with evidence, and count as nothing else', async () => {
  const ids = [newEventId(), newEventId()];
  expect(await digest(ids)).toMatchObject({ applied: true, newIssues: 1 });
  expect(await issuesOf()).toMatchObject([
    {
      type: 'performance_slow_db_query',
      title: 'Slow DB query: SELECT * FROM carts WHERE id = %s',
      culprit: 'GET /cart',
      level: 'info',
      priority: 'low',
      timesSeen: 2,
      firstRelease: 'web@1',
    },
  ]);
  const [newest] = await storedEvents();
  const event = await product.stores.events.findEvent(scope(), newest!.eventId);
  expect(ids).toContain(event?.payload.occurrence?.transactionId);
  expect(OCCURRENCE.parse(serializeOccurrence(event!))).toMatchObject({
    type: 1001,
    issueTitle: 'Slow DB query',
    evidenceData: { offenderSpanIds: ['b'.repeat(16)], parentSpanIds: [ROOT] },
  });
  const series = await product.stores.outcomes.series(
    organization.id,
    [project.id],
    { fromMs: RECEIVED_MS - HOUR_MS, toMs: RECEIVED_MS + HOUR_MS },
    HOUR_MS,
  );
  expect(series.map(({ category, outcome, total }) => [category, outcome, total]).sort()).toEqual([
    ['span', 'accepted', 4],
    ['transaction', 'accepted', 2],
  ]);
});

test('searches tell performance issues from errors', async () => {
  await digest([newEventId()]);
  await product.ingest(organization, [{ projectId: project.id }]);
  const titles = async (query: string) => (await issuesOf(query)).map(({ type }) => type).sort();
  const both = ['error', 'performance_slow_db_query'];
  expect(await titles('')).toEqual(both);
  for (const query of [
    'issue.category:performance',
    '!issue.category:error',
    'issue.category:db_query',
    'issue.type:performance_slow_db_query',
    'issue.type:performance_*',
    '!issue.type:error',
  ]) {
    expect(await titles(query)).toEqual(['performance_slow_db_query']);
  }
  for (const query of ['issue.category:error', '!issue.category:performance', 'issue.type:error']) {
    expect(await titles(query)).toEqual(['error']);
  }
  expect(await titles('issue.category:[error, performance]')).toEqual(both);
  expect(await titles('issue.type:performance_consecutive_http')).toEqual([]);
  expect(await titles('!issue.category:outage')).toEqual(both);
});

test('numbers of errors do not count them', async () => {
  await digest([newEventId()]);
  await product.ingest(organization, [{ projectId: project.id, occurredAt: RECEIVED_MS - 1 }]);
  const range = { fromMs: RECEIVED_MS - HOUR_MS, toMs: RECEIVED_MS + HOUR_MS };
  const asked = { range, expression: EVERYTHING };
  const context = await product.join(organization, 'viewer');
  expect(await countEvents(context, scope(), asked, HOUR_MS)).toMatchObject({ events: 1 });
  const counted = await product.stores.alertEvents.measure(scope(), {
    ...asked,
    measure: 'events',
    bucketMs: HOUR_MS,
    minimumSessions: 0,
  });
  expect(counted).toEqual([1, 0]);
});

test('a new one is told to alerts as a new error is', async () => {
  await digest([newEventId()]);
  const outbox = await product.db
    .selectFrom('outbox')
    .select(['kind', 'event_id'])
    .where('project_id', '=', project.id)
    .execute();
  const [event] = await storedEvents();
  expect(outbox).toEqual([{ kind: 'first_seen', event_id: event?.eventId }]);
});

test('a batch that was stored in part before a crash is counted once', async () => {
  const eventId = newEventId();
  const records = [recordOf(eventId, 1)];
  const spool = `spool ${spools}`;
  const before = await depsOf();
  const died = await prepareBatch(before, spool, 0, records);
  await recentIds.remember(died.ids, RECEIVED_MS);
  await before.events.insertEvents(died.events, 'before the crash');

  const after = await depsOf();
  const again = await prepareBatch(after, spool, 0, records);
  expect(again.events).toEqual(died.events);
  expect(again.replayed).toEqual(died.events);
  await storeBatch(after, again);
  expect(await storeBatch(after, again)).toMatchObject({ applied: false });
  expect(await issuesOf()).toMatchObject([{ timesSeen: 1 }]);
  expect(await storedEvents()).toHaveLength(1);
});

test('the same transaction sent twice makes one event', async () => {
  const eventId = newEventId();
  await digest([eventId, eventId]);
  expect(await issuesOf()).toMatchObject([{ timesSeen: 1 }]);
});

test('what is switched off is not looked for, by admins and with an entry in the audit log', async () => {
  const change = { disabledDetectors: ['performance_slow_db_query'] as const };
  await updateDetectionSettings(admin, { projectSlug: 'web', change });
  await digest([newEventId()]);
  expect(await issuesOf()).toEqual([]);
  await updateDetectionSettings(admin, {
    projectSlug: 'web',
    change: { isEnabled: false, disabledDetectors: [] },
  });
  expect(await getDetectionSettings(admin, 'web')).toEqual({ isEnabled: false, disabledDetectors: [] });
  spools += 1;
  await digest([newEventId()]);
  expect(await issuesOf()).toEqual([]);
  const entries = await product.db
    .selectFrom('audit_entries')
    .select(['action', 'data'])
    .where('organization_id', '=', organization.id)
    .orderBy('id')
    .execute();
  expect(entries).toMatchObject([
    { action: 'project.performance-detection.edit', data: { isEnabled: true, ...change } },
    { action: 'project.performance-detection.edit', data: { isEnabled: false, disabledDetectors: [] } },
  ]);
  const unknown = updateDetectionSettings(admin, {
    projectSlug: 'web',
    change: { disabledDetectors: ['slow'] as never },
  });
  await expect(unknown).rejects.toMatchObject({ code: 'invalid' });
});

test('above the budget of the hour transactions are stored, and nothing is looked for', async () => {
  const budget = new DetectionBudget(2);
  await digest(Array.from({ length: 5 }, newEventId), budget);
  expect(await issuesOf()).toMatchObject([{ timesSeen: 2 }]);
  expect(await getDetectionBudget(admin, 'web')).toMatchObject({ spent: 2, renewsAt: RECEIVED_MS + HOUR_MS });
});
