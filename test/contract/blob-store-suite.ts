import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BlobStore } from '#storage/ports/blobs.ts';

const MIB = 1024 * 1024;

export type OpenedBlobs = { store: BlobStore; reopen(): BlobStore; close(): Promise<void> };

export const readAll = async (store: BlobStore, key: string, range?: { from: number; to: number }) => {
  const stream = await store.read(key, range);
  return stream === null ? null : Buffer.concat(await stream.toArray()).toString();
};

export const daysOf = async (store: BlobStore) =>
  (await store.listDays()).map(({ day, blobs }) => [day, blobs]);

/** What every blob store does; inside a `describe` of its adapter. */
export function describeBlobStore(open: () => Promise<OpenedBlobs>): void {
  let opened: OpenedBlobs;
  let store: BlobStore;
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });
  afterEach(() => opened.close());

  test('gives back what was put, whole, by range and by size, also to another process', async () => {
    await store.put('2026-01-31/12/a', Buffer.from('hello world'));
    for (const one of [store, opened.reopen()]) {
      expect(await readAll(one, '2026-01-31/12/a')).toBe('hello world');
      expect(await readAll(one, '2026-01-31/12/a', { from: 6, to: 9 })).toBe('wor');
      expect(await readAll(one, '2026-01-31/12/a', { from: 6, to: 900 })).toBe('world');
      expect(await readAll(one, '2026-01-31/12/a', { from: 3, to: 3 })).toBe('');
      expect(await one.size('2026-01-31/12/a')).toBe(11);
      expect((await one.readWhole('2026-01-31/12/a', 11))?.toString()).toBe('hello world');
    }
  });

  test('gives null for what is not there, and for what is larger than asked for', async () => {
    await store.put('2026-01-31/12/a', Buffer.from('hello world'));
    expect(await store.read('2026-01-31/12/b')).toBeNull();
    expect(await store.size('2026-01-30/12/a')).toBeNull();
    expect(await store.readWhole('2026-01-31/13/a', 100)).toBeNull();
    expect(await store.readWhole('2026-01-31/12/a', 10)).toBeNull();
  });

  test('keeps an empty blob', async () => {
    await store.put('2026-01-31/12/empty', Buffer.alloc(0));
    expect(await store.size('2026-01-31/12/empty')).toBe(0);
    expect(await readAll(store, '2026-01-31/12/empty')).toBe('');
  });

  test('takes the same blob again', async () => {
    for (let time = 0; time < 3; time++) await store.put('2026-01-31/12/a', Buffer.from('same'));
    expect(await readAll(store, '2026-01-31/12/a')).toBe('same');
    expect(await daysOf(store)).toEqual([['2026-01-31', 1]]);
  });

  test('shows a streamed blob only when it is finished', async () => {
    const writer = store.create('2026-02-01/1/streamed');
    expect(writer.key).toBe('2026-02-01/1/streamed');
    const part = Buffer.alloc(MIB, 'x');
    for (let time = 0; time < 3; time++) writer.write(part);
    expect(await store.size('2026-02-01/1/streamed')).toBeNull();
    expect(await store.listDays()).toEqual([]);
    expect(await writer.finish()).toEqual({ bytes: 3 * MIB });
    expect(await store.size('2026-02-01/1/streamed')).toBe(3 * MIB);
    expect(await readAll(store, '2026-02-01/1/streamed', { from: 3 * MIB - 2, to: 3 * MIB })).toBe('xx');
  });

  test('keeps the bytes of a chunk that the caller uses again', async () => {
    const writer = store.create('2026-02-01/1/reused');
    const chunk = Buffer.from('first ');
    writer.write(chunk);
    chunk.write('second');
    writer.write(chunk);
    await writer.finish();
    expect(await readAll(store, '2026-02-01/1/reused')).toBe('first second');
  });

  test('leaves nothing of what was aborted, and aborting what is finished changes nothing', async () => {
    const aborted = store.create('2026-02-01/1/aborted');
    aborted.write(Buffer.from('gone'));
    await aborted.abort();
    await aborted.abort();
    expect(await store.size('2026-02-01/1/aborted')).toBeNull();
    expect(() => aborted.write(Buffer.from('more'))).toThrow();
    await expect(aborted.finish()).rejects.toThrow();
    const kept = store.create('2026-02-01/1/kept');
    kept.write(Buffer.from('here'));
    await kept.finish();
    await kept.abort();
    expect(await readAll(store, '2026-02-01/1/kept')).toBe('here');
    expect(await daysOf(store)).toEqual([['2026-02-01', 1]]);
  });

  test('takes many writers of one folder at once', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `2026-02-02/7/n${index}`);
    await Promise.all(
      names.map(async (key) => {
        const writer = store.create(key);
        writer.write(Buffer.from(key));
        await writer.finish();
      }),
    );
    expect(await Promise.all(names.map((key) => readAll(store, key)))).toEqual(names);
  });

  test('deletes one blob, and forgives one that is gone', async () => {
    await store.put('2026-02-01/1/a', Buffer.from('a'));
    await store.delete('2026-02-01/1/a');
    await store.delete('2026-02-01/1/a');
    await store.delete('2026-02-03/1/a');
    expect(await store.size('2026-02-01/1/a')).toBeNull();
  });

  test('lists days oldest first and deletes a whole one', async () => {
    await Promise.all([
      ...Array.from({ length: 30 }, (_, index) =>
        store.put(`2026-03-02/${index % 3}/b${index}`, Buffer.alloc(10)),
      ),
      store.put('2026-03-01/1/a', Buffer.alloc(5)),
      store.put('2025-12-31/1/a', Buffer.alloc(7)),
    ]);
    expect(await daysOf(store)).toEqual([
      ['2025-12-31', 1],
      ['2026-03-01', 1],
      ['2026-03-02', 30],
    ]);
    const bytes = (await store.listDays()).at(-1)?.bytes;
    expect(await store.deleteDay('2026-03-02')).toEqual({ bytes, blobs: 30 });
    expect(await store.deleteDay('2026-03-02')).toEqual({ bytes: 0, blobs: 0 });
    expect(await store.size('2026-03-02/0/b0')).toBeNull();
    expect((await store.listDays()).map(({ day }) => day)).toEqual(['2025-12-31', '2026-03-01']);
    // A day that comes again after it was deleted.
    await store.put('2026-03-02/1/again', Buffer.from('x'));
    expect(await store.size('2026-03-02/1/again')).toBe(1);
  });

  test('stores compressed, counts what is stored, and gives back what was put', async () => {
    const writer = store.create('2026-03-05/1/zeros');
    for (let time = 0; time < 20; time++) writer.write(Buffer.alloc(MIB));
    expect(await writer.finish()).toEqual({ bytes: 20 * MIB });
    expect(writer.storedBytes).toBeLessThan(20 * 1024);
    expect(await store.size('2026-03-05/1/zeros')).toBe(20 * MIB);
    expect(await store.storedBytes('2026-03-05/1/zeros')).toBeLessThan(20 * 1024);
    expect((await store.listUsage()).map(({ bytes }) => bytes < 20 * 1024)).toEqual([true]);
    expect((await store.readWhole('2026-03-05/1/zeros', 20 * MIB))?.equals(Buffer.alloc(20 * MIB))).toBe(
      true,
    );
  });

  test('what cannot be compressed grows by less than a thousandth', async () => {
    const content = randomBytes(5 * MIB + 17);
    await store.put('2026-03-05/1/random', content);
    expect(await store.storedBytes('2026-03-05/1/random')).toBeLessThan(content.length * 1.001 + 4096);
    expect((await store.readWhole('2026-03-05/1/random', content.length))?.equals(content)).toBe(true);
  });

  test('gives any range, within a block, over blocks, up to the end and beyond', async () => {
    const content = Buffer.concat([randomBytes(200_000), Buffer.alloc(300_000, 'ab'), randomBytes(77)]);
    const writer = store.create('2026-03-05/1/mixed');
    for (let offset = 0; offset < content.length; offset += 70_001)
      writer.write(content.subarray(offset, offset + 70_001));
    await writer.finish();
    const block = 128 * 1024;
    for (const [from, to] of [
      [0, 1],
      [block - 1, block + 1],
      [block, 2 * block],
      [5, content.length],
      [content.length - 3, content.length + 100],
      [content.length, content.length + 1],
      [content.length + 5, content.length + 9],
    ] as const) {
      const stream = await store.read('2026-03-05/1/mixed', { from, to });
      const read = Buffer.concat((await stream?.toArray()) ?? []);
      expect(read.equals(content.subarray(from, to)), `${from} to ${to}`).toBe(true);
    }
  });

  test('tells what each project occupies, a byte as the block that it takes', async () => {
    await store.put('2026-03-06/1/a', randomBytes(100_000));
    await store.put('2026-03-06/2/b', Buffer.from('b'));
    await store.put('2026-03-07/1/c', Buffer.from('c'));
    const usage = await store.listUsage();
    expect(usage.map(({ day, projectId, blobs }) => [day, projectId, blobs])).toEqual([
      ['2026-03-06', 1, 1],
      ['2026-03-06', 2, 1],
      ['2026-03-07', 1, 1],
    ]);
    expect(usage[0]?.bytes).toBeGreaterThanOrEqual(100_000);
    // One byte takes a whole block of the disk, and that is what counts.
    expect(usage[1]?.bytes).toBeGreaterThan(1);
  });

  test('deletes what a project stored on a day and nothing names, unless it is new', async () => {
    for (const key of ['2026-03-06/1/named', '2026-03-06/1/lost', '2026-03-06/2/b', '2026-03-07/1/c'])
      await store.put(key, Buffer.from('x'));
    const asked: string[] = [];
    const named = async (keys: readonly string[]) => {
      asked.push(...keys);
      return new Set(keys.filter((key) => key.endsWith('/named')));
    };
    const before = Date.now() + 60_000;
    expect((await store.deleteUnnamed('2026-03-06', 1, named, before - 3_600_000)).blobs).toBe(0);
    expect(asked, 'what is new').toEqual([]);
    expect((await store.deleteUnnamed('2026-03-06', 1, named, before)).blobs).toBe(1);
    expect(asked.sort()).toEqual(['2026-03-06/1/lost', '2026-03-06/1/named']);
    expect(await store.size('2026-03-06/1/lost')).toBeNull();
    for (const key of ['2026-03-06/1/named', '2026-03-06/2/b', '2026-03-07/1/c'])
      expect(await store.size(key)).toBe(1);
  });

  test.each([
    '../../etc/passwd',
    '2026-01-31/12/../../x',
    '2026-01-31/12/..',
    '2026-01-31/12/.hidden',
    '2026-01-31/12/a/b',
    '2026-01-31/12/a\0b',
    '2026-01-31/12/',
    '2026-01-31//a',
    '2026-01-31/../a',
    '2026-01-31/twelve/a',
    '/2026-01-31/12/a',
    '31-01-2026/12/a',
    `2026-01-31/12/${'x'.repeat(200)}`,
    '',
  ])('refuses the key "%s"', async (key) => {
    expect(() => store.create(key)).toThrow(expect.objectContaining({ code: 'invalid' }));
    const refused = expect.objectContaining({ code: 'invalid' });
    await expect(store.put(key, Buffer.from('x'))).rejects.toEqual(refused);
    await expect(store.read(key)).rejects.toEqual(refused);
    await expect(store.readWhole(key, 10)).rejects.toEqual(refused);
    await expect(store.size(key)).rejects.toEqual(refused);
    await expect(store.delete(key)).rejects.toEqual(refused);
  });

  test('refuses days that are none, and ranges that are none', async () => {
    const refused = expect.objectContaining({ code: 'invalid' });
    for (const day of ['..', '.', '', '2026-01-31/12', '2026']) {
      await expect(store.deleteDay(day)).rejects.toEqual(refused);
    }
    await store.put('2026-01-31/12/a', Buffer.from('hello'));
    for (const range of [
      { from: -1, to: 2 },
      { from: 3, to: 2 },
      { from: Number.NaN, to: 2 },
    ]) {
      await expect(store.read('2026-01-31/12/a', range)).rejects.toEqual(refused);
    }
  });

  test('lists days and keys, and nothing of what is being written', async () => {
    const keys = ['2026-03-09/1/a', '2026-03-09/22/b.txt', '2026-03-10/1/c-scrubbed'];
    for (const key of keys) await store.put(key, Buffer.from('x'));
    const writer = store.create('2026-03-11/1/unfinished');
    writer.write(Buffer.from('x'));
    expect((await store.listDayNames()).filter((day) => day !== '2026-03-11')).toEqual([
      '2026-03-09',
      '2026-03-10',
    ]);
    const listed: string[] = [];
    for (const day of ['2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12'])
      for await (const page of store.listKeys(day)) listed.push(...page);
    expect(listed.sort()).toEqual(keys);
    await writer.abort();
    await store.check();
  });
}
