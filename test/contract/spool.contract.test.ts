import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import type { RecentIds, SpoolReader, SpoolWriter } from '#storage/ports/spool.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { testInFull } from '../harness/is-full.ts';
import { describeSpool } from './spool-suite.ts';

const ALL = { records: 10_000, bytes: 1e9 };
const MB = 1024 * 1024;

const ADAPTERS = [
  {
    name: 'files',
    /** Of 400 KB each, over several files. */
    manyRecords: 700,
    openWriter: (folder: string, bytesMax: number): SpoolWriter => openSpoolWriter(folder, bytesMax),
    openReader: (folder: string): SpoolReader => openSpoolReader(folder),
    openIds: (folder: string, idsMax: number): RecentIds => openRecentIds(folder, idsMax),
  },
  {
    name: 'files so small that most commits begin a new one',
    manyRecords: 100,
    openWriter: (folder: string, bytesMax: number): SpoolWriter =>
      openSpoolWriter(folder, bytesMax, { segmentBytes: 4_200 }),
    openReader: (folder: string): SpoolReader => openSpoolReader(folder),
    openIds: (folder: string, idsMax: number): RecentIds => openRecentIds(folder, idsMax),
  },
];

describe('the spool on files, as on every other', () => {
  describeSpool(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errata-spool-'));
    return {
      openWriter: async () => openSpoolWriter(folder, 64 * MB),
      openReader: async () => openSpoolReader(folder),
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  });
});

