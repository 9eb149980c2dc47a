import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPARED_PROFILES_MIN } from '#domain/profiles/compare-functions.ts';
import type { Project } from '#domain/projects.ts';
import { HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { LOGS_AFTER_MAX, LOGS_BEFORE_MAX, listLogsAround } from '#product/logs/list-logs-around.ts';
import { MERGED_PROFILES_MAX } from '#product/profiles/choose-profiles.ts';
import { compareProfiles } from '#product/profiles/compare-profiles.ts';
import { exportSpeedscope } from '#product/profiles/export-speedscope.ts';
import { MERGED_PROFILE_BYTES_MAX } from '#product/profiles/merge-chosen.ts';
import {
  listProfiledReleases,
  type MergeQuestion,
  openMergedProfile,
} from '#product/profiles/open-merged-profile.ts';
import { openProfile } from '#product/profiles/open-profile.ts';
import { readMergeSearch } from '#product/profiles/read-merge-search.ts';
import type { SymbolFiles } from '#product/symbolication/symbol-files.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { newSpanId } from '../harness/envelope.ts';
import { testInFull } from '../harness/is-full.ts';
import { makeSourceMap } from '../harness/make-source-map.ts';
import { sampleChunk, sampleProfile } from '../harness/sample-profile.ts';
import { openProduct, type Product } from './open-product.ts';
import { symbolsOf } from './product-services.ts';
import { openReprocessScene } from './reprocess-scene.ts';

const RANGE = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };

let product: Product;
let web: Project;
let ctx: Context;
let symbols: SymbolFiles;

beforeAll(async () => {
  product = await openProduct();
  product.clock.nowMs = NOON_MS + HOUR_MS;
  const mine = await product.createOrganization();
  web = await product.createProject(mine, 'web');
  ctx = await product.join(mine, 'member');
  symbols = symbolsOf(product.stores);
});
afterAll(async () => product?.close());

type NewProfile = { change: Partial<DigestedProfile>; body: object | Buffer | null };

async function store(profiles: readonly NewProfile[]): Promise<readonly DigestedProfile[]> {
  const rows = profiles.map(({ change }) =>
    makeRow('profiles', {
      organizationId: ctx.organization.id,
      projectId: web.id,
      blobKey: blobKey(NOON_MS, web.id, newEventId()),
      durationMs: 240,
      ...change,
    }),
  );
  for (const [index, { body }] of profiles.entries()) {
    if (body === null) continue;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    await product.stores.blobs.put(rows[index]?.blobKey ?? '', bytes);
  }
  await product.stores.telemetry.insert({ profiles: rows }, newEventId());
  return rows;
}

const many = (count: number, change: Partial<DigestedProfile>, body = sampleProfile(newEventId())) =>
  Array.from({ length: count }, () => ({ change, body }));

const question = (change: Partial<MergeQuestion>): MergeQuestion => ({
  projectSlug: 'web',
  transaction: null,
  environments: [],
  release: null,
  range: RANGE,
  ...change,
});
const open = (change: Partial<MergeQuestion>) => openMergedProfile(ctx, symbols, question(change));

