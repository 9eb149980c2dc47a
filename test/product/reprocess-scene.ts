import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import { DEFAULT_GROUPING_RULES } from '#pipeline/grouping/compile-grouping-rules.ts';
import { prepareAndGroupEvent } from '#pipeline/grouping/group-event.ts';
import { symbolicateEvent } from '#pipeline/symbolicate/symbolicate-event.ts';
import { culpritOf, describeEvent } from '#pipeline/title.ts';
import type { ArtifactBundle } from '#product/artifacts/artifact.ts';
import { MapParser } from '#product/symbolication/map-parser.ts';
import { withSymbols } from '#product/symbolication/project-symbols.ts';
import type { ReprocessRun, ReprocessScope } from '#product/symbolication/reprocess-store.ts';
import { startReprocess } from '#product/symbolication/reprocesses.ts';
import { type ReprocessDeps, runReprocess } from '#product/symbolication/run-reprocess.ts';
import { SymbolFiles } from '#product/symbolication/symbol-files.ts';
import type { DigestedEvent, NormalizedEvent } from '#protocol/event.ts';
import { makeEvent, NOON_MS, newEventId } from '../contract/sample-events.ts';
import { type MadeSegment, type MadeSource, makeSourceMap } from '../harness/make-source-map.ts';
import type { Product } from './open-product.ts';

const LEASE_MS = 60_000;
const URL_OF = (file: string) => `https://shop.example.com/assets/${file}`;

export const SOURCES: readonly MadeSource[] = [
  {
    name: '../src/cart.ts',
    content: Array.from({ length: 40 }, (_, line) => `cart line ${line + 1}`).join('\n'),
  },
  {
    name: '../src/pay.ts',
    content: Array.from({ length: 40 }, (_, line) => `pay line ${line + 1}`).join('\n'),
  },
];
/** Column 100 of the bundle is line 8 of the cart, 200 line 12, and 300 line 21 of the payment. */
export const SEGMENTS: readonly MadeSegment[] = [
  { at: [0, 0], from: null },
  { at: [0, 100], from: [0, 7, 4], name: 'applyCoupon' },
  { at: [0, 200], from: [0, 11, 2], name: 'total' },
  { at: [0, 300], from: [1, 20, 6], name: 'charge' },
];

/** Each function has its name at one of these columns. */
const CODE = ['a', 'b', 'c']
  .map((name, index) => `function ${name}(){}`.padStart(index === 0 ? 105 : 100))
  .join('');

export type NewMinified = {
  /** Columns of the calls, oldest first. */
  columns: readonly number[];
  /** Minutes after noon. */
  at?: number;
  /** Days before today; 0 unless set. */
  arrivedAgo?: number;
  release?: string | null;
  dist?: string | null;
  debugId?: string;
  names?: readonly string[];
  /** Built code that the SDK read for every frame. */
  contextLine?: string;
};

