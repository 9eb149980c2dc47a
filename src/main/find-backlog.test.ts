import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeRecord } from '#ingest/spool-record.ts';
import { createLog } from '#lib/log.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { findBacklog } from './find-backlog.ts';

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