describe('profiles that are merged', () => {
  test('are those of a transaction, a release and an environment, in a range', async () => {
    const transactionName = 'GET /merged';
    await store([
      ...many(3, { transactionName, release: 'shop@1', environment: 'production' }),
      ...many(2, { transactionName, release: 'shop@2', occurredAt: NOON_MS + 1_000 }),
      ...many(1, { transactionName, release: 'shop@2', occurredAt: NOON_MS - 2 * HOUR_MS }),
      ...many(1, { transactionName: 'GET /other' }),
    ]);
    const all = await open({ transaction: transactionName });
    expect(all).toMatchObject({ profiles: 5, total: 5, samples: 5 * 24, leftOut: 0, isCutShort: false });
    expect(all.thread.durationUs).toBe(5 * 240_000);
    const top = all.functions[0];
    expect(all.thread.frames[top?.frame ?? -1]?.name).toBe('matchRule');
    expect(top).toMatchObject({ selfUs: 5 * 50_000, selfSamples: 25 });
    expect(await open({ transaction: transactionName, release: 'shop@1' })).toMatchObject({ profiles: 3 });
    expect(await open({ transaction: transactionName, environments: ['production'] })).toMatchObject({
      total: 3,
    });
    expect(await open({ transaction: 'GET /none' })).toMatchObject({ profiles: 0, total: 0, platform: '' });
    const { release: _, ...asked } = question({ transaction: transactionName });
    expect(await listProfiledReleases(ctx, asked)).toMatchObject([
      { release: 'shop@2', profiles: 2 },
      { release: 'shop@1', profiles: 3 },
    ]);
    await expect(open({ projectSlug: 'none' })).rejects.toThrow(/no project "none"/);
  });

  testInFull('are a sample where there are more, and leave out what cannot be merged', async () => {
    const transactionName = 'GET /many';
    await store([...many(MERGED_PROFILES_MAX + 20, { transactionName })]);
    const merged = await open({ transaction: transactionName });
    expect(merged.total).toBe(MERGED_PROFILES_MAX + 20);
    // A slow machine says that the time was over.
    if (!merged.isCutShort) expect(merged.profiles).toBe(MERGED_PROFILES_MAX);
    else expect(merged.profiles).toBeLessThan(MERGED_PROFILES_MAX);
    const odd = { transactionName: 'GET /odd' };
    await store([
      ...many(1, odd),
      { change: odd, body: null },
      { change: odd, body: { sampled_profile: 'AA==' } },
      { change: odd, body: Buffer.from('{"profile":') },
      { change: odd, body: Buffer.alloc(MERGED_PROFILE_BYTES_MAX + 1, ' ') },
    ]);
    expect(await open({ transaction: 'GET /odd' })).toMatchObject({ profiles: 1, total: 5, leftOut: 4 });
  });

  test('are of continuous profiling too for a project', async () => {
    const mine = await product.createProject(ctx.organization, 'continuous');
    const body = sampleChunk(newEventId(), newEventId(), NOON_MS / 1_000);
    const change = { projectId: mine.id, kind: 'profile_chunk', profilerId: newEventId() } as const;
    await store([{ change, body }]);
    const merge = await open({ projectSlug: 'continuous' });
    expect(merge).toMatchObject({ profiles: 1, samples: 24 });
    expect(merge.rows[0]).toMatchObject({ kind: 'profile_chunk' });
  });

  test('are what continuous profilers saw during a transaction, on its thread', async () => {
    const transaction = 'GET /during';
    const profilerId = newEventId();
    const began = NOON_MS / 1_000;
    const change = { kind: 'profile_chunk', profilerId, durationMs: 240, release: 'shop@7' } as const;
    await store([
      { change, body: sampleChunk(profilerId, newEventId(), began) },
      {
        change: { ...change, occurredAt: NOON_MS + 250 },
        body: sampleChunk(profilerId, newEventId(), began + 0.25),
      },
      ...many(1, { transactionName: transaction, release: 'shop@6' }),
    ]);
    const during = (fromMs: number, toMs: number, attributes: object, release = 'shop@7') =>
      makeRow('spans', {
        organizationId: ctx.organization.id,
        projectId: web.id,
        spanId: newSpanId(),
        isSegment: true,
        segmentName: transaction,
        release,
        startedAtUs: (NOON_MS + fromMs) * 1_000,
        durationUs: (toMs - fromMs) * 1_000,
        attributes: { profiler_id: profilerId, ...attributes },
      });
    const spans = [
      // Ten samples of the first chunk, and one of both at its border: the last sample of a chunk only ends another.
      during(0, 100, { 'thread.id': '0' }),
      during(200, 300, { 'thread.id': 0 }),
      during(0, 100, { 'thread.id': '9' }),
      during(0, 100, { 'thread.id': '0' }, 'shop@8'),
      { ...during(0, 100, { 'thread.id': '0' }), isSegment: false },
      { ...during(0, 100, { 'thread.id': '0' }), segmentName: 'GET /elsewhere' },
    ];
    await product.stores.telemetry.insert({ spans }, newEventId());
    const all = await open({ transaction });
    expect(all).toMatchObject({ total: 5, profiles: 4, leftOut: 1, isCutShort: false });
    expect(all.rows.map(({ kind }) => kind).toSorted()).toEqual([
      'profile',
      'profile_chunk',
      'profile_chunk',
    ]);
    const seven = await open({ transaction, release: 'shop@7' });
    // 100 ms of the first, and of the second 200 to 240 in one chunk and 250 to 300 in the other.
    expect(seven).toMatchObject({ total: 3, profiles: 2, samples: 10 + 4 + 5 });
    expect(seven.thread.durationUs).toBe(190_000);
    const cart = seven.functions.find(({ frame }) => seven.thread.frames[frame]?.name === 'loadCart');
    expect(cart?.totalsUs).toHaveLength(2);
    const { release: _, ...asked } = question({ transaction });
    expect(await listProfiledReleases(ctx, asked)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ release: 'shop@6', profiles: 1 }),
        expect.objectContaining({ release: 'shop@7', profiles: 3 }),
        expect.objectContaining({ release: 'shop@8', profiles: 1 }),
      ]),
    );
  });
});

