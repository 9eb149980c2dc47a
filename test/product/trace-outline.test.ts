import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Project } from '#domain/projects.ts';
import { HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { findEventProfile } from '#product/profiles/find-event-profile.ts';
import { getTraceOutline } from '#product/traces/trace-outline.ts';
import type { DigestedSpan, TelemetryRows } from '#protocol/telemetry.ts';
import { NOON_MS, newEventId } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { newSpanId } from '../harness/envelope.ts';
import { openProduct, type Product } from './open-product.ts';

const PROFILER = 'b'.repeat(32);

let product: Product;
let web: Project;
let shop: Project;
let ctx: Context;

beforeAll(async () => {
  product = await openProduct();
  product.clock.nowMs = NOON_MS + HOUR_MS;
  const mine = await product.createOrganization();
  web = await product.createProject(mine, 'web');
  shop = await product.createProject(mine, 'shop');
  ctx = await product.join(mine, 'member');
});
afterAll(async () => product?.close());

const insert = (rows: Partial<TelemetryRows>) => product.stores.telemetry.insert(rows, newEventId());

/** A span that came by itself, which began so many milliseconds after noon. */
const span = (project: Project, traceId: string, fromMs: number, change: Partial<DigestedSpan> = {}) =>
  makeRow('spans', {
    organizationId: ctx.organization.id,
    projectId: project.id,
    traceId,
    spanId: newSpanId(),
    transactionId: null,
    source: 'span_v2',
    op: 'http.server',
    isSegment: true,
    startedAtUs: (NOON_MS + fromMs) * 1_000,
    durationUs: 100_000,
    attributes: {},
    ...change,
  });

describe('a trace of spans without transactions', () => {
  test('has the roots of its projects with their profilers, and the web vitals that it measured', async () => {
    const traceId = newEventId();
    const attributes = { 'sentry.profiler_id': PROFILER, 'thread.id': '7' };
    const spans = [
      span(web, traceId, 0, { op: 'pageload', segmentName: '/cart', attributes: { ttfb: 85 } }),
      span(web, traceId, 5, { op: 'ui.webvital.lcp', isSegment: false, attributes: { lcp: 288.5 } }),
      span(web, traceId, 6, { op: 'ui.interaction.click', attributes: { inp: 24 } }),
      span(shop, traceId, 10, { segmentName: 'POST /orders', attributes }),
      span(shop, traceId, 11, { op: 'db', isSegment: false }),
    ];
    await insert({ spans: [...spans, span(web, newEventId(), 0)] });
    const { roots, vitals } = await getTraceOutline(ctx, traceId);
    expect(roots).toEqual([
      {
        projectSlug: 'web',
        spanId: spans[0]?.spanId,
        name: '/cart',
        startedAtUs: NOON_MS * 1_000,
        endedAtUs: (NOON_MS + 100) * 1_000,
        profilerId: null,
        threadId: null,
      },
      expect.objectContaining({
        projectSlug: 'shop',
        name: 'POST /orders',
        profilerId: PROFILER,
        threadId: '7',
      }),
    ]);
    expect(vitals).toEqual({ lcp: 288.5, inp: 24, ttfb: 85 });
  });

  test('has its web vitals also when they were measured after more roots than are listed', async () => {
    const traceId = newEventId();
    const roots = Array.from({ length: 120 }, (_, index) =>
      span(shop, traceId, index, { segmentName: `job ${index}` }),
    );
    const late = span(web, traceId, 500, { op: 'ui.webvital.cls', attributes: { cls: 0.2 } });
    await insert({ spans: [...roots, late] });
    const outline = await getTraceOutline(ctx, traceId);
    expect(outline.roots.map(({ name }) => name)).toEqual(
      Array.from({ length: 100 }, (_, index) => `job ${index}`),
    );
    expect(outline.vitals).toEqual({ cls: 0.2 });
  });
});

describe('the profile of an event', () => {
  test('is what ran in its project while it happened', async () => {
    const traceId = newEventId();
    const attributes = { 'profiler.id': PROFILER };
    await insert({
      spans: [
        span(shop, traceId, 0, { attributes }),
        span(web, traceId, 0, { durationUs: 500_000, attributes: { profiler_id: 'c'.repeat(32) } }),
      ],
    });
    const at = (ms: number, projectSlug = 'shop') =>
      findEventProfile(ctx, { projectSlug, traceId, atMs: NOON_MS + ms });
    const range = { fromMs: NOON_MS, toMs: NOON_MS + 100 };
    const continuous = { kind: 'continuous', profilerId: PROFILER, threadId: null, range };
    expect(await at(50)).toEqual(continuous);
    expect(await at(300)).toBeNull();
    expect(await at(300, 'web')).toMatchObject({ profilerId: 'c'.repeat(32) });
    const profile = makeRow('profiles', {
      organizationId: ctx.organization.id,
      projectId: shop.id,
      traceId,
      profilerId: null,
      occurredAt: NOON_MS + 40,
      durationMs: 20,
    });
    await insert({ profiles: [profile] });
    expect(await at(50)).toEqual({ kind: 'transaction', profileId: profile.profileId });
    expect(await at(90)).toEqual(continuous);
    const other = await product.join(await product.createOrganization(), 'owner');
    await expect(
      findEventProfile(other, { projectSlug: 'shop', traceId, atMs: NOON_MS + 50 }),
    ).rejects.toThrow(/no project "shop"/);
  });

  test('is that of its transaction, also when the last sample was taken before it', async () => {
    const traceId = newEventId();
    const made = { organizationId: ctx.organization.id, projectId: shop.id, traceId, profilerId: null };
    const times = { occurredAt: NOON_MS + 1, durationMs: 60 };
    const profile = makeRow('profiles', { ...made, ...times, transactionName: 'POST /charges' });
    await insert({
      spans: [
        span(shop, traceId, 0, { segmentName: 'POST /charges' }),
        span(shop, traceId, 200, { segmentName: 'POST /refunds' }),
      ],
      profiles: [profile],
    });
    const at = (ms: number) => findEventProfile(ctx, { projectSlug: 'shop', traceId, atMs: NOON_MS + ms });
    expect(await at(80)).toEqual({ kind: 'transaction', profileId: profile.profileId });
    expect(await at(150)).toBeNull();
    expect(await at(250)).toBeNull();
  });
});
