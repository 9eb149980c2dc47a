import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DeliveryParts } from '#product/deliveries/delivery-parts.ts';
import { runDeliveryWorker } from './delivery-worker.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker over messages whose readers are gone: each is finished as soon as `release` lets it look. */
function open(due: number, isAwayAt: readonly number[] = [], one: object = { receiver: {} }) {
  const seen = { takes: [] as number[], mails: [] as unknown[], underWay: 0, most: 0, finished: 0 };
  const gates: (() => void)[] = [];
  let left = due;
  const deliveries = {
    take: async (_nowMs: number, { limit, mailsMax, reportsMax }: Record<string, number>) => {
      seen.takes.push(limit!);
      seen.mails.push([mailsMax, reportsMax]);
      if (isAwayAt.includes(seen.takes.length)) throw new Error('PostgreSQL is away');
      const taken = Math.min(left, limit!);
      left -= taken;
      return Array.from({ length: taken }, (_, index) => ({ id: String(index), attempts: 1, ...one }));
    },
    finish: async () => {
      seen.underWay--;
      seen.finished++;
      return true;
    },
  };
  const projects = {
    listOrganizations: () => {
      seen.most = Math.max(seen.most, ++seen.underWay);
      return new Promise((resolve) => gates.push(() => resolve([])));
    },
  };
  let tell = () => {};
  const parts = {
    stores: { deliveries, projects },
    now: Date.now,
    faults: { hit() {}, reach() {} },
  } as unknown as DeliveryParts;
  const stopping = new AbortController();
  const subscribe = (listener: () => void) => {
    tell = listener;
    return () => {};
  };
  const running = runDeliveryWorker(parts, { subscribe, log: SILENT }, stopping.signal);
  return {
    seen,
    tell: () => tell(),
    release: () => {
      for (const open of gates.splice(0)) open();
    },
    async stop() {
      stopping.abort();
      await vi.advanceTimersByTimeAsync(5_000);
      await running;
    },
  };
}

test('it looks each second, and at once when it is told', async () => {
  const worker = open(0);
  await vi.advanceTimersByTimeAsync(10);
  expect(worker.seen.takes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(worker.seen.takes).toHaveLength(4);
  worker.tell();
  await vi.advanceTimersByTimeAsync(1);
  expect(worker.seen.takes).toHaveLength(5);
  await worker.stop();
});

test('after a quiet minute it looks less often, until it is told', async () => {
  const worker = open(0);
  await vi.advanceTimersByTimeAsync(61_000);
  const looked = worker.seen.takes.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(worker.seen.takes.length - looked).toBe(12);
  worker.tell();
  await vi.advanceTimersByTimeAsync(3_010);
  expect(worker.seen.takes.length - looked).toBe(16);
  await worker.stop();
});

test('no more than sixteen messages are under way; the next ones follow as soon as one is done', async () => {
  const worker = open(40);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([worker.seen.most, worker.seen.takes]).toEqual([16, [16]]);
  for (let round = 0; round < 3; round++) {
    worker.release();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect([worker.seen.most, worker.seen.finished]).toEqual([16, 40]);
  await worker.stop();
});

test.each([
  ['mails', 'alert', [4, 2], [1, 2]],
  ['reports', 'report', [4, 2], [2, 0]],
])('of %s it asks for as many as may still be under way', async (_, kind, first, next) => {
  const worker = open(kind === 'report' ? 2 : 3, [], { kind, receiver: { kind: 'user' } });
  await vi.advanceTimersByTimeAsync(1_010);
  expect(worker.seen.mails).toEqual([first, next]);
  worker.release();
  await vi.advanceTimersByTimeAsync(10);
  expect(worker.seen.mails.at(-1)).toEqual(first);
  await worker.stop();
});

test('while the database is away it waits, and goes on', async () => {
  const worker = open(1, [1, 2]);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(worker.seen.takes).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(5_200);
  worker.release();
  await vi.advanceTimersByTimeAsync(10);
  expect(worker.seen.finished).toBe(1);
  await worker.stop();
});

test('whoever stops it waits for what is under way, but not for ever', async () => {
  const worker = open(1);
  await vi.advanceTimersByTimeAsync(10);
  await worker.stop();
  expect(worker.seen.finished).toBe(0);
});
