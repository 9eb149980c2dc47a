import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type BucketAddress, describeBucket } from '#lib/blob-address.ts';
import { conflict, invalid, unavailable } from '#lib/errors.ts';
import { describeOwner, hasDied } from '#lib/lock-owner.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { BackupTarget, BackupTargetFile } from '#storage/ports/backup-target.ts';
import { type Bucket, type BucketCredentials, openBucket } from './bucket.ts';
import { openStagedFile } from './staged-file.ts';

/** Where backups lie: what else the bucket has stays what it is. */
const FOLDERS = ['backups/', 'objects/'] as const;
const NAME = /^(?:backups|objects)(?:\/[a-z0-9][a-z0-9.-]*)+$/;
/** What servers take in one request. */
const OBJECT_BYTES_MAX = 5 * 1024 ** 3;
/** Read at once. */
const READ_BYTES = 8 * 1024 * 1024;
const LOCK = 'lock';
/** Whoever holds the lock says so this often; whoever was silent for the other time has died. */
const LOCK_TOUCH_MS = MINUTE_MS;
const LOCK_STALE_MS = 10 * MINUTE_MS;
/** Until others that saw no lock have written theirs: the last one has it. */
const LOCK_SETTLES_MS = 1_000;
const LOCK_BYTES_MAX = 1_000;

/**
 * Backups in a bucket. `stagingFolder` is where each file waits until its length and hash are known; whoever has the lock empties
 * it, so it is of this bucket alone.
 */
export function openS3BackupTarget(options: {
  address: BucketAddress;
  credentials: BucketCredentials | null;
  stagingFolder: string;
}): BackupTarget {
  const { address, credentials, stagingFolder } = options;
  const bucket = openBucket(address, credentials, { name: 'bucket of backups', setting: 'its address' });
  const place = describeBucket(address);
  return {
    place,

    async create() {
      const staged = openStagedFile(stagingFolder);
      return {
        async write(chunk) {
          staged.write(chunk);
        },
        async finish(name) {
          const { bytes, md5 } = staged.end();
          if (bytes > OBJECT_BYTES_MAX) {
            await staged.remove();
            throw unavailable(`${name} has ${bytes} bytes, more than a bucket takes at once: use a folder`);
          }
          await bucket.put(checkName(name), () => staged.read(), bytes, md5);
          await staged.remove();
        },
        abort: () => staged.remove(),
      };
    },

    async open(name) {
      const found = await bucket.find(checkName(name));
      return found ? readParts(bucket, name, found.bytes) : null;
    },

    async list() {
      const files: BackupTargetFile[] = [];
      for (const folder of FOLDERS)
        for await (const page of bucket.list(folder))
          files.push(...page.map(({ key, bytes }) => ({ name: key, bytes })));
      return files.sort((one, other) => (one.name < other.name ? -1 : 1));
    },

    delete: (name) => bucket.delete(checkName(name)),

    async lock() {
      const content = Buffer.from(`${randomBytes(12).toString('hex')} ${await describeOwner()}`);
      const write = () => bucket.put(LOCK, () => content, content.length, md5Of(content));
      if (await isHeld(bucket)) throw isWritten(place);
      await write();
      await delay(LOCK_SETTLES_MS);
      if (!content.equals(await readLock(bucket))) throw isWritten(place);
      // Of a backup that was killed.
      await rm(stagingFolder, { recursive: true, force: true });
      const timer = setInterval(() => void write().catch(() => {}), LOCK_TOUCH_MS);
      timer.unref();
      return {
        async release() {
          clearInterval(timer);
          await bucket.delete(LOCK);
        },
      };
    },
  };
}

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw invalid(`"${name.slice(0, 200)}" is not the name of a file of a backup`);
}

const isWritten = (place: string) =>
  conflict(`Another backup is being written to ${place}: wait until it is done, or choose another folder`);

async function* readParts(bucket: Bucket, name: string, bytes: number): AsyncIterable<Buffer> {
  for (let from = 0; from < bytes; ) {
    const part = await bucket.read(name, { from, to: Math.min(bytes, from + READ_BYTES) });
    if (!part || part.bytes.length === 0) throw unavailable(`${name} was deleted while it was read`);
    yield part.bytes;
    from += part.bytes.length;
  }
}

async function isHeld(bucket: Bucket): Promise<boolean> {
  const found = await bucket.find(LOCK);
  if (!found || Date.now() - found.modifiedMs > LOCK_STALE_MS) return false;
  return !(await hasDied((await readLock(bucket)).toString()));
}

/** Empty when there is none. */
const readLock = async (bucket: Bucket): Promise<Buffer> =>
  (await bucket.read(LOCK, { from: 0, to: LOCK_BYTES_MAX }))?.bytes ?? Buffer.alloc(0);

const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('base64');
