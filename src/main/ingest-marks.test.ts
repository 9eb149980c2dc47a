import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeRecord } from '#ingest/spool-record.ts';
import { UptimeFile } from '#ingest/uptime-file.ts';
import { createLog } from '#lib/log.ts';
import type { IngestMark } from '#product/monitors/store/ingest-mark-store.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { keepIngestMark } from './ingest-marks.ts';
import { spoolFolder, uptimePath } from './spool-paths.ts';

const BEAT_MS = 5_000;
const RECEIVED_MS = 4_000;
const record = encodeRecord({
  organizationId: 1,
  projectId: 2,
  keyId: 3,
  receivedAtMs: RECEIVED_MS,
  sentAtMs: null,
  eventId: null,
  clientIp: null,
  userAgent: null,
  isReplay: false,
  items: [{ type: 'event', payload: Buffer.from('{}') }],
  outcomes: [],
});

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'errata-marks-'));
  mkdirSync(spoolFolder(dataDir));
  // The last beat of an edge that does not run any more.
  new UptimeFile(uptimePath(dataDir)).beat(BEAT_MS);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** The first mark that is noted. */
async function readMark(isFormer: boolean): Promise<IngestMark> {
  const stopping = new AbortController();
  let noted: IngestMark | null = null;
  const save = async (_spoolId: string, mark: IngestMark) => {
    noted = mark;
    stopping.abort();
  };
  const log = createLog('digest', 'silent');
  const parts = { dataDir, spoolId: 'spool', isFormer, position: () => 0, marks: { save }, log };
  await keepIngestMark(parts, stopping.signal);
  return noted!;
}

test('a mark follows what is stored up to the last beat of the edge, and goes on where edges write to a topic', async () => {
  const writer = openSpoolWriter(spoolFolder(dataDir), 1e9);
  const position = await writer.append(record);
  const reader = openSpoolReader(spoolFolder(dataDir));
  for (const isFormer of [false, true])
    expect((await readMark(isFormer)).completeUntil).toBe(RECEIVED_MS - 1);
  await reader.acknowledge(position);
  expect((await readMark(false)).completeUntil).toBeLessThan(BEAT_MS);
  const startedAt = Date.now();
  expect((await readMark(true)).completeUntil).toBeGreaterThanOrEqual(startedAt - 1_000);
  await Promise.all([reader.close(), writer.close()]);
});
