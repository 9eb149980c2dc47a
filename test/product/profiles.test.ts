import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderByTime } from '#domain/profiles/flame-graph.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { listProfiles } from '#product/profiles/list-profiles.ts';
import { openContinuousProfile, openProfile } from '#product/profiles/open-profile.ts';
import {
  type FrameSymbols,
  OPENED_CHUNKS_MAX,
  OPENED_PROFILE_BYTES_MAX,
} from '#product/profiles/profile-bodies.ts';
import { getChunkSamples, getProfileSamples } from '#product/profiles/profile-samples.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { DigestedProfile } from '#protocol/telemetry.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { testInFull } from '../harness/is-full.ts';
import { sampleChunk, sampleProfile } from '../harness/sample-profile.ts';
import { openProduct, type Product } from './open-product.ts';
import { symbolsOf } from './product-services.ts';

const WEB = { projectSlug: 'web' } as const;

let product: Product;
let web: Project;
let ctx: Context;
let symbols: FrameSymbols;

beforeAll(async () => {
  product = await openProduct();
  product.clock.nowMs = NOON_MS + 60_000;
  const mine = await product.createOrganization();
  web = await product.createProject(mine, 'web');
  ctx = await product.join(mine, 'member');
  symbols = symbolsOf(product.stores);
});
afterAll(async () => product?.close());

/** Stores a row, and its body unless it is null. */
async function store(
  change: Partial<DigestedProfile>,
  body: object | Buffer | null,
): Promise<DigestedProfile> {
  const row = makeRow('profiles', {
    organizationId: ctx.organization.id,
    projectId: web.id,
    blobKey: blobKey(NOON_MS, web.id, newEventId()),
    durationMs: 240,
    ...change,
  });
  if (body) {
    await product.stores.blobs.put(
      row.blobKey,
      Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
    );
  }
  await product.stores.telemetry.insert({ profiles: [row] }, newEventId());
  return row;
}

describe('the profile of a transaction', () => {
  test('opens at the thread of the transaction, or at the one that was asked for', async () => {
    const { profileId } = await store({ transactionName: '/checkout' }, sampleProfile(newEventId()));
    const opened = await openProfile(ctx, symbols, { ...WEB, profileId });
    expect(opened).toMatchObject({ threadId: '0', problem: null, chunks: 1, hasMoreChunks: false });
    expect(opened.threads).toEqual([
      { id: '0', name: 'main', samples: 25 },
      { id: '1', name: 'worker', samples: 25 },
    ]);
    expect(opened.thread?.durationUs).toBe(240_000);
    const worker = await openProfile(ctx, symbols, { ...WEB, profileId, threadId: '1' });
    expect(worker.thread?.frames.map(({ name }) => name)).toEqual(['(idle)']);
    expect((await openProfile(ctx, symbols, { ...WEB, profileId, threadId: 'none' })).threadId).toBe('0');
  });

  test('says why it cannot be shown', async () => {
    const problem = async (body: object | Buffer | null) => {
      const { profileId } = await store({}, body);
      const { thread, problem } = await openProfile(ctx, symbols, { ...WEB, profileId });
      expect(thread).toBeNull();
      return problem;
    };
    expect(await problem(null)).toBe('deleted');
    expect(await problem(Buffer.from('{"profile":'))).toBe('format');
    expect(await problem({ sampled_profile: 'AA==' })).toBe('format');
    expect(await problem(Buffer.alloc(OPENED_PROFILE_BYTES_MAX + 1, ' '))).toBe('too-large');
  });

  test('is not found by another id', async () => {
    await expect(openProfile(ctx, symbols, { ...WEB, profileId: newEventId() })).rejects.toThrow(
      /has no profile/,
    );
    await expect(openProfile(ctx, symbols, { ...WEB, profileId: '../x' })).rejects.toThrow(/has no profile/);
  });
});

