import { describe, expect, test } from 'vitest';
import type { UsageUnit } from './measure-usage.ts';
import { type Pressure, planDrops } from './plan-budget-drops.ts';

const TODAY = '2026-03-20';
const dayBefore = (days: number) =>
  new Date(Date.parse(TODAY) - days * 86_400_000).toISOString().slice(0, 10);

const unit = (projectId: number, kind: UsageUnit['kind'], daysAgo: number, bytes: number): UsageUnit => ({
  organizationId: projectId,
  projectId,
  kind,
  day: dayBefore(daysAgo),
  bytes,
});
const steady = (projectId: number, kind: UsageUnit['kind'], days: number, bytes: number) =>
  Array.from({ length: days }, (_, index) => unit(projectId, kind, index, bytes));

const plan = (units: readonly UsageUnit[], change: Partial<Pressure> = {}) =>
  planDrops({
    units,
    usedBytes: units.reduce((sum, { bytes }) => sum + bytes, 0),
    budgetBytes: 1_000,
    projectBudgets: new Map(),
    today: TODAY,
    ...change,
  });
const freed = (drops: ReturnType<typeof plan>) => drops.reduce((sum, { dropBytes }) => sum + dropBytes, 0);
const short = (drops: ReturnType<typeof plan>) =>
  drops.map(({ projectId, kind, day, part }) => `${projectId} ${kind} ${day.slice(8)} ${part}`);

describe('a flood', () => {
  test('of blobs takes nothing but its own, even of a project that has less than the victim', () => {
    const drops = plan([
      ...steady(1, 'events', 60, 10),
      ...steady(1, 'blobs', 6, 10),
      unit(2, 'blobs', 0, 300),
    ]);
    expect(short(drops)).toEqual(['2 blobs 20 oldest_hours']);
    expect(freed(drops)).toBeCloseTo(110);
  });

  test('spares the other days of its own project, and the hours that are not heavy', () => {
    const drops = plan([
      ...steady(1, 'events', 60, 5),
      ...steady(2, 'blobs', 10, 5).slice(1),
      unit(2, 'blobs', 0, 625),
    ]);
    expect(short(drops)).toEqual(['2 blobs 20 heaviest_hours']);
  });

  test('of events takes its own events, and no blobs of others', () => {
    const drops = plan([
      ...steady(1, 'events', 50, 6),
      ...steady(1, 'blobs', 30, 10),
      ...steady(2, 'events', 5, 2).slice(1),
      unit(2, 'events', 0, 360),
    ]);
    expect(short(drops)).toEqual(['2 events 20 heaviest_hours']);
  });

  test('of blobs goes before a flood of events', () => {
    const drops = plan([unit(1, 'blobs', 0, 300), unit(2, 'events', 0, 400), ...steady(3, 'events', 60, 5)]);
    expect(short(drops)).toEqual(['1 blobs 20 oldest_hours']);
  });

  test('is cut even when only the share of blobs is full, and rows stay', () => {
    const drops = plan([
      ...steady(1, 'blobs', 20, 10),
      unit(2, 'blobs', 0, 280),
      ...steady(2, 'events', 10, 10),
    ]);
    expect(short(drops)).toEqual(['2 blobs 20 oldest_hours']);
    expect(drops[0]).toMatchObject({ reason: 'blob_budget' });
    expect(freed(drops)).toBeCloseTo(480 - 425);
  });

  const KINDS = [
    'events',
    'transactions',
    'spans',
    'logs',
    'metrics',
    'sessions',
    'checkIns',
    'feedback',
    'attachments',
    'replays',
    'replaySegments',
    'profiles',
    'blobs',
  ] as const;

  test('that stays small in each kind costs only the sender', () => {
    const drops = plan([...steady(1, 'events', 60, 12), ...KINDS.map((kind) => unit(2, kind, 0, 19.5))]);
    expect(new Set(drops.map(({ projectId, day }) => `${projectId} ${day}`))).toEqual(
      new Set([`2 ${TODAY}`]),
    );
    expect(drops[0]?.kind).toBe('blobs');
    expect(freed(drops)).toBeCloseTo(720 + 13 * 19.5 - 850);
  });

  test('of kinds that were each seen on a day of their own is one, since the day has no equal', () => {
    const drops = plan([
      ...steady(1, 'events', 50, 10),
      ...KINDS.map((kind, index) => unit(2, kind, index + 1, 8)),
      ...KINDS.map((kind) => unit(2, kind, 0, 28)),
    ]);
    expect(new Set(drops.map(({ projectId, day }) => `${projectId} ${day}`))).toEqual(
      new Set([`2 ${TODAY}`]),
    );
  });

  test('of one kind is one beside a larger other kind', () => {
    const drops = plan([
      ...steady(1, 'events', 40, 10),
      ...steady(2, 'events', 5, 60),
      ...steady(2, 'logs', 5, 1).slice(1),
      unit(2, 'logs', 0, 260),
    ]);
    expect(short(drops)).toEqual(['2 logs 20 heaviest_hours']);
  });
});

