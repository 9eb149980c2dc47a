import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { type BucketAddress, describeBucket } from '#lib/blob-address.ts';
import { unavailable } from '#lib/errors.ts';

export type BucketCredentials = { accessKeyId: string; secretAccessKey: string };

/** `modifiedMs` by the clock of the server, which may say no more than the second: the latest that it can have been. */
export type ListedObject = { key: string; bytes: number; modifiedMs: number };

/** Keys are those of the blob store; the prefix is put in front of them here. */
export type Bucket = {
  /** Whole or not at all. `open` is called for each try. `md5` in base64: the server refuses other bytes. */
  put(key: string, open: () => Buffer | Readable, bytes: number, md5: string): Promise<void>;
  /** A part of an object, and its whole length; null when there is no such object. */
  read(
    key: string,
    range: { from: number; to: number } | { last: number },
  ): Promise<{ bytes: Buffer; totalBytes: number } | null>;
  /** null when there is no such object. */
  find(key: string): Promise<Omit<ListedObject, 'key'> | null>;
  delete(key: string): Promise<void>;
  /** In pages, by name; only names behind `after`, unless that is null. */
  list(prefix: string, after?: string | null): AsyncIterable<readonly ListedObject[]>;
  /** Names of the folders below the root, by name. */
  listFolders(): AsyncIterable<readonly string[]>;
  check(): Promise<void>;
};

/** What a bucket is to people, and where its address is set. */
export type BucketUse = { name: string; setting: string };
const BLOBS: BucketUse = { name: 'blob store', setting: 'ERRATA_BLOBS_URL' };

/** Connections to the server, of each process. */
const CONNECTIONS_MAX = 64;
const CONNECT_MS_MAX = 3_000;
/** Without a byte in either direction. */
const SILENT_MS_MAX = 20_000;
/** Of a request that fails for a reason that may pass. */
const TRIES_MAX = 4;
const RETRY_MS = { first: 100, last: 2_000 } as const;
/** Until `check` is given up. */
const CHECK_MS_MAX = 3_000;

/**
 * `credentials` null: as the libraries of Amazon find them (environment, files, the role of the machine or the pod). Every
 * method throws ErrataError 'unavailable' with the reason of the server once its tries are used up.
 */
