import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BucketAddress } from '#lib/blob-address.ts';
import { openDiskBlobStore } from '#storage/disk/blob-store.ts';
import { openBucket } from '#storage/s3/bucket.ts';
import { openS3BlobStore } from '#storage/s3/s3-blob-store.ts';
import { copyBlobs } from '../../src/cli/blobs/copy-blobs.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import {
  installS3Server,
  S3_BUCKET,
  S3_CREDENTIALS,
  type S3Server,
  s3Missing,
  startS3Proxy,
  startS3Server,
} from '../harness/s3-server.ts';
import { until } from '../harness/until.ts';
import { describeBlobStore, readAll } from './blob-store-suite.ts';

const MIB = 1024 * 1024;
if (IS_FULL) installS3Server();
const missing = s3Missing();
const named = (name: string) => (missing === null ? name : `${name} (skipped: ${missing})`);

let server: S3Server;
let folder: string;
beforeAll(async () => {
  if (missing === null) server = await startS3Server();
});
afterAll(() => server?.remove());
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'errata-staging-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const addressOf = (endpoint: string): BucketAddress => ({
  bucket: S3_BUCKET,
  prefix: `${randomBytes(6).toString('hex')}/blobs/`,
  endpoint,
  region: 'us-east-1',
  isPathStyle: true,
});
const openAt = (address: BucketAddress, credentials = S3_CREDENTIALS) =>
  openS3BlobStore(openBucket(address, credentials), folder);

const staged = () => readdirSync(folder);
const unavailable = (message: RegExp) =>
  expect.objectContaining({ code: 'unavailable', message: expect.stringMatching(message) });

describe.skipIf(missing !== null)(named('the blob store on S3'), () => {
  describeBlobStore(async () => {
    const address = addressOf(server.endpoint);
    return { store: openAt(address), reopen: () => openAt(address), close: async () => {} };
  });
});

