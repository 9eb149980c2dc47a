import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Arbitrary } from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TRANSFER_KINDS, TRANSFER_RECORD, type TransferRecord } from '#product/transfer/records.ts';
import type { TransferItem } from '#product/transfer/transfer-source.ts';
import fc from '../../../test/harness/seeded-fast-check.ts';
import { openFolderSource } from './folder-source.ts';
import { writeFolder } from './write-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SOURCE = { product: 'errata', version: null, url: null, organization: 'shop' };

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const write = (records: readonly TransferRecord[], to: string) =>
  writeFolder(
    to,
    { source: SOURCE, from: null, to: null },
    each(records),
    { read: async () => null },
    Date.now,
  );

async function read(from: string): Promise<TransferItem[]> {
  const source = await openFolderSource(from);
  const items: TransferItem[] = [];
  const options = {
    kinds: new Set(TRANSFER_KINDS),
    fromMs: 0,
    toMs: Infinity,
    projects: null,
    after: null,
    listImported: async () => new Set<string>(),
    progress: () => {},
    signal: new AbortController().signal,
  };
  for await (const item of source.read(options)) if (item.kind !== 'checkpoint') items.push(item);
  return items;
}

const name = fc.string({ minLength: 1, maxLength: 50, unit: 'grapheme' });
const hex = fc.stringMatching(/^[0-9a-f]{32}$/);
const time = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const json = fc
  .dictionary(name, fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const email = fc.constantFrom('ada@example.com', 'bob@example.org');
const owner = fc.option(
  fc.oneof(
    fc.record({ kind: fc.constant('user' as const), email }),
    fc.record({ kind: fc.constant('team' as const), team: name }),
  ),
);

const records: Arbitrary<TransferRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('organization' as const),
    id: name,
    slug: name,
    name,
    isOpen: fc.option(fc.boolean()),
  }),
  fc.record({ kind: fc.constant('team' as const), id: name, slug: name, name, members: fc.array(email) }),
  fc.record({
    kind: fc.constant('project' as const),
    id: name,
    number: fc.integer({ min: 1 }),
    slug: name,
    name,
    platform: fc.option(name),
    teams: fc.array(name),
    keys: fc.array(fc.record({ publicKey: hex, label: fc.option(name), isActive: fc.boolean() })),
    createdAt: fc.option(time),
    fingerprintRules: fc.option(fc.string()),
    stackTraceRules: fc.option(fc.string()),
    ownershipRules: fc.option(fc.string()),
  }),
  fc.record({
    kind: fc.constant('event' as const),
    id: hex,
    project: name,
    issue: fc.option(name),
    receivedAt: time,
    payload: json,
    attachments: fc.constant([] as never[]),
  }),
  fc.record({
    kind: fc.constant('issue' as const),
    id: name,
    project: name,
    shortId: fc.option(name),
    title: fc.string(),
    culprit: fc.string(),
    level: fc.constantFrom('error' as const, 'info' as const),
    platform: fc.option(name),
    type: name,
    metadata: json,
    logger: fc.option(name),
    status: fc.constantFrom('unresolved' as const, 'resolved' as const, 'archived' as const),
    substatus: fc.option(fc.constantFrom('new' as const, 'archived_forever' as const)),
    statusAt: fc.option(time),
    resolution: fc.option(fc.record({ kind: fc.constant('release' as const), release: name })),
    archive: fc.option(fc.record({ kind: fc.constant('date' as const), until: time })),
    priority: fc.option(fc.constantFrom('high' as const, 'low' as const)),
    assignee: owner,
    firstSeen: time,
    lastSeen: time,
    timesSeen: fc.nat(),
    firstRelease: fc.option(name),
    lastRelease: fc.option(name),
    counts: fc.array(fc.record({ at: time, minutes: fc.integer({ min: 1, max: 10_000 }), events: fc.nat() })),
    activities: fc.array(
      fc.record({
        id: name,
        type: fc.constantFrom('note' as const, 'set_resolved' as const),
        person: fc.option(fc.record({ email: fc.option(email), name: fc.option(name) })),
        at: time,
        data: json,
      }),
    ),
    hashes: fc.array(name),
    subscribers: fc.array(email),
    bookmarkedBy: fc.array(email),
    links: fc.constant([] as never[]),
  }),
  fc.record({ kind: fc.constant('unmapped' as const), of: name, id: name, name: fc.string(), reason: name }),
);

test('what is written is read again, record by record', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(records, { maxLength: 30 }), async (given) => {
      const to = join(folder, String(runs++));
      const sorted = TRANSFER_KINDS.flatMap((kind) => given.filter((record) => record.kind === kind));
      for (const record of sorted) expect(TRANSFER_RECORD.parse(record)).toEqual(record);
      const manifest = await write(sorted, to);
      expect(manifest.files.reduce((sum, file) => sum + file.records, 0)).toBe(sorted.length);
      expect(await read(to)).toEqual(sorted);
    }),
    { numRuns: 100 },
  );
});

test('a folder that is not an export is refused, and so is one that is not empty for a new one', async () => {
  await expect(openFolderSource(folder)).rejects.toThrow('has no manifest.json');
  await write([], folder);
  await expect(write([], folder)).rejects.toThrow('is not empty');
});

test('only files of the folder are read', async () => {
  await write([], folder);
  const source = await openFolderSource(folder);
  await expect(source.openFile('../../etc/passwd')).rejects.toThrow('has no file');
  await expect(source.openFile('/etc/passwd')).rejects.toThrow('has no file');
});