/** A project whose browser sends minified errors, which are symbolicated and grouped as digest does. */
export async function openReprocessScene(product: Product) {
  const organization = await product.createOrganization();
  const project = await product.createProject(organization, `web-${randomBytes(3).toString('hex')}`);
  const admin = await product.join(organization, 'admin');
  const scope = { organizationId: organization.id, projectId: project.id };
  const { artifacts, artifactFiles, regroups } = product.stores;
  const parser = new MapParser();
  const openSymbols = () => new SymbolFiles({ ...product.stores, parser, now: Date.now });

  /** One file of a release, uploaded by itself; without a release one that only its debug id stands for. */
  async function uploadFile(
    file: {
      name: string;
      content: string;
      kind: 'minified_source' | 'source_map' | 'source';
      sourceMap?: string;
      debugId?: string;
    },
    release: { version: string; dist: string | null } | null,
  ): Promise<ArtifactBundle> {
    const bytes = Buffer.from(file.content);
    const checksum = createHash('sha1').update(bytes).digest('hex');
    const writer = await artifactFiles.create(organization.id, { expected: checksum, bytesMax: 1e9 });
    writer.write(bytes);
    await writer.finish();
    return await artifacts.saveBundle(organization.id, {
      kind: release ? 'release_file' : 'bundle',
      checksum,
      bytes: bytes.length,
      uploadedAt: Date.now(),
      projectIds: [project.id],
      releases: release ? [release] : [],
      files: [
        {
          kind: file.kind,
          url: `~/assets/${file.name}`,
          debugId: file.debugId ?? null,
          path: null,
          bytes: bytes.length,
          sourceMap: file.sourceMap ?? null,
          headers: {},
        },
      ],
    });
  }

  /** A script with its map. Answers what was uploaded. */
  async function upload(
    version: string,
    segments = SEGMENTS,
    sources = SOURCES,
  ): Promise<readonly ArtifactBundle[]> {
    const release = { version, dist: null };
    const map = makeSourceMap(sources, segments, { file: `${version}.js` });
    return [
      await uploadFile(
        { name: 'app.js', content: `${CODE}//${version}`, kind: 'minified_source', sourceMap: 'app.js.map' },
        release,
      ),
      await uploadFile({ name: 'app.js.map', content: map, kind: 'source_map' }, release),
    ];
  }

  const deleteUploads = (bundles: readonly ArtifactBundle[]) =>
    artifacts.deleteBundles(
      organization.id,
      bundles.map(({ id }) => id),
    );

  const send = (errors: readonly NewMinified[]) => sendEvents(errors.map(minified));

  /** As digest does in three steps. */
  async function sendEvents(payloads: readonly NormalizedEvent[]): Promise<readonly DigestedEvent[]> {
    const events = await understandEvents(payloads);
    await store(events);
    await count(events);
    return events;
  }

  const count = (events: readonly DigestedEvent[]) =>
    product.assignNext(events, { nowMs: product.clock.nowMs });

  const store = (events: readonly DigestedEvent[]) =>
    product.stores.events.insertEvents(events, randomBytes(8).toString('hex'));

  const understand = (errors: readonly NewMinified[]) => understandEvents(errors.map(minified));

  async function understandEvents(payloads: readonly NormalizedEvent[]): Promise<readonly DigestedEvent[]> {
    const symbols = openSymbols();
    const events: DigestedEvent[] = [];
    for (const payload of payloads) {
      const symbolicated = await withSymbols(symbols, scope, { leftMs: 10_000 }, (sources) =>
        symbolicateEvent(payload, sources),
      );
      const { event, grouping } = prepareAndGroupEvent(symbolicated, DEFAULT_GROUPING_RULES);
      const { title, metadata } = describeEvent(event);
      events.push(
        makeEvent({
          ...scope,
          eventId: payload.event_id,
          platform: payload.platform,
          occurredAt: payload.timestamp * 1_000,
          receivedAt: payload.received * 1_000,
          payload: event,
          title,
          culprit: culpritOf(event),
          metadata,
          release: payload.release ?? null,
          dist: payload.dist ?? null,
          groupingHash: grouping.hashes[0]!,
          groupingHashes: grouping.hashes,
        }),
      );
    }
    return events;
  }

  const start = (what: ReprocessScope): Promise<ReprocessRun> =>
    startReprocess(admin, { projectSlug: project.slug, scope: what });

  /** A worker that claims what waits and works until it is done; `change` may break its parts. */
  async function work(change: Partial<ReprocessDeps> = {}): Promise<boolean> {
    const owner = randomBytes(4).toString('hex');
    // As if the time of a worker that died were over.
    await sql`UPDATE grouping_changes SET lease_until = NULL WHERE project_id = ${project.id}`.execute(
      product.db,
    );
    const job = await regroups.claim(owner, LEASE_MS, Date.now());
    if (!job) return false;
    const deps: ReprocessDeps = {
      stores: product.stores,
      symbols: openSymbols(),
      faults: parseFaultPoints(null),
      now: Date.now,
      settleMs: 0,
      waitForDigest: async () => {},
      ...change,
    };
    return await runReprocess(deps, job, owner);
  }

  /** Issues with their events: what PostgreSQL counts beside what ClickHouse holds. */
  async function listIssues() {
    const { rows } = await sql<{
      id: number;
      culprit: string;
      times_seen: number;
      first_seen: Date;
      last_seen: Date;
      hashes: string[];
    }>`
      SELECT id, culprit, times_seen, first_seen, last_seen, (SELECT array_agg(hash) FROM grouping_hashes WHERE issue_id = issues.id) AS hashes
      FROM issues WHERE project_id = ${project.id} ORDER BY id`.execute(product.db);
    const range = { fromMs: 0, toMs: NOON_MS * 2 };
    const activity = await product.stores.events.countActivity(
      { organizationId: organization.id, projectIds: [project.id] },
      rows.map((row) => ({ issueId: row.id, projectId: project.id, hashes: row.hashes ?? [] })),
      range,
      range.toMs,
    );
    return rows.map((row, index) => ({
      id: row.id,
      culprit: row.culprit,
      timesSeen: row.times_seen,
      stored: activity[index]!.events,
      /** Minutes after noon. */
      seen: [row.first_seen, row.last_seen].map((at) => (at.getTime() - NOON_MS) / MINUTE_MS),
    }));
  }

  const readEvent = async (eventId: string) => {
    const visible = { organizationId: organization.id, projectIds: [project.id] };
    const event = await product.stores.events.findEvent(visible, eventId);
    if (!event) throw new Error(`The event ${eventId} is gone`);
    return event;
  };

  return {
    organization,
    project,
    admin,
    scope,
    openSymbols,
    uploadFile,
    upload,
    deleteUploads,
    send,
    sendEvents,
    understand,
    store,
    count,
    start,
    work,
    listIssues,
    readEvent,
    close: () => parser.stop(),
  };
}

function minified({
  columns,
  at = 0,
  arrivedAgo = 0,
  release = '1.0',
  dist = null,
  debugId,
  names,
  contextLine,
}: NewMinified): NormalizedEvent {
  const occurredAt = NOON_MS + at * MINUTE_MS;
  const url = URL_OF('app.js');
  return {
    event_id: newEventId(),
    type: 'error',
    level: 'error',
    platform: 'javascript',
    timestamp: occurredAt / 1000,
    received: (Date.now() - arrivedAgo * DAY_MS) / 1000,
    release,
    dist,
    ...(debugId && { debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] } }),
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'x is undefined',
          stacktrace: {
            frames: columns.map((column, index) => ({
              function: names?.[index] ?? 'n',
              filename: '/assets/app.js',
              abs_path: url,
              lineno: 1,
              colno: column + 1,
              in_app: true,
              ...(contextLine !== undefined && { context_line: contextLine }),
            })),
          },
        },
      ],
    },
  };
}
