import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { openDiskArtifactFileStore } from '#storage/disk/artifact-file-store.ts';
import type { ArtifactFileStore } from '#storage/ports/artifact-files.ts';
import { openBucket } from '#storage/s3/bucket.ts';
import { openS3ArtifactFileStore } from '#storage/s3/s3-artifact-file-store.ts';
import { copyArtifacts } from '../../src/cli/blobs/copy-artifacts.ts';
import { IS_FULL } from '../harness/is-full.ts';
import {
  installS3Server,
  S3_BUCKET,
  S3_CREDENTIALS,
  type S3Server,
  s3Missing,
  startS3Server,
} from '../harness/s3-server.ts';

const MIB = 1024 * 1024;
const sha1 = (bytes: Buffer | string) => createHash('sha1').update(bytes).digest('hex');
const HELLO = sha1('hello');

if (IS_FULL) installS3Server();
const missing = s3Missing();
let server: S3Server;
beforeAll(async () => {
  if (missing === null) server = await startS3Server();
});
afterAll(() => server?.remove());

type Opened = { store: ArtifactFileStore; reopen(): ArtifactFileStore; close(): void };

const ADAPTERS: { name: string; isMissing: boolean; open(): Opened }[] = [
  {
    name: missing === null ? 'S3' : `S3 (skipped: ${missing})`,
    isMissing: missing !== null,
    open() {
      const folder = mkdtempSync(path.join(tmpdir(), 'errata-uploads-'));
      const prefix = `${randomBytes(6).toString('hex')}/`;
      const address = {
        bucket: S3_BUCKET,
        prefix,
        endpoint: server.endpoint,
        region: 'us-east-1',
        isPathStyle: true,
      };
      const reopen = () => openS3ArtifactFileStore(openBucket(address, S3_CREDENTIALS), folder);
      return { store: reopen(), reopen, close: () => rmSync(folder, { recursive: true, force: true }) };
    },
  },
  {
    name: 'disk',
    isMissing: false,
    open() {
      const folder = mkdtempSync(path.join(tmpdir(), 'errata-uploads-'));
      const reopen = () => openDiskArtifactFileStore(path.join(folder, 'artifacts'));
      return { store: reopen(), reopen, close: () => rmSync(folder, { recursive: true, force: true }) };
    },
  },
];

async function put(store: ArtifactFileStore, organizationId: number, bytes: Buffer | string) {
  const writer = await store.create(organizationId, { expected: null, bytesMax: 64 * MIB });
  writer.write(Buffer.from(bytes));
  return await writer.finish();
}

async function read(store: ArtifactFileStore, organizationId: number, checksum: string) {
  const reader = await store.open(organizationId, checksum);
  if (!reader) return null;
  const bytes = await reader.read(0, reader.bytes);
  await reader.close();
  return bytes.toString();
}