describe.each(ADAPTERS)('the spool on $name', ({ manyRecords, openWriter, openReader, openIds }) => {
  let folder: string;
  const open: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(opened: T): T => {
    open.push(opened);
    return opened;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errata-spool-'));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((opened) => opened.close()));
    rmSync(folder, { recursive: true, force: true });
  });
  const texts = (reader: SpoolReader, after = 0, limits = ALL) =>
    reader.read(after, limits).map(({ position, bytes }) => [position, Buffer.from(bytes).toString()]);

  test('gives records back in order, with positions that grow by one', async () => {
    const writer = keep(openWriter(folder, MB));
    const positions = await Promise.all(['a', 'b', 'c'].map((text) => writer.append([Buffer.from(text)])));
    expect(positions).toEqual([1, 2, 3]);
    expect(await writer.append([Buffer.from('d')])).toBe(4);
    const reader = keep(openReader(folder));
    expect(texts(reader)).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [4, 'd'],
    ]);
    expect(texts(reader, 2)).toEqual([
      [3, 'c'],
      [4, 'd'],
    ]);
  });

  test('bounds a read by records and by bytes, but always gives one', async () => {
    const writer = keep(openWriter(folder, MB));
    await Promise.all(['aaaa', 'bbbb', 'cccc'].map((text) => writer.append([Buffer.from(text)])));
    const reader = keep(openReader(folder));
    expect(texts(reader, 0, { records: 2, bytes: 1000 })).toHaveLength(2);
    expect(texts(reader, 0, { records: 10, bytes: 8 })).toHaveLength(2);
    expect(texts(reader, 0, { records: 10, bytes: 1 })).toHaveLength(1);
  });

  test('forgets what was acknowledged, also in the middle of a commit, and never gives a position twice', async () => {
    const writer = openWriter(folder, MB);
    await Promise.all(['a', 'b', 'c'].map((text) => writer.append([Buffer.from(text)])));
    const reader = openReader(folder);
    await reader.acknowledge(2);
    expect(reader.depth()).toBe(1);
    await reader.acknowledge(3);
    expect(reader.depth()).toBe(0);
    expect(texts(reader)).toEqual([]);
    await Promise.all([writer.close(), reader.close()]);
    const again = keep(openWriter(folder, MB));
    expect(await again.append([Buffer.from('d')])).toBe(4);
    expect(texts(keep(openReader(folder)), 0)).toEqual([[4, 'd']]);
  });

  test('keeps its name and its records when it is opened again', async () => {
    const writer = openWriter(folder, MB);
    await writer.append([Buffer.from('a')]);
    const first = openReader(folder);
    const name = first.spoolId;
    await Promise.all([writer.close(), first.close()]);
    const second = keep(openReader(folder));
    expect(second.spoolId).toBe(name);
    expect(texts(second)).toEqual([[1, 'a']]);
  });

  test('refuses beyond its bound and accepts again once digest has caught up', async () => {
    const writer = keep(openWriter(folder, 1_000));
    await writer.append([Buffer.alloc(600)]);
    expect(writer.trouble()).toBeNull();
    await expect(writer.append([Buffer.alloc(600)])).rejects.toMatchObject({ code: 'unavailable' });
    expect(writer.trouble()).toBe('the spool is full');
    const reader = keep(openReader(folder));
    await reader.acknowledge(1);
    await expect.poll(() => writer.sizeBytes()).toBe(0);
    expect(writer.trouble()).toBeNull();
    expect(await writer.append([Buffer.alloc(600)])).toBe(2);
  });

  test('knows after a restart how many bytes wait', async () => {
    const writer = openWriter(folder, MB);
    for (const bytes of [100, 2_000, 30_000]) await writer.append([Buffer.alloc(bytes)]);
    const reader = openReader(folder);
    expect(reader.read(0, ALL)).toHaveLength(3);
    await reader.acknowledge(2);
    await expect.poll(() => writer.sizeBytes()).toBeLessThan(31_000);
    const waiting = writer.sizeBytes();
    expect(waiting).toBeGreaterThanOrEqual(30_000);
    await Promise.all([writer.close(), reader.close()]);
    expect(keep(openWriter(folder, MB)).sizeBytes()).toBe(waiting);
    const again = keep(openReader(folder));
    expect(again.depth()).toBe(1);
    expect(again.read(0, ALL).map(({ position }) => position)).toEqual([3]);
  });

  test('gives each record to a reader that follows while they are written', async () => {
    const writer = keep(openWriter(folder, MB));
    const reader = keep(openReader(folder));
    const seen: number[] = [];
    let last = 0;
    for (let round = 0; round < 40; round++) {
      const sending = Array.from({ length: round % 7 }, (_, i) =>
        writer.append([Buffer.from(`${round}-${i}`)]),
      );
      for (const { position } of reader.read(last, { records: 5, bytes: 1_000 })) {
        seen.push(position);
        last = position;
      }
      if (round % 3 === 0) await reader.acknowledge(last);
      await Promise.all(sending);
    }
    seen.push(...reader.read(last, ALL).map(({ position }) => position));
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, i) => i + 1));
    expect(seen.length).toBe((await writer.append([Buffer.from('last')])) - 1);
  });

  testInFull(
    'goes on over many megabytes: nothing is lost, doubled or torn when files are opened anew',
    async () => {
      const writer = keep(openWriter(folder, 1e9));
      const reader = keep(openReader(folder));
      const record = (n: number) => Buffer.alloc(400_000, n % 251);
      let read = 0;
      const drain = async () => {
        const records = reader.read(read, { records: 50, bytes: 8 * MB });
        for (const { position, bytes } of records) {
          read += 1;
          expect(position).toBe(read);
          expect(bytes.length).toBe(400_000);
          expect(bytes[0]).toBe(read % 251);
          expect(bytes[399_999]).toBe(read % 251);
        }
        await reader.acknowledge(read);
      };
      for (let sent = 0; sent < manyRecords; sent += 20) {
        const positions = await Promise.all(
          Array.from({ length: 20 }, (_, i) => writer.append([record(sent + i + 1)])),
        );
        expect(positions).toEqual(Array.from({ length: 20 }, (_, i) => sent + i + 1));
        await drain();
      }
      while (read < manyRecords) await drain();
      expect(reader.depth()).toBe(0);
      await expect.poll(() => writer.sizeBytes()).toBe(0);
    },
  );

  test('remembers each id with the position that brought it first', async () => {
    const ids = openIds(folder, 1_000);
    const id = 'ab'.repeat(16);
    expect(ids.find(1, id)).toBeNull();
    await ids.remember([{ projectId: 1, eventId: id, position: 7 }], Date.now());
    await ids.remember([{ projectId: 1, eventId: id, position: 9 }], Date.now());
    expect(ids.find(1, id)).toBe(7);
    expect(ids.find(2, id)).toBeNull();
    await ids.close();
    const again = keep(openIds(folder, 1_000));
    expect(again.find(1, id)).toBe(7);
  });

  test('forgets ids after a day, and the oldest ones beyond the bound', async () => {
    const ids = keep(openIds(folder, 3));
    const id = (n: number) => n.toString(16).padStart(32, '0');
    const remember = (n: number, at: number) =>
      ids.remember([{ projectId: 1, eventId: id(n), position: n }], at);
    const dayMs = 24 * 60 * 60 * 1000;
    await remember(1, 1_000);
    await remember(2, 2_000);
    await remember(3, 2_000 + dayMs);
    expect(ids.find(1, id(1))).toBeNull();
    await remember(4, 3_000 + dayMs);
    await remember(5, 3_000 + dayMs);
    await remember(6, 3_000 + dayMs);
    await remember(7, 3_000 + dayMs);
    expect([4, 5, 6, 7].map((n) => ids.find(1, id(n)))).toEqual([null, 5, 6, 7]);
  });
});