describe('steady traffic', () => {
  test('of a single project loses its oldest days, blobs before events', () => {
    const drops = plan([...steady(1, 'events', 60, 10), ...steady(1, 'blobs', 36, 10)]);
    expect(new Set(drops.map(({ kind }) => kind))).toEqual(new Set(['blobs']));
    expect(drops[0]?.day).toBe(dayBefore(35));
    expect(freed(drops)).toBe(110);
    const rows = plan(steady(1, 'events', 96, 10));
    expect(short(rows)).toHaveLength(11);
    expect(rows[0]).toMatchObject({ day: dayBefore(95), part: 'all', reason: 'disk_budget' });
  });

  test('of a single day loses its oldest hours', () => {
    expect(short(plan([unit(1, 'events', 0, 960)]))).toEqual(['1 events 20 oldest_hours']);
  });

  test('of the heaviest project makes room, however many small ones there are', () => {
    const small = Array.from({ length: 100 }, (_, index) => steady(index + 2, 'events', 10, 0.5)).flat();
    const drops = plan([...small, ...steady(1, 'events', 46, 10)]);
    expect(new Set(drops.map(({ projectId }) => projectId))).toEqual(new Set([1]));
    expect(drops[0]?.day).toBe(dayBefore(45));
  });

  test('of a hundred equal projects is cut alike', () => {
    const drops = plan(
      Array.from({ length: 100 }, (_, index) => steady(index + 1, 'events', 10, 0.97)).flat(),
    );
    expect(new Set(drops.map(({ projectId }) => projectId)).size).toBe(100);
    expect(new Set(drops.map(({ day }) => day))).toEqual(new Set([dayBefore(8), dayBefore(9)]));
  });

  test('drops blobs from 90 % on, and events only from 95 % on', () => {
    expect(plan(steady(1, 'events', 94, 10))).toEqual([]);
    const both = plan([...steady(1, 'events', 52, 10), ...steady(1, 'blobs', 40, 10)]);
    expect(new Set(both.map(({ kind }) => kind))).toEqual(new Set(['blobs']));
  });

  test('below its bounds drops nothing', () => {
    expect(plan([...steady(1, 'events', 40, 10), ...steady(2, 'blobs', 40, 10)])).toEqual([]);
  });
});

test('a budget that a person decided holds, also when there is room', () => {
  const drops = plan(
    [...steady(1, 'events', 10, 10), ...steady(1, 'blobs', 5, 10), ...steady(2, 'events', 10, 10)],
    {
      projectBudgets: new Map([[1, 100]]),
    },
  );
  expect(new Set(drops.map(({ projectId, reason }) => `${projectId} ${reason}`))).toEqual(
    new Set(['1 project_budget']),
  );
  expect(short(drops).slice(0, 6)).toEqual([
    ...[4, 3, 2, 1].map((days) => `1 blobs ${dayBefore(days).slice(8)} all`),
    '1 blobs 20 all',
    `1 events ${dayBefore(9).slice(8)} all`,
  ]);
  expect(freed(drops)).toBeCloseTo(70);
});