describe('functions that are compared', () => {
  test('have their shares of both releases, and no change with too few profiles', async () => {
    const transactionName = 'GET /compared';
    const slower = sampleProfile(newEventId()) as { profile: { samples: object[] } };
    // Twice as long in matchRule at the end.
    slower.profile.samples.push(
      ...Array.from({ length: 25 }, (_, index) => ({
        elapsed_since_start_ns: String((index + 25) * 10_000_000),
        thread_id: '0',
        stack_id: 4,
      })),
    );
    const few = COMPARED_PROFILES_MIN - 1;
    await store([
      ...many(10, { transactionName, release: '1' }),
      ...many(10, { transactionName, release: '2' }, slower),
      ...many(few, { transactionName, release: '3' }),
    ]);
    const { release: _, range, ...asked } = question({ transaction: transactionName });
    const compare = (before: string, after: string) =>
      compareProfiles(ctx, symbols, {
        ...asked,
        before: { release: before, range },
        after: { release: after, range },
      });
    const compared = await compare('1', '2');
    expect(compared.before).toMatchObject({ profiles: 10, total: 10, samples: 240 });
    const [first] = compared.functions;
    expect(first).toMatchObject({ frame: { name: 'matchRule' }, before: { samples: 50 } });
    expect(first?.before.share).toBeCloseTo(5 / 24, 5);
    expect(first?.change).toBeGreaterThan(0.3);
    expect(first?.ratio).toBeGreaterThan(2);
    const thin = await compare('3', '2');
    expect(thin.before).toMatchObject({ profiles: few });
    expect(thin.functions.every(({ change, ratio }) => change === null && ratio === null)).toBe(true);
    expect(await compare('1', 'none')).toMatchObject({ after: { profiles: 0, total: 0 } });
  });
});

test('a search of Sentry’s clients says what is merged, and nothing that profiles do not know', () => {
  const read = (query: string) => readMergeSearch(query);
  expect(read('event.type:transaction transaction:"GET \\"a b\\""')).toEqual({
    transaction: 'GET "a b"',
    release: null,
    environments: [],
  });
  expect(read('release:shop@1 environment:prod')).toMatchObject({
    release: 'shop@1',
    environments: ['prod'],
  });
  expect(read('')).toMatchObject({ transaction: null });
  for (const query of ['transaction:a*', '!transaction:a', 'transaction:[a,b]', 'browser:x', 'words']) {
    expect(() => read(query), query).toThrow();
  }
});

test('a profile of bundled JavaScript shows its functions as they were written, by uploaded source maps', async () => {
  const scene = await openReprocessScene(product);
  const debugId = 'a1b2c3d4-0000-4000-8000-000000000007';
  const code = 'function n(b){a(b)}';
  const map = makeSourceMap(
    [{ name: '../src/cart.ts', content: 'one' }],
    [
      { at: [0, 0], from: [0, 7, 4] },
      { at: [0, 9], from: [0, 7, 13], name: 'applyCoupon' },
      { at: [0, 11], from: [0, 7, 25] },
    ],
  );
  const owner = { ...scene.admin, now: ctx.now };
  const address = 'https://shop.example.com/assets/app.js';
  const samples = [0, 1, 2].map((at) => ({
    elapsed_since_start_ns: at * 10_000_000,
    thread_id: '0',
    stack_id: 0,
  }));
  const body = {
    version: '1',
    platform: 'javascript',
    debug_meta: { images: [{ type: 'sourcemap', code_file: address, debug_id: debugId }] },
    profile: {
      frames: [{ function: 'n', abs_path: address, lineno: 1, colno: 11 }],
      stacks: [[0]],
      samples,
    },
  };
  const [row] = await store([
    {
      change: { organizationId: scene.organization.id, projectId: scene.project.id, transactionName: '/' },
      body,
    },
  ]);
  const asked = { projectSlug: scene.project.slug, profileId: row?.profileId ?? '' };
  const before = await openProfile(owner, scene.openSymbols(), asked);
  expect(before.thread?.frames).toMatchObject([{ name: 'n' }]);
  expect(before.unmapped).toEqual([{ problem: { reason: 'debug_id_not_uploaded', debugId }, frames: 1 }]);
  await scene.uploadFile(
    { name: 'app.js', content: code, kind: 'minified_source', debugId, sourceMap: 'app.js.map' },
    null,
  );
  await scene.uploadFile({ name: 'app.js.map', content: map, kind: 'source_map', debugId }, null);
  const after = await openProfile(owner, scene.openSymbols(), asked);
  expect(after.unmapped).toEqual([]);
  expect(after.thread?.frames).toMatchObject([
    { name: 'applyCoupon', file: '../src/cart.ts', line: 8, isLibrary: false },
  ]);
  const merged = await openMergedProfile(owner, scene.openSymbols(), {
    ...question({ transaction: '/' }),
    projectSlug: scene.project.slug,
  });
  expect(merged.thread.frames).toMatchObject([{ name: 'applyCoupon' }]);
  await scene.close();
});