describe('a continuous profile', () => {
  const chunkOf = (profilerId: string, offsetMs: number, clockMs = 0) =>
    store(
      { kind: 'profile_chunk', profilerId, occurredAt: NOON_MS + offsetMs },
      sampleChunk(profilerId, newEventId(), (NOON_MS + offsetMs - clockMs) / 1_000),
    );
  const open = (profilerId: string, range: [number, number] | null, threadId?: string) =>
    openContinuousProfile(ctx, symbols, {
      ...WEB,
      profilerId,
      range: range && { fromMs: NOON_MS + range[0], toMs: NOON_MS + range[1] },
      threadId,
    });

  test('joins its chunks, and is cut to the range', async () => {
    const profilerId = newEventId();
    for (const offsetMs of [250, 0, 60_000]) await chunkOf(profilerId, offsetMs);
    const joined = await open(profilerId, [0, 1_000]);
    expect(joined).toMatchObject({ chunks: 2, threadId: '0', hasMoreChunks: false });
    expect(joined.thread?.durationUs).toBe(490_000);
    const cut = await open(profilerId, [100, 300], '0');
    expect(cut.thread?.durationUs).toBe(200_000);
    expect(Math.min(...orderByTime(cut.thread!).fromUs)).toBe(0);
    expect((await open(profilerId, null)).chunks).toBe(3);
    await expect(open(profilerId, [5_000, 6_000])).rejects.toThrow(/no chunks/);
    await expect(open('x', null)).rejects.toThrow(/no chunks/);
  });

  test('follows the clock that was put right', async () => {
    const profilerId = newEventId();
    await chunkOf(profilerId, 0, 3_600_000);
    expect((await open(profilerId, [0, 240])).thread?.durationUs).toBe(240_000);
  });

  testInFull('opens no more chunks than a page holds', async () => {
    const profilerId = newEventId();
    for (let index = 0; index <= OPENED_CHUNKS_MAX; index++) await chunkOf(profilerId, index * 250);
    expect(await open(profilerId, null)).toMatchObject({ chunks: OPENED_CHUNKS_MAX, hasMoreChunks: true });
  });
});

describe('the samples, as clients of Sentry read them', () => {
  test('of a profile are those that were sent', async () => {
    const sent = sampleProfile(newEventId()) as {
      profile: { stacks: number[][]; samples: { stack_id: number; thread_id: string }[] };
    };
    const { profileId } = await store({}, sent);
    const read = await getProfileSamples(ctx, symbols, { ...WEB, profileId });
    expect(read.stacks).toEqual(sent.profile.stacks);
    expect(read.samples.map(({ stack, threadId }) => [stack, threadId])).toEqual(
      sent.profile.samples.map(({ stack_id, thread_id }) => [stack_id, thread_id]),
    );
    expect(read.activeThreadId).toBe('0');
    const other = await store({}, { sampled_profile: 'AA==' });
    await expect(getProfileSamples(ctx, symbols, { ...WEB, profileId: other.profileId })).rejects.toThrow(
      /download it/,
    );
  });

  test('of chunks are one chunk, cut to the range', async () => {
    const profilerId = newEventId();
    for (const offsetMs of [0, 250]) {
      await store(
        { kind: 'profile_chunk', profilerId, occurredAt: NOON_MS + offsetMs },
        sampleChunk(profilerId, newEventId(), (NOON_MS + offsetMs) / 1_000),
      );
    }
    const range = { fromMs: NOON_MS + 100, toMs: NOON_MS + 300 };
    const read = await getChunkSamples(ctx, symbols, { ...WEB, profilerId, range });
    expect(read.samples.map(({ atUs }) => atUs / 1_000 - NOON_MS)).toEqual(
      Array.from({ length: 21 }, (_, index) => 100 + index * 10),
    );
    expect(Object.keys(read.threadNames)).toEqual(['0']);
    expect(new Set(read.frames.map(({ name }) => name)).size).toBe(read.frames.length);
  });
});

test('the list has them by transaction, environment, and time', async () => {
  const row = await store({ transactionName: 'POST /Receipts', environment: 'staging' }, null);
  const list = async (text: string, environments: string[], fromMs = NOON_MS - 1) => {
    const { rows } = await listProfiles(ctx, {
      projectSlugs: ['web'],
      environments,
      range: { fromMs, toMs: NOON_MS + 60_000 },
      text,
      cursor: null,
      limit: 10,
    });
    return rows.map(({ profileId }) => profileId);
  };
  expect(await list('/receipts', [])).toEqual([row.profileId]);
  expect(await list('', ['staging'])).toEqual([row.profileId]);
  expect(await list('/receipts', ['production'])).toEqual([]);
  expect(await list('/receipts', [], NOON_MS + 1)).toEqual([]);
});
