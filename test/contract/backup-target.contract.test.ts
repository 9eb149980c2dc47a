import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BucketAddress } from '#lib/blob-address.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import { openBucket } from '#storage/s3/bucket.ts';
import { openS3BackupTarget } from '#storage/s3/s3-backup-target.ts';
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
if (IS_FULL) installS3Server();
const missing = s3Missing();
const named = (name: string) => (missing === null ? name : `${name} (skipped: ${missing})`);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'errata-target-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function write(target: BackupTarget, name: string, content: Buffer): Promise<void> {
  const writer = await target.create();
  for (let from = 0; from < content.length; from += MIB)
    await writer.write(content.subarray(from, from + MIB));
  await writer.finish(name);
}

async function read(target: BackupTarget, name: string): Promise<Buffer | null> {
  const stream = await target.open(name);
  if (stream === null) return null;
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** `open` opens the same place again and again. */
function describeTarget(open: () => BackupTarget): void {
  test('gives back what was written, of any size, and lists it by name', async () => {
    const contents = {
      'objects/ab/empty': Buffer.alloc(0),
      'objects/ab/large': randomBytes(20 * MIB + 7),
      'backups/20261128t000000z-1': Buffer.from('a head'),
    };
    for (const [name, content] of Object.entries(contents)) await write(open(), name, content);
    for (const [name, content] of Object.entries(contents))
      expect(hashOf((await read(open(), name))!), name).toBe(hashOf(content));
    expect(await open().list()).toEqual(
      Object.entries(contents)
        .map(([name, { length }]) => ({ name, bytes: length }))
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    );
  });

  test('what is not there is null, and deleting it is nothing', async () => {
    expect(await open().list()).toEqual([]);
    expect(await read(open(), 'objects/ab/none')).toBeNull();
    await open().delete('objects/ab/none');
    await write(open(), 'objects/ab/one', Buffer.from('one'));
    await open().delete('objects/ab/one');
    expect(await read(open(), 'objects/ab/one')).toBeNull();
  });

  test('what is given up leaves nothing', async () => {
    const writer = await open().create();
    await writer.write(Buffer.from('half'));
    await writer.abort();
    expect(await open().list()).toEqual([]);
  });

  test('takes no name that leads elsewhere', async () => {
    for (const name of ['../outside/x', 'objects/../x', '/etc/passwd', 'objects//x', 'Objects/x', 'x']) {
      await expect(open().open(name), name).rejects.toMatchObject({ code: 'invalid' });
      const writer = await open().create();
      await expect(writer.finish(name), name).rejects.toMatchObject({ code: 'invalid' });
      await writer.abort();
    }
  });

  test('is written to by one at a time', async () => {
    const held = await open().lock();
    await expect(open().lock()).rejects.toMatchObject({ code: 'conflict' });
    await held.release();
    await (await open().lock()).release();
  });
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('backups in a folder', () => {
  describeTarget(() => openBackupFolder(path.join(folder, 'backups')));
});

describe.skipIf(missing !== null)(named('backups in a bucket'), () => {
  let server: S3Server;
  let address: BucketAddress;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server?.remove());
  beforeEach(() => {
    address = {
      bucket: S3_BUCKET,
      prefix: `${randomBytes(6).toString('hex')}/`,
      endpoint: server.endpoint,
      region: 'us-east-1',
      isPathStyle: true,
    };
  });
  const open = (credentials = S3_CREDENTIALS) =>
    openS3BackupTarget({ address, credentials, stagingFolder: path.join(folder, 'staging') });

  describeTarget(open);

  test('leaves nothing on the disk, and lists nothing that others keep there', async () => {
    await write(open(), 'objects/ab/one', randomBytes(3 * MIB));
    expect(readdirSync(path.join(folder, 'staging'))).toEqual([]);
    const text = Buffer.from('of others');
    const md5 = createHash('md5').update(text).digest('base64');
    await openBucket(address, S3_CREDENTIALS).put('blobs/2026/x', () => text, text.length, md5);
    expect(await open().list()).toEqual([{ name: 'objects/ab/one', bytes: 3 * MIB }]);
  });

  test('whoever begins the next backup removes what a killed one left on the disk', async () => {
    const staging = path.join(folder, 'staging');
    await (await open().create()).write(randomBytes(100));
    expect(readdirSync(staging)).toHaveLength(1);
    const held = await open().lock();
    expect(existsSync(staging)).toBe(false);
    await write(open(), 'objects/ab/one', Buffer.from('one'));
    await held.release();
  });

  test('a lock of a process that has died here holds nothing, one of another machine does', async () => {
    const lock = async (owner: object) => {
      const text = Buffer.from(`abc ${JSON.stringify(owner)}`);
      const md5 = createHash('md5').update(text).digest('base64');
      await openBucket(address, S3_CREDENTIALS).put('lock', () => text, text.length, md5);
    };
    await lock({ pid: 2 ** 22 + 1, host: hostname() });
    await (await open().lock()).release();
    await lock({ pid: 2 ** 22 + 1, host: 'elsewhere' });
    await expect(open().lock()).rejects.toThrow('Another backup is being written to s3://');
  });

  test('of two that begin at once one has it', async () => {
    const locks = await Promise.allSettled([open().lock(), open().lock()]);
    expect(locks.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a bucket that refuses is unavailable, and says why', async () => {
    await expect(open({ ...S3_CREDENTIALS, secretAccessKey: 'wrong' }).list()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The bucket of backups s3:.*check ERRATA_S3_ACCESS_KEY_ID/),
    });
    address = { ...address, bucket: 'no-such-bucket' };
    await expect(open().list()).rejects.toMatchObject({
      message: expect.stringMatching(/make the bucket, or mend its address/),
    });
  });
});