export function openBucket(
  address: BucketAddress,
  credentials: BucketCredentials | null,
  { name, setting }: BucketUse = BLOBS,
): Bucket {
  const { bucket, prefix, endpoint, region, isPathStyle } = address;
  const agent = { keepAlive: true, maxSockets: CONNECTIONS_MAX };
  const client = new S3Client({
    region,
    ...(endpoint !== null && { endpoint }),
    ...(credentials && { credentials }),
    forcePathStyle: isPathStyle,
    // The others' servers refuse what Amazon adds by default; what is written has its MD5, what is read its blocks.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
    // It would write to the console what is tried again here.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: {
      connectionTimeout: CONNECT_MS_MAX,
      socketTimeout: SILENT_MS_MAX,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
    },
  });

  async function trying<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1, waitMs: number = RETRY_MS.first; ; attempt++, waitMs *= 2) {
      try {
        return await run();
      } catch (error) {
        if (attempt >= TRIES_MAX || !mayPass(error)) throw describe(what, error);
        // Not all at once when the server comes back.
        await delay(Math.min(waitMs, RETRY_MS.last) * (0.5 + Math.random() / 2));
      }
    }
  }

  const describe = (what: string, error: unknown): Error =>
    unavailable(
      `The ${name} ${describeBucket(address)} could not ${what} (${reasonOf(error)}): ${nextStep(error, setting)}`,
      error,
    );

  const orNull = async <Result>(run: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await run();
    } catch (error) {
      if (isMissingObject(error)) return null;
      throw error;
    }
  };

  async function* pages(folder: string, delimiter: string | undefined, from: string | null = null) {
    let after: string | undefined;
    do {
      const page = await trying('list', () =>
        client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: `${prefix}${folder}`,
            ...(delimiter !== undefined && { Delimiter: delimiter }),
            ...(after !== undefined && { ContinuationToken: after }),
            ...(after === undefined && from !== null && { StartAfter: `${prefix}${from}` }),
          }),
        ),
      );
      yield page;
      after = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (after !== undefined);
  }

  return {
    async put(key, open, bytes, md5) {
      await trying('store', () =>
        client.send(
          new PutObjectCommand({
            Bucket: bucket,
            Key: `${prefix}${key}`,
            Body: open(),
            ContentLength: bytes,
            ContentMD5: md5,
            ContentType: 'application/octet-stream',
          }),
        ),
      );
    },
    read: (key, range) =>
      trying('read', () =>
        orNull(async () => {
          const wanted = 'last' in range ? `-${range.last}` : `${range.from}-${range.to - 1}`;
          const { Body, ContentRange, ContentLength } = await client.send(
            new GetObjectCommand({ Bucket: bucket, Key: `${prefix}${key}`, Range: `bytes=${wanted}` }),
          );
          if (!Body) throw new Error('no body');
          const bytes = Buffer.from(await Body.transformToByteArray());
          // A server may send the whole object when it is not longer than what is asked for.
          const totalBytes = Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1] ?? ContentLength);
          return { bytes, totalBytes };
        }),
      ),
    find: (key) =>
      trying('read', () =>
        orNull(async () => {
          const { ContentLength = 0, LastModified } = await client.send(
            new HeadObjectCommand({ Bucket: bucket, Key: `${prefix}${key}` }),
          );
          return { bytes: ContentLength, modifiedMs: latest(LastModified) };
        }),
      ),
    async delete(key) {
      await trying('delete', () =>
        orNull(() => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: `${prefix}${key}` }))),
      );
    },
    async *list(folder, after) {
      for await (const { Contents = [] } of pages(folder, undefined, after)) {
        yield Contents.map(({ Key = '', Size = 0, LastModified }) => ({
          key: Key.slice(prefix.length),
          bytes: Size,
          modifiedMs: latest(LastModified),
        }));
      }
    },
    async *listFolders() {
      for await (const { CommonPrefixes = [] } of pages('', '/')) {
        yield CommonPrefixes.map(({ Prefix = '' }) => Prefix.slice(prefix.length, -1));
      }
    },
    async check() {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }), {
          abortSignal: AbortSignal.timeout(CHECK_MS_MAX),
        });
      } catch (error) {
        throw describe('be reached', error);
      }
    },
  };
}

const SECOND_MS = 1_000;

/** The end of the second that the server names; now when it names none. */
const latest = (modified: Date | undefined): number =>
  modified ? Math.floor(modified.getTime() / SECOND_MS) * SECOND_MS + SECOND_MS - 1 : Date.now();

type ServiceError = Error & {
  code?: string;
  $retryable?: object;
  $metadata?: { httpStatusCode?: number };
};

const statusOf = (error: unknown): number | undefined => (error as ServiceError).$metadata?.httpStatusCode;

function isMissingObject(error: unknown): boolean {
  const { name } = error as ServiceError;
  return name === 'NoSuchKey' || name === 'NotFound' || (name !== 'NoSuchBucket' && statusOf(error) === 404);
}

/** The server's trouble, the network's, or a clock that the library corrects for the next try. */
function mayPass(error: unknown): boolean {
  const status = statusOf(error);
  const { name, $retryable } = error as ServiceError;
  if ($retryable !== undefined || name === 'RequestTimeTooSkewed' || name === 'BadDigest') return true;
  return status === undefined
    ? name !== 'CredentialsProviderError'
    : status >= 500 || status === 429 || status === 408;
}

function reasonOf(error: unknown): string {
  const { name, code, message } = error as ServiceError;
  const status = statusOf(error);
  // Without a body, as after HEAD, the library knows the status alone.
  const reason = name === 'Error' || name === 'Unknown' || name === '' ? (code ?? message) : name;
  return status === undefined ? reason : `${reason}, status ${status}`;
}

function nextStep(error: unknown, setting: string): string {
  const status = statusOf(error);
  if (status === 403 || status === 401 || (error as ServiceError).name === 'CredentialsProviderError')
    return 'check ERRATA_S3_ACCESS_KEY_ID, its secret, and what the key may do';
  if (status === 404) return `make the bucket, or mend ${setting}`;
  if (status === 301 || status === 400)
    return `check the region, the endpoint and the path style in ${setting}`;
  if (status === undefined) return `check that its endpoint in ${setting} is reached`;
  return 'it is tried again';
}