describe.each(ADAPTERS)('the store of uploads on $name', ({ isMissing, open }) => {
  if (isMissing) {
    test('needs a server of S3', ({ skip }) => skip(missing ?? undefined));
    return;
  }
  let opened: Opened;
  let store: ArtifactFileStore;
  beforeEach(() => {
    opened = open();
    store = opened.store;
  });
  afterEach(() => opened.close());

  test('gives back what was written, by its checksum, whole and in parts, also to another process', async () => {
    const writer = await store.create(1, { expected: HELLO, bytesMax: 5 });
    writer.write(Buffer.from('hel'));
    writer.write(Buffer.from('lo'));
    expect(await store.has(1, HELLO)).toBe(false);
    expect(await writer.finish()).toEqual({ checksum: HELLO, bytes: 5 });
    for (const one of [store, opened.reopen()]) {
      expect(await one.has(1, HELLO)).toBe(true);
      expect(await read(one, 1, HELLO)).toBe('hello');
      const reader = await one.open(1, HELLO);
      expect((await reader?.read(1, 4))?.toString()).toBe('ell');
      expect((await reader?.read(5, 5))?.length).toBe(0);
      await expect(reader?.read(3, 6)).rejects.toThrow(/not a valid range/);
      await reader?.close();
    }
  });

  test('shows what was written to whoever may refuse it, before anybody else can read it', async () => {
    const writer = await store.create(1, { expected: HELLO, bytesMax: 5 });
    writer.write(Buffer.from('hello'));
    const reader = await writer.read();
    expect((await reader.read(0, reader.bytes)).toString()).toBe('hello');
    await reader.close();
    expect(() => writer.write(Buffer.from('!'))).toThrow();
    expect(await store.has(1, HELLO)).toBe(false);
    expect(await writer.finish()).toEqual({ checksum: HELLO, bytes: 5 });
    const wrong = await store.create(1, { expected: sha1('other'), bytesMax: 5 });
    wrong.write(Buffer.from('hello'));
    await expect(wrong.read()).rejects.toMatchObject({ code: 'invalid' });
    await wrong.abort();
    expect(await store.has(1, sha1('other'))).toBe(false);
  });

  test('keeps what organizations have apart', async () => {
    await put(store, 1, 'hello');
    expect(await store.has(2, HELLO)).toBe(false);
    expect(await store.open(2, HELLO)).toBeNull();
    await put(store, 2, 'hello');
    expect(await store.delete(1, HELLO, Number.POSITIVE_INFINITY)).toBe(true);
    expect([await read(store, 1, HELLO), await read(store, 2, HELLO)]).toEqual([null, 'hello']);
  });

  test('leaves nothing of bytes with another checksum, of too many, and of what was aborted', async () => {
    const wrong = await store.create(1, { expected: sha1('other'), bytesMax: 100 });
    wrong.write(Buffer.from('hello'));
    await expect(wrong.finish()).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(HELLO),
    });
    const long = await store.create(1, { expected: null, bytesMax: 4 });
    expect(() => long.write(Buffer.from('hello'))).toThrow(expect.objectContaining({ code: 'invalid' }));
    await long.abort();
    const aborted = await store.create(1, { expected: HELLO, bytesMax: 100 });
    aborted.write(Buffer.from('hello'));
    await aborted.abort();
    await aborted.abort();
    expect(() => aborted.write(Buffer.from('more'))).toThrow();
    expect(await store.has(1, HELLO)).toBe(false);
    expect(await store.listOlder(Number.POSITIVE_INFINITY, null, 10)).toEqual([]);
  });

  test('reads a large upload in parts, in any order, as it was', async () => {
    const bytes = randomBytes(3 * MIB);
    const { checksum } = await put(store, 1, bytes);
    const reader = await opened.reopen().open(1, checksum);
    for (const from of [2 * MIB, 10, bytes.length - 22, 0, MIB - 1]) {
      const to = Math.min(bytes.length, from + 300_000);
      expect((await reader?.read(from, to))?.equals(bytes.subarray(from, to))).toBe(true);
    }
    await reader?.close();
  });

  test('is copied whole into another store, once, and pruned there', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'errata-uploads-'));
    const other = openDiskArtifactFileStore(folder);
    const kept = await put(store, 1, randomBytes(2 * MIB + 7));
    const gone = await put(store, 3, 'hello');
    const options = { isPruning: true, onProgress: () => {} };
    expect(await copyArtifacts(store, other, options)).toMatchObject({ seen: 2, copied: 2, pruned: 0 });
    expect(await copyArtifacts(store, other, options)).toMatchObject({ seen: 2, copied: 0 });
    expect(await read(other, 3, gone.checksum)).toBe('hello');
    await store.delete(3, gone.checksum, Number.POSITIVE_INFINITY);
    expect(await copyArtifacts(store, other, options)).toMatchObject({ seen: 1, copied: 0, pruned: 1 });
    expect([await other.has(1, kept.checksum), await other.has(3, gone.checksum)]).toEqual([true, false]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('takes the same bytes again, from many at once', async () => {
    const bytes = randomBytes(MIB);
    const stored = await Promise.all(Array.from({ length: 12 }, () => put(store, 1, bytes)));
    expect(new Set(stored.map(({ checksum }) => checksum))).toEqual(new Set([sha1(bytes)]));
    expect(await store.listOlder(Number.POSITIVE_INFINITY, null, 10)).toHaveLength(1);
  });

  test('deletes only what was not written again since', async () => {
    await put(store, 1, 'hello');
    expect(await store.delete(1, HELLO, Date.now() - HOUR_MS)).toBe(false);
    expect(await store.has(1, HELLO)).toBe(true);
    expect(await store.delete(1, HELLO, Date.now() + HOUR_MS)).toBe(true);
    expect(await store.delete(1, HELLO, Date.now() + HOUR_MS)).toBe(false);
  });

  test('lists everything once, page by page', async () => {
    const places: string[] = [];
    for (const organizationId of [2, 10, 1]) {
      for (let index = 0; index < 7; index++) {
        const { checksum } = await put(store, organizationId, `${organizationId} ${index}`);
        places.push(`${organizationId}:${checksum}`);
      }
    }
    const listed: string[] = [];
    let after: Parameters<ArtifactFileStore['listOlder']>[1] = null;
    for (let page = 0; page < 10; page++) {
      const files: Awaited<ReturnType<ArtifactFileStore['listOlder']>> = await store.listOlder(
        Date.now() + HOUR_MS,
        after,
        4,
      );
      listed.push(...files.map(({ organizationId, checksum }) => `${organizationId}:${checksum}`));
      after = files.at(-1) ?? null;
      if (files.length < 4) break;
    }
    expect(listed).toHaveLength(21);
    expect(new Set(listed)).toEqual(new Set(places));
    expect(await store.listOlder(Date.now() - HOUR_MS, null, 10)).toEqual([]);
  });

  test.each(['', 'hello', '../../etc/passwd', HELLO.toUpperCase(), `${HELLO}0`, '..'])(
    'takes no checksum that is none: %j',
    async (checksum) => {
      const refused = expect.objectContaining({ code: 'invalid' });
      await expect(store.create(1, { expected: checksum, bytesMax: 1 })).rejects.toEqual(refused);
      await expect(store.open(1, checksum)).rejects.toEqual(refused);
      await expect(store.has(1, checksum)).rejects.toEqual(refused);
      await expect(store.delete(1, checksum, 0)).rejects.toEqual(refused);
    },
  );
});

