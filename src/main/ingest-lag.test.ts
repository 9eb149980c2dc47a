import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeRecord } from '#ingest/spool-record.ts';
import { createLog } from '#lib/log.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { findBacklog, IngestLagMeter } from './ingest-lag.ts';

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

const log = createLog('jobs', 'silent');
const recordAt = (receivedAtMs: number) =>
  encodeRecord({
    organizationId: 1,
    projectId: 2,
    keyId: 3,
    receivedAtMs,
    sentAtMs: null,
    eventId: null,
    clientIp: null,
    userAgent: null,
    isReplay: false,
    items: [{ type: 'event', payload: Buffer.from('{}') }],
    outcomes: [],
  });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-backlog-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('tells when the oldest record that digest has not acknowledged was received', async () => {
  expect(await findBacklog(folder, log), 'before anybody wrote').toEqual({ kind: 'unknown' });
  const writer = openSpoolWriter(folder, 1e9);
  const first = await writer.append(recordAt(1_000));
  const second = await writer.append(recordAt(2_000));
  expect(await findBacklog(folder, log), 'before digest told anything').toEqual({ kind: 'unknown' });
  const reader = openSpoolReader(folder);
  expect(await findBacklog(folder, log)).toEqual({ kind: 'waiting', sinceMs: 1_000 });
  await reader.acknowledge(first);
  expect(await findBacklog(folder, log)).toEqual({ kind: 'waiting', sinceMs: 2_000 });
  await reader.acknowledge(second);
  expect(await findBacklog(folder, log)).toEqual({ kind: 'none' });
  await writer.append([Buffer.from('no record')]);
  expect(await findBacklog(folder, log), 'what cannot be read').toEqual({ kind: 'unknown' });
  await Promise.all([reader.close(), writer.close()]);
});
