import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { testInFull } from '../harness/is-full.ts';
import { daysOf, describeBlobStore, readAll } from './blob-store-suite.ts';

describe('the blob store on disk', () => {
  describeBlobStore(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'errata-blobs-'));
    const reopen = () => openDiskBlobStore(path.join(folder, 'blobs'));
    return {
      store: reopen(),
      reopen,
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  });
});

describe('the blob store on disk, below its interface', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'errata-blobs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  testInFull('asks for the names of many blobs in pages', async () => {
    const count = 5_003;
    const keys = Array.from({ length: count }, (_, index) => `2026-03-08/1/b${index}`);
    const store = openDiskBlobStore(folder);
    mkdirSync(path.join(folder, '2026-03-08/1'), { recursive: true });
    for (const key of keys) writeFileSync(path.join(folder, key), 'x');
    const pages: number[] = [];
    const nameEven = async (page: readonly string[]) => {
      pages.push(page.length);
      return new Set(page.filter((key) => Number(key.at(-1)) % 2 === 0));
    };
    const freed = await store.deleteUnnamed('2026-03-08', 1, nameEven, Date.now() + 60_000);
    expect(pages).toEqual([5_000, 3]);
    expect(freed.blobs).toBe(keys.filter((key) => Number(key.at(-1)) % 2 === 1).length);
  });

  test('reads, measures, replaces and deletes what a version before compression stored', async () => {
    const place = path.join(folder, '2026-01-31/12');
    mkdirSync(place, { recursive: true });
    for (const name of ['old', 'again']) writeFileSync(path.join(place, name), 'stored plain');
    const store = openDiskBlobStore(folder);
    expect(await readAll(store, '2026-01-31/12/old')).toBe('stored plain');
    expect(await readAll(store, '2026-01-31/12/old', { from: 7, to: 900 })).toBe('plain');
    expect(await store.size('2026-01-31/12/old')).toBe(12);
    expect((await store.readWhole('2026-01-31/12/old', 12))?.toString()).toBe('stored plain');
    expect(await daysOf(store)).toEqual([['2026-01-31', 2]]);
    await store.put('2026-01-31/12/again', Buffer.from('stored packed'));
    expect(await readAll(store, '2026-01-31/12/again')).toBe('stored packed');
    for (const name of ['old', 'again']) {
      await store.delete(`2026-01-31/12/${name}`);
      expect(await store.size(`2026-01-31/12/${name}`)).toBeNull();
    }
    expect(readdirSync(place)).toEqual([]);
  });

  test('a file that was cut short or changed fails to read, and never gives other bytes', async () => {
    const store = openDiskBlobStore(folder);
    const content = Buffer.from('hello world '.repeat(50_000));
    const file = path.join(folder, '2026-01-31/12/a+z');
    await store.put('2026-01-31/12/a', content);
    const stored = readFileSync(file);
    for (const damaged of [stored.subarray(0, stored.length - 5), stored.subarray(1), Buffer.alloc(3)]) {
      writeFileSync(file, damaged);
      await expect(store.readWhole('2026-01-31/12/a', content.length)).rejects.toThrow();
    }
  });

  test('a write leaves no other file than the blob, an aborted one none at all', async () => {
    const store = openDiskBlobStore(folder);
    await store.put('2026-01-31/12/a', Buffer.from('a'));
    const writer = store.create('2026-01-31/12/b');
    writer.write(Buffer.from('b'));
    expect(readdirSync(path.join(folder, '2026-01-31/12'))).toHaveLength(2);
    await writer.abort();
    expect(readdirSync(path.join(folder, '2026-01-31/12'))).toEqual(['a+z']);
  });

  test('what a crash left is removed when it is old, what is being written stays', async () => {
    const place = path.join(folder, '2026-01-31/12');
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, '.writing-old'), 'x');
    writeFileSync(path.join(place, '.writing-new'), 'x');
    const anHourAgo = Date.now() / 1000 - 3600;
    utimesSync(path.join(place, '.writing-old'), anHourAgo, anHourAgo);
    const store = openDiskBlobStore(folder);
    await store.put('2026-01-31/12/a', Buffer.from('a'));
    for (let wait = 0; wait < 100 && readdirSync(place).includes('.writing-old'); wait++) await sleep(20);
    expect(readdirSync(place).sort()).toEqual(['.writing-new', 'a+z']);
    expect(await daysOf(store)).toEqual([['2026-01-31', 1]]);
    expect((await store.deleteDay('2026-01-31')).blobs).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a folder that cannot be written is unavailable, and says which disk to look at', async () => {
    writeFileSync(path.join(folder, 'blobs'), 'a file where the folder should be');
    const store = openDiskBlobStore(path.join(folder, 'blobs'));
    const refused = expect.objectContaining({
      code: 'unavailable',
      message: expect.stringContaining("check the data directory's disk"),
    });
    expect(() => store.create('2026-01-31/12/a')).toThrow(refused);
    await expect(store.put('2026-01-31/12/a', Buffer.from('a'))).rejects.toEqual(refused);
  });

  test('a disk that takes no more bytes is unavailable, and nothing is left on it', async () => {
    // The limit on file sizes stands in for a disk that is full: the same system call refuses.
    const program = `
      import { randomBytes } from 'node:crypto';
      import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
      const store = openDiskBlobStore(${JSON.stringify(folder)});
      const writer = store.create('2026-01-31/12/streamed');
      let code = 'none';
      try { for (let n = 0; n < 1000; n++) writer.write(randomBytes(1024)); } catch (error) { code = error.code; }
      await writer.abort();
      const put = await store.put('2026-01-31/12/put', randomBytes(300 * 1024)).catch((error) => error.code);
      console.log(code, put, JSON.stringify(await store.listDays()));`;
    const ran = spawnSync(
      'bash',
      ['-c', 'ulimit -f 32; exec "$0" --input-type=module -e "$1"', process.execPath, program],
      { cwd: path.resolve(import.meta.dirname, '../..'), encoding: 'utf8' },
    );
    expect(ran.stdout.trim(), ran.stderr).toBe('unavailable unavailable []');
    expect(readdirSync(path.join(folder, '2026-01-31/12'))).toEqual([]);
  });

  test('no link leads out of it', async () => {
    const outside = path.join(folder, 'secret');
    writeFileSync(outside, 'secret');
    mkdirSync(path.join(folder, 'blobs/2026-01-31/12'), { recursive: true });
    symlinkSync(outside, path.join(folder, 'blobs/2026-01-31/12/link'));
    await expect(openDiskBlobStore(path.join(folder, 'blobs')).read('2026-01-31/12/link')).rejects.toThrow();
  });
});