test('a profile and a chunk are written as speedscope opens them', async () => {
  const profilerId = newEventId();
  const [profile, chunk] = await store([
    ...many(1, { transactionName: '/checkout' }),
    {
      change: { kind: 'profile_chunk', profilerId },
      body: sampleChunk(profilerId, newEventId(), NOON_MS / 1_000),
    },
  ]);
  const file = await exportSpeedscope(ctx, symbols, {
    projectSlug: 'web',
    profileId: profile?.profileId ?? '',
  });
  expect(file).toMatchObject({
    name: '/checkout',
    profiles: [{ name: 'main', endValue: 240_000 }, { name: 'worker' }],
  });
  for (const { events } of file.profiles) {
    const open: number[] = [];
    let at = 0;
    for (const event of events) {
      expect(event.at).toBeGreaterThanOrEqual(at);
      at = event.at;
      if (event.type === 'O') open.push(event.frame);
      else expect(open.pop()).toBe(event.frame);
    }
    expect(open).toEqual([]);
  }
  const ofChunk = await exportSpeedscope(ctx, symbols, {
    projectSlug: 'web',
    profileId: chunk?.profileId ?? '',
  });
  expect(ofChunk.profiles).toMatchObject([{ startValue: 0, endValue: 240_000 }]);
});

describe('logs around an event', () => {
  test('are those of its trace, oldest first, the nearest of each side', async () => {
    const traceId = newEventId();
    const origin = { organizationId: ctx.organization.id, projectId: web.id, traceId };
    const at = (ms: number) => ({ ...origin, body: String(ms), occurredAtUs: (NOON_MS + ms) * 1_000 });
    const offsets = [
      ...Array.from({ length: LOGS_BEFORE_MAX + 3 }, (_, index) => -index * 1_000),
      ...Array.from({ length: LOGS_AFTER_MAX + 2 }, (_, index) => (index + 1) * 1_000),
      -2 * HOUR_MS,
    ];
    await product.stores.telemetry.insert(
      {
        logs: [
          ...offsets.map((ms) => makeRow('logs', { ...at(ms), level: ms === 0 ? 'error' : 'info' })),
          makeRow('logs', { ...at(0), traceId: newEventId(), body: 'of another trace' }),
        ],
      },
      newEventId(),
    );
    const { lines, hasMore } = await listLogsAround(ctx, { traceId, atMs: NOON_MS });
    expect(hasMore).toBe(true);
    expect(lines.map(({ message }) => Number(message))).toEqual(
      Array.from(
        { length: LOGS_BEFORE_MAX + LOGS_AFTER_MAX },
        (_, index) => (index - LOGS_BEFORE_MAX + 1) * 1_000,
      ),
    );
    expect(lines[LOGS_BEFORE_MAX - 1]).toMatchObject({ level: 'error', message: '0', atUs: NOON_MS * 1_000 });
    const other = await product.join(await product.createOrganization(), 'owner');
    expect(await listLogsAround(other, { traceId, atMs: NOON_MS })).toEqual({ lines: [], hasMore: false });
    expect(await listLogsAround(ctx, { traceId: newEventId(), atMs: NOON_MS })).toMatchObject({ lines: [] });
  });
});
