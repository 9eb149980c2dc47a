import type { Issue } from '#domain/issues/issue.ts';
import type { Organization, Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { makeRow, newSpanId } from '../contract/sample-telemetry.ts';
import { sampleChunk, sampleProfile } from '../harness/sample-profile.ts';
import { openProduct, type Product } from './open-product.ts';
import { digestCheckIns, watchMonitors } from './take-in-check-ins.ts';

/** The content of every blob. */
export const CONTENT = Buffer.from('<script>alert(1)</script>');

export const ids = {
  transaction: newEventId(),
  trace: newEventId(),
  replay: newEventId(),
  attachment: newEventId(),
  /** An attachment whose content is gone. */
  gone: newEventId(),
  profile: newEventId(),
  profiler: newEventId(),
  /** A profile with samples; the content of the other is as that of every blob. */
  sampled: newEventId(),
  checkIn: newEventId(),
  log: newEventId(),
  root: newSpanId(),
};

type Joined = Awaited<ReturnType<Product['join']>>;

export type Filled = {
  product: Product;
  mine: Organization;
  web: Project;
  /** An error with its issue. */
  error: DigestedEvent;
  issue: Issue;
  member: Context & Joined;
  /** Of another organization, and the owner of the instance. */
  stranger: Context & Joined;
};

/** A product with one project `web` that holds something of every kind, a minute past noon. */
export async function openFilledProduct({ isOpen = true } = {}): Promise<Filled> {
  const product = await openProduct();
  product.clock.nowMs = NOON_MS + 60_000;
  const { id } = await product.createOrganization();
  const mine = (await product.stores.organizations.update(id, { isOpen }, NOON_MS))!;
  const theirs = await product.createOrganization();
  const web = await product.createProject(mine, 'web');
  await product.createProject(theirs, 'web');
  const [error] = await product.ingest(mine, [{ projectId: web.id, traceId: ids.trace }]);
  const issue = await product.stores.issues.findByShortId(mine.id, 'WEB-1');
  const own = { product, mine, web, error: error! };
  await fill(own);
  return {
    ...own,
    issue: issue!,
    member: await product.join(mine, 'member'),
    stranger: await product.join(theirs, 'owner', true),
  };
}

/** Something of every kind, that hangs together. */
async function fill({
  product,
  mine,
  web,
  error,
}: Pick<Filled, 'product' | 'mine' | 'web' | 'error'>): Promise<void> {
  const origin = { organizationId: mine.id, projectId: web.id };
  const key = (name: string) => blobKey(NOON_MS, web.id, name);
  const chunk = sampleChunk(ids.profiler, newEventId(), NOON_MS / 1_000);
  const contents: Readonly<Record<string, Buffer>> = {
    attachment: CONTENT,
    segment: CONTENT,
    profile: CONTENT,
    sampled: Buffer.from(JSON.stringify(sampleProfile(ids.sampled))),
    chunk: Buffer.from(JSON.stringify(chunk)),
  };
  for (const [name, content] of Object.entries(contents)) {
    await product.stores.blobs.put(key(name), content);
  }
  const attachment = { ...origin, eventId: error.eventId };
  await digestCheckIns(product, [
    makeRow('checkIns', {
      ...origin,
      checkInId: ids.checkIn,
      status: 'in_progress',
      monitorConfig: { schedule: { type: 'crontab', value: '0 3 * * *' }, timezone: 'Europe/Vienna' },
    }),
    makeRow('checkIns', {
      ...origin,
      checkInId: ids.checkIn,
      status: 'error',
      occurredAt: NOON_MS + 2_000,
    }),
  ]);
  await watchMonitors(product);
  await product.stores.telemetry.insert(
    {
      transactions: [
        makeRow('transactions', {
          ...origin,
          eventId: ids.transaction,
          traceId: ids.trace,
          spanId: ids.root,
          environment: 'production',
          user: { id: 'u-1', email: null, username: null, ip: null },
          payload: {
            type: 'transaction',
            level: 'info',
            platform: 'node',
            contexts: { trace: { trace_id: ids.trace, op: 'http.server' } },
            request: { url: 'https://shop.example.com/checkout' },
          },
        }),
        makeRow('transactions', { ...origin, startedAtUs: (NOON_MS - 1_000) * 1_000, name: '/older' }),
      ],
      spans: [
        makeRow('spans', {
          ...origin,
          traceId: ids.trace,
          spanId: ids.root,
          transactionId: ids.transaction,
          isSegment: true,
          attributes: { 'db.system': 'postgresql', 'db.rows': 3, 'db.cached': false, lcp: 1_200 },
        }),
        makeRow('spans', {
          ...origin,
          traceId: ids.trace,
          parentSpanId: ids.root,
          transactionId: ids.transaction,
          startedAtUs: NOON_MS * 1_000 + 500,
          durationUs: 250,
        }),
      ],
      logs: [
        makeRow('logs', {
          rowId: ids.log,
          ...origin,
          traceId: ids.trace,
          occurredAtUs: NOON_MS * 1_000 + 123_456,
        }),
      ],
      metrics: [makeRow('metrics', { ...origin, name: 'orders.paid' })],
      sessions: [
        makeRow('sessions', { ...origin, status: 'crashed', exited: 0, crashed: 1 }),
        makeRow('sessions', { ...origin, distinctIdHash: newSpanId() }),
        makeRow('sessions', { ...origin, release: 'web@0.9.0' }),
      ],
      checkIns: [],
      feedback: [
        makeRow('feedback', {
          ...origin,
          associatedEventId: error.eventId,
          name: 'Ada',
          email: 'ada@example.com',
        }),
        makeRow('feedback', { ...origin, occurredAt: NOON_MS - 1 }),
      ],
      attachments: [
        makeRow('attachments', {
          ...attachment,
          attachmentId: ids.attachment,
          name: 'seite "1".html',
          contentType: 'text/html',
          blobKey: key('attachment'),
        }),
        makeRow('attachments', {
          ...attachment,
          attachmentId: ids.gone,
          name: 'z.txt',
          blobKey: key('gone'),
        }),
      ],
      replays: [makeRow('replays', { ...origin, replayId: ids.replay, errorIds: [error.eventId] })],
      replaySegments: [
        makeRow('replaySegments', { ...origin, replayId: ids.replay, segmentId: 3, blobKey: key('segment') }),
      ],
      profiles: [
        makeRow('profiles', { ...origin, profileId: ids.profile, blobKey: key('profile') }),
        makeRow('profiles', { ...origin, profileId: ids.sampled, blobKey: key('sampled') }),
        makeRow('profiles', {
          ...origin,
          kind: 'profile_chunk',
          profilerId: ids.profiler,
          blobKey: key('chunk'),
        }),
      ],
    },
    'fill',
  );
}
