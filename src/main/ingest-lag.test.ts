import { expect, test } from 'vitest';
import { IngestLagMeter } from './ingest-lag.ts';

const OK = { ok: true, detail: '' };
const figures = (position: number, depth: number) => ({ position, depth, events: 0, quarantined: 0 });

/** Reports each second: where the digest is and what waits. */
function meterAfter(seconds: number, at: (second: number) => { position: number; depth: number }) {
  const meter = new IngestLagMeter();
  for (let second = 0; second <= seconds; second++) {
    const { position, depth } = at(second);
    meter.note(second * 1_000, OK, figures(position, depth));
  }
  return meter;
}

test('nothing that waits, or not for long, is no lag', () => {
  expect(new IngestLagMeter().find(0)).toBeNull();
  expect(meterAfter(100, (second) => ({ position: second, depth: 0 })).find(100_000)).toBeNull();
  // A busy server: something always waits, and each record a second or so.
  expect(meterAfter(100, (second) => ({ position: second * 500, depth: 700 })).find(100_000)).toBeNull();
});

test('tells how long the oldest has waited', () => {
  // Twice as much arrives as is digested.
  const meter = meterAfter(100, (second) => ({ position: second * 10, depth: second * 10 }));
  expect(meter.find(100_000)).toEqual({ seconds: 49, reason: null });
});

test('a digest that stands still is told with its reason, after half a minute', () => {
  const meter = meterAfter(5, () => ({ position: 7, depth: 0 }));
  for (let second = 6; second < 60; second++) {
    meter.note(second * 1_000, { ok: false, detail: 'waits for a store: PostgreSQL' }, figures(7, 3));
  }
  expect(meter.find(30_000)).toBeNull();
  expect(meter.find(60_000)).toEqual({ seconds: 54, reason: 'waits for a store: PostgreSQL' });
  meter.note(60_000, OK, figures(10, 0));
  expect(meter.find(60_500)).toBeNull();
});

test('a new spool begins anew, and memory is bounded', () => {
  const meter = meterAfter(2_000, (second) => ({ position: 0, depth: second }));
  expect(meter.find(2_000_000)?.seconds).toBeLessThanOrEqual(600);
  meter.note(2_001_000, OK, figures(1_000, 0));
  meter.note(2_002_000, OK, figures(1, 0));
  expect(meter.find(2_003_000)).toBeNull();
});