describe('the store of uploads on disk, below its interface', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'errata-uploads-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('what a crash left is removed when it is old, and is never listed', async () => {
    writeFileSync(path.join(folder, '.writing-old'), 'x');
    writeFileSync(path.join(folder, '.writing-new'), 'x');
    const longAgo = Date.now() / 1000 - 2 * 3_600;
    utimesSync(path.join(folder, '.writing-old'), longAgo, longAgo);
    const store = openDiskArtifactFileStore(folder);
    await put(store, 7, 'hello');
    expect(await store.removeAbandoned(Date.now())).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(['.writing-new', '7']);
    // The same process goes on, and the file is old by now.
    expect(await store.removeAbandoned(Date.now() + 2 * HOUR_MS)).toBe(1);
    expect(readdirSync(folder)).toEqual(['7']);
    expect(await store.listOlder(Date.now() + HOUR_MS, null, 10)).toEqual([
      { organizationId: 7, checksum: HELLO },
    ]);
  });

  test('a process that dies in the middle of an upload leaves nothing that can be read', async () => {
    const program = `
      import { openDiskArtifactFileStore } from '#storage/disk/artifact-file-store.ts';
      const store = openDiskArtifactFileStore(${JSON.stringify(folder)});
      const writer = await store.create(1, { expected: '${HELLO}', bytesMax: 5 });
      writer.write(Buffer.from('hello'));
      process.kill(process.pid, 'SIGKILL');`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: path.resolve(import.meta.dirname, '../..'),
      encoding: 'utf8',
    });
    expect(ran.signal, ran.stderr).toBe('SIGKILL');
    const store = openDiskArtifactFileStore(folder);
    expect(await store.has(1, HELLO)).toBe(false);
    expect(await store.open(1, HELLO)).toBeNull();
    expect(await store.listOlder(Number.POSITIVE_INFINITY, null, 10)).toEqual([]);
    await put(store, 1, 'hello');
    expect(await read(store, 1, HELLO)).toBe('hello');
  });

  test('a folder that cannot be written is unavailable, and says which disk to look at', async () => {
    writeFileSync(path.join(folder, 'artifacts'), 'a file where the folder should be');
    const store = openDiskArtifactFileStore(path.join(folder, 'artifacts'));
    await expect(put(store, 1, 'hello')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining("check the data directory's disk"),
    });
  });

  test('no link leads out of it', async () => {
    writeFileSync(path.join(folder, 'secret'), 'hello');
    mkdirSync(path.join(folder, 'artifacts/1', HELLO.slice(0, 2)), { recursive: true });
    symlinkSync(path.join(folder, 'secret'), path.join(folder, 'artifacts/1', HELLO.slice(0, 2), HELLO));
    await expect(openDiskArtifactFileStore(path.join(folder, 'artifacts')).open(1, HELLO)).rejects.toThrow();
  });
});