describe.skipIf(missing !== null)(named('the blob store on S3, below its interface'), () => {
  const rawClient = () =>
    new S3Client({
      region: 'us-east-1',
      endpoint: server.endpoint,
      credentials: S3_CREDENTIALS,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });

  test('an upload that ends in its middle leaves no object, and the next try stores it whole', async () => {
    const proxy = await startS3Proxy(server.endpoint);
    const address = addressOf(proxy.endpoint);
    const store = openAt(address);
    const direct = openAt({ ...address, endpoint: server.endpoint });
    const content = randomBytes(5 * MIB);
    for (const times of [1, 3]) {
      proxy.faults.push({ method: 'PUT', times, kind: 'cut the request' });
      const writer = store.create(`2026-03-01/1/cut-${times}`);
      writer.write(content);
      await writer.finish();
      expect((await direct.readWhole(writer.key, content.length))?.equals(content)).toBe(true);
    }
    proxy.faults.push({ method: 'PUT', times: 100, kind: 'cut the request' });
    const writer = store.create('2026-03-01/1/never');
    writer.write(content);
    await expect(writer.finish()).rejects.toEqual(
      unavailable(/blob store s3:\/\/errata-test\/.* could not store/),
    );
    await writer.abort();
    expect(await direct.size('2026-03-01/1/never')).toBeNull();
    expect(staged()).toEqual([]);
    await proxy.close();
  });

  test('bytes that change on their way are refused by the server, and sent again', async () => {
    const proxy = await startS3Proxy(server.endpoint);
    const address = addressOf(proxy.endpoint);
    proxy.faults.push({ method: 'PUT', times: 1, kind: 'change a byte of the body' });
    const store = openAt(address);
    const content = randomBytes(MIB);
    const writer = store.create('2026-03-01/1/changed');
    writer.write(content);
    await writer.finish();
    expect((await store.readWhole('2026-03-01/1/changed', MIB))?.equals(content)).toBe(true);
    expect(proxy.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(2);
    await proxy.close();
  });

  test('a server that fails for a moment is asked again, four times and no more', async () => {
    const proxy = await startS3Proxy(server.endpoint);
    const store = openAt(addressOf(proxy.endpoint));
    proxy.faults.push({ method: 'PUT', times: 3, kind: 'status 503' });
    await store.put('2026-03-01/1/a', Buffer.from('a'));
    proxy.faults.push({ method: 'GET', times: 3, kind: 'cut the answer' });
    expect(await readAll(store, '2026-03-01/1/a')).toBe('a');
    proxy.faults.push({ method: 'GET', times: 4, kind: 'status 503' });
    proxy.requests.length = 0;
    await expect(store.read('2026-03-01/1/a')).rejects.toEqual(unavailable(/could not read \(.*503\)/));
    expect(proxy.requests).toHaveLength(4);
    await proxy.close();
  });

  test('a long blob is read in windows, and a stream that breaks goes on', async () => {
    const proxy = await startS3Proxy(server.endpoint);
    const store = openAt(addressOf(proxy.endpoint));
    const content = randomBytes(9 * MIB + 5);
    await store.put('2026-03-01/1/long', content);
    proxy.requests.length = 0;
    proxy.faults.push({ method: 'GET', times: 2, kind: 'cut the answer' });
    const stream = await store.read('2026-03-01/1/long');
    expect(Buffer.concat((await stream?.toArray()) ?? []).equals(content)).toBe(true);
    expect(proxy.requests.length).toBeLessThan(15);
    // A small range of it costs its end and its block.
    proxy.requests.length = 0;
    const part = await store.read('2026-03-01/1/long', { from: 4 * MIB, to: 4 * MIB + 3 });
    expect(Buffer.concat((await part?.toArray()) ?? []).equals(content.subarray(4 * MIB, 4 * MIB + 3))).toBe(
      true,
    );
    expect(proxy.requests).toHaveLength(2);
    await proxy.close();
  });

  test('an object that was cut short or is none of ours fails to read, and never gives other bytes', async () => {
    const address = addressOf(server.endpoint);
    const store = openAt(address);
    const client = rawClient();
    const at = (key: string) => ({ Bucket: S3_BUCKET, Key: `${address.prefix}${key}` });
    await store.put('2026-03-01/1/a', Buffer.from('hello world '.repeat(50_000)));
    const object = await client.send(new GetObjectCommand(at('2026-03-01/1/a')));
    const stored = Buffer.from((await object.Body?.transformToByteArray()) ?? []);
    for (const damaged of [stored.subarray(0, stored.length - 5), stored.subarray(1), Buffer.alloc(3)]) {
      await client.send(new PutObjectCommand({ ...at('2026-03-01/1/a'), Body: damaged }));
      await expect(store.readWhole('2026-03-01/1/a', 1e9)).rejects.toThrow();
    }
    client.destroy();
  });

  test('what others keep in the bucket is not listed, not counted and not deleted', async () => {
    const address = addressOf(server.endpoint);
    const store = openAt(address);
    const client = rawClient();
    const foreign = ['notes.txt', '2026-03-01/readme', '2026-03-01/1/a/b', '2026-03-01/one/x', 'other/1/x'];
    for (const key of foreign)
      await client.send(
        new PutObjectCommand({ Bucket: S3_BUCKET, Key: `${address.prefix}${key}`, Body: 'not ours' }),
      );
    await store.put('2026-03-01/1/ours', Buffer.from('x'));
    expect(await store.listDayNames()).toEqual(['2026-03-01']);
    expect((await store.listUsage()).map(({ blobs }) => blobs)).toEqual([1]);
    expect((await store.deleteDay('2026-03-01')).blobs).toBe(1);
    for (const key of foreign)
      await client.send(new DeleteObjectCommand({ Bucket: S3_BUCKET, Key: `${address.prefix}${key}` }));
    client.destroy();
  });

  testInFull(
    'lists and deletes more than a page',
    async () => {
      const store = openAt(addressOf(server.endpoint));
      const keys = Array.from({ length: 1_050 }, (_, index) => `2026-03-02/${index % 2}/n${index}`);
      for (let start = 0; start < keys.length; start += 50)
        await Promise.all(keys.slice(start, start + 50).map((key) => store.put(key, Buffer.from(key))));
      const listed: string[] = [];
      for await (const page of store.listKeys('2026-03-02')) listed.push(...page);
      expect(listed.sort()).toEqual([...keys].sort());
      expect((await store.deleteDay('2026-03-02')).blobs).toBe(keys.length);
      expect(await store.listDayNames()).toEqual([]);
    },
    60_000,
  );

  test('what is wrong with the bucket, the key or the address is named, with what to do', async () => {
    const address = addressOf(server.endpoint);
    const wrongKey = openAt(address, { ...S3_CREDENTIALS, secretAccessKey: 'wrong' });
    await expect(wrongKey.check()).rejects.toEqual(unavailable(/403.*check ERRATA_S3_ACCESS_KEY_ID/));
    await expect(wrongKey.put('2026-03-01/1/a', Buffer.from('a'))).rejects.toEqual(
      unavailable(/SignatureDoesNotMatch.*check ERRATA_S3_ACCESS_KEY_ID/),
    );
    const noBucket = openAt({ ...address, bucket: 'no-such-bucket' });
    await expect(noBucket.check()).rejects.toEqual(unavailable(/404.*make the bucket/));
    await expect(noBucket.put('2026-03-01/1/a', Buffer.from('a'))).rejects.toEqual(
      unavailable(/NoSuchBucket.*make the bucket/),
    );
    const nobody = openAt({ ...address, endpoint: 'http://127.0.0.1:1' });
    await expect(nobody.check()).rejects.toEqual(unavailable(/ECONNREFUSED.*is reached/));
    await expect(nobody.read('2026-03-01/1/a')).rejects.toEqual(unavailable(/ECONNREFUSED.*is reached/));
  });

  test('a server that comes back within the tries is not noticed, one that stays away is', async () => {
    const store = openAt(addressOf(server.endpoint));
    await store.put('2026-03-01/1/a', Buffer.from('a'));
    await server.stop();
    await expect(store.size('2026-03-01/1/a')).rejects.toEqual(unavailable(/could not read/));
    const reading = readAll(store, '2026-03-01/1/a');
    await server.start();
    expect(await reading).toBe('a');
  });

  test('a check of a server that hangs ends', { timeout: 20_000 }, async () => {
    const proxy = await startS3Proxy(server.endpoint);
    proxy.faults.push({ method: 'HEAD', times: 1, kind: 'say nothing' });
    await expect(openAt(addressOf(proxy.endpoint)).check()).rejects.toEqual(
      unavailable(/could not be reached/),
    );
    await proxy.close();
  });

  test('what a crash left staged is removed when it is old, what is being written stays', async () => {
    writeFileSync(path.join(folder, 'old'), 'x');
    writeFileSync(path.join(folder, 'new'), 'x');
    const anHourAgo = Date.now() / 1000 - 3600;
    utimesSync(path.join(folder, 'old'), anHourAgo, anHourAgo);
    const writer = openAt(addressOf(server.endpoint)).create('2026-03-01/1/a');
    await until('the old file is gone', () => !staged().includes('old'));
    expect(staged()).toHaveLength(2);
    await writer.abort();
    expect(staged()).toEqual(['new']);
  });

  test('a staging folder that cannot be written is unavailable, and says which disk to look at', () => {
    writeFileSync(path.join(folder, 'file'), 'x');
    const bucket = openBucket(addressOf(server.endpoint), S3_CREDENTIALS);
    const store = openS3BlobStore(bucket, path.join(folder, 'file'));
    expect(() => store.create('2026-03-01/1/a')).toThrow(unavailable(/check the data directory's disk/));
  });

  testInFull(
    'blobs move from disk to S3 and back, go on after an interruption, and are the same',
    async () => {
      const disk = openDiskBlobStore(path.join(folder, 'disk'));
      const bucket = openAt(addressOf(server.endpoint));
      const contents = new Map(
        Array.from({ length: 40 }, (_, index) => [
          `2026-03-0${1 + (index % 3)}/${index % 5}/n${index}`,
          randomBytes(index * 10_000),
        ]),
      );
      for (const [key, bytes] of contents) await disk.put(key, bytes);
      // Interrupted in its middle.
      const dies = { ...bucket, create: (key: string) => failAfter(20, bucket.create(key)) };
      await expect(copyBlobs(disk, dies, { isPruning: false, onProgress: () => {} })).rejects.toThrow('died');
      const before = (await bucket.listUsage()).reduce((sum, { blobs }) => sum + blobs, 0);
      expect(before).toBeGreaterThan(0);
      await disk.delete('2026-03-01/0/n0');
      const result = await copyBlobs(disk, bucket, { isPruning: true, onProgress: () => {} });
      expect(result).toMatchObject({ seen: 39, copied: 40 - before, pruned: 1 });
      expect(result.present).toBe(before - 1);
      const back = openDiskBlobStore(path.join(folder, 'back'));
      expect(await copyBlobs(bucket, back, { isPruning: true, onProgress: () => {} })).toMatchObject({
        copied: 39,
      });
      for (const [key, bytes] of contents) {
        const found = await back.readWhole(key, 1e9);
        expect(found?.equals(bytes) ?? null, key).toBe(key === '2026-03-01/0/n0' ? null : true);
      }
    },
  );
});

let failuresLeft = 0;
function failAfter<Writer extends { finish(): Promise<unknown> }>(count: number, writer: Writer): Writer {
  failuresLeft += 1;
  if (failuresLeft <= count) return writer;
  return Object.assign(Object.create(writer) as Writer, { finish: () => Promise.reject(new Error('died')) });
}
