import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BodySampler } from '#ingest/body-sampler.ts';
import { type DigestDeps, prepareBatch, storeBatch } from '#ingest/digest-batch.ts';
import { encodeRecord } from '#ingest/spool-record.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { HOUR_MS } from '#lib/time.ts';
import { compileIngestRules } from '#pipeline/ingest-rules.ts';
import { findEventNeighbors, findIssueEvent } from '#product/issues/issue-events.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
let folder: string;
beforeAll(async () => {
  product = await openProduct();
  folder = mkdtempSync(join(tmpdir(), 'spike-'));
});
afterAll(async () => {
  await product?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a spike is stored and counted whole, its bodies are sampled, its outcomes are accepted', async () => {
  const organization = await product.createOrganization();
  const project = await product.createProject(organization, 'web');
  const [key] = await product.stores.projects.listKeys(organization.id, project.id);
  const settings = { ...DEFAULT_INGEST_SETTINGS, spike: { isEnabled: true, bodiesPerHour: 5 } };
  const rules = compileIngestRules(settings);
  const recentIds = openRecentIds(folder);
  const nowMs = Date.now();
  const deps: DigestDeps = {
    ...product.stores,
    digest: createDigestStore(product.db),
    recentIds,
    faults: parseFaultPoints(null),
    now: () => nowMs,
    rules: { find: () => rules },
    bodies: new BodySampler(),
    lookUpGeo: () => null,
    readAhead: async () => ({ crash: null, head: null, videoParts: null }),
  };
  const receivedAtMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS + 1;
  const records = Array.from({ length: 60 }, (_, index) => {
    const eventId = index.toString(16).padStart(32, '0');
    const payload = Buffer.from(
      JSON.stringify({
        event_id: eventId,
        timestamp: receivedAtMs / 1000,
        exception: {
          values: [{ type: 'Spike', value: 'too many', stacktrace: { frames: [{ function: 'go' }] } }],
        },
        user: { id: String(index % 7) },
      }),
    );
    const record = encodeRecord({
      organizationId: organization.id,
      projectId: project.id,
      keyId: key!.id,
      receivedAtMs,
      sentAtMs: null,
      eventId,
      clientIp: null,
      userAgent: null,
      isReplay: false,
      items: [{ type: 'event', payload }],
      outcomes: [],
    });
    return { position: index + 1, bytes: Buffer.concat(record) };
  });
  await storeBatch(deps, await prepareBatch(deps, 'spike', 0, records));
  await recentIds.close();

  const ctx = await product.join(organization, 'member');
  const { issues } = await product.stores.issues.search(organization.id, [project.id], EVERYTHING, {
    sort: 'date',
    limit: 10,
  });
  expect(issues).toMatchObject([{ timesSeen: 60 }]);
  const scope = { organizationId: organization.id, projectIds: [project.id] };
  const { events } = await product.stores.events.listEvents(scope, { limit: 100, before: null, range: null });
  expect(events).toHaveLength(60);
  const stored = await Promise.all(
    events.map(({ eventId }) => product.stores.events.findEvent(scope, eventId)),
  );
  // 5 up to the threshold, every tenth of the next 45, none of the last 10.
  expect(stored.filter((event) => event && !event.isBodySampled)).toHaveLength(5 + 4);
  expect(new Set(events.map(({ user }) => user.id)).size).toBe(7);
  const series = await product.stores.outcomes.series(
    organization.id,
    [project.id],
    { fromMs: receivedAtMs - HOUR_MS, toMs: receivedAtMs + HOUR_MS },
    HOUR_MS,
  );
  expect(series).toMatchObject([{ category: 'error', outcome: 'accepted', reason: '', total: 60 }]);

  const recommended = await findIssueEvent(ctx, issues[0]!, 'recommended');
  expect(recommended?.isBodySampled).toBe(false);
  expect(await findEventNeighbors(ctx, issues[0]!, recommended!)).toMatchObject({ total: 60 });
});
