import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UptimeParts } from '#product/uptime/check-due-monitor.ts';
import { UPTIME_DEFAULTS } from '#product/uptime/check-uptime-monitor.ts';
import { runUptimeWorker } from './uptime-worker.ts';

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const ANSWER = {
  kind: 'answered',
  status: 200,
  headers: {},
  body: '',
  isCut: false,
  timings: { dnsMs: 0, connectMs: 0, tlsMs: null, firstByteMs: 0, totalMs: 1, certificateExpiresAt: null },
} as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker over so many due monitors, whose checks end when `release` lets them. */
function open(due: number, isAway: { postgres?: number; clickhouse?: number } = {}) {
  const seen = { takes: [] as number[], written: [] as number[], underWay: 0, most: 0, finished: 0 };
  const gates: (() => void)[] = [];
  const away = { postgres: 0, clickhouse: 0, ...isAway };
  let left = due;
  const stores = {
    uptimeLeases: {
      takeDue: async (_now: number, { limit }: { limit: number }) => {
        if (away.postgres-- > 0) throw new Error('PostgreSQL is away');
        seen.takes.push(limit);
        const taken = Math.min(left, limit);
        left -= taken;
        return Array.from({ length: taken }, (_, id) => ({
          id,
          url: 'http://shop.example.com/',
          definition: { ...UPTIME_DEFAULTS, headerNames: [] },
          headers: {},
          intervalSeconds: 60,
          state: 'up',
          failuresInRow: 0,
          successesInRow: 1,
        }));
      },
      finish: async () => {
        seen.finished++;
        return true;
      },
    },
    uptimeChecks: {
      insert: async (checks: readonly unknown[]) => {
        if (away.clickhouse-- > 0) throw new Error('ClickHouse is away');
        seen.written.push(checks.length);
      },
    },
    uptimeIncidents: { listUntold: async () => [] },
  };
  const prober = {
    probe: () => {
      seen.most = Math.max(seen.most, ++seen.underWay);
      return new Promise((resolve) =>
        gates.push(() => {
          seen.underWay--;
          resolve(ANSWER);
        }),
      );
    },
    isOffline: async () => false,
  };
  const stopping = new AbortController();
  const parts = { stores, prober, now: Date.now, log: SILENT } as unknown as UptimeParts & {
    log: typeof SILENT;
  };
  const running = runUptimeWorker(parts, stopping.signal);
  return {
    seen,
    release: () => {
      for (const gate of gates.splice(0)) gate();
    },
    async stop() {
      stopping.abort();
      await vi.advanceTimersByTimeAsync(5_000);
      await running;
    },
  };
}

test('no more than a hundred checks are under way, and the others follow as soon as those end', async () => {
  const worker = open(250);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([worker.seen.most, worker.seen.takes[0]]).toEqual([100, 100]);
  for (let round = 0; round < 3; round++) {
    worker.release();
    await vi.advanceTimersByTimeAsync(600);
  }
  expect([worker.seen.most, worker.seen.finished]).toEqual([100, 250]);
  await worker.stop();
});

test('where no monitor was due for a minute it looks less often', async () => {
  const worker = open(0);
  await vi.advanceTimersByTimeAsync(61_000);
  const looked = worker.seen.takes.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(worker.seen.takes.length - looked).toBe(12);
  await worker.stop();
});

test('checks are written together, and again while the store is away', async () => {
  const worker = open(30, { clickhouse: 2 });
  await vi.advanceTimersByTimeAsync(100);
  worker.release();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(worker.seen.written).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(worker.seen.written).toEqual([30]);
  await worker.stop();
});

test('while PostgreSQL is away it waits, and goes on', async () => {
  const worker = open(5, { postgres: 2 });
  await vi.advanceTimersByTimeAsync(10_100);
  expect(worker.seen.underWay).toBe(5);
  worker.release();
  await worker.stop();
});

test('whoever stops it waits for what is under way, writes what ended, and not for ever', async () => {
  const worker = open(2);
  await vi.advanceTimersByTimeAsync(100);
  worker.release();
  const stopping = worker.stop();
  await stopping;
  expect(worker.seen.written).toEqual([2]);
  const stuck = open(1);
  await vi.advanceTimersByTimeAsync(100);
  await stuck.stop();
  expect(stuck.seen.finished).toBe(0);
});
