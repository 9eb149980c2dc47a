import type { IncomingMessage } from 'node:http';
import type { ActiveLimit } from '#protocol/rate-limits.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';
import type { SpoolWriter } from '#storage/ports/spool.ts';
import type { BlobRoom } from '../blob-room.ts';
import type { KeyTable } from '../key-table.ts';
import type { MemoryBudget } from '../memory-budget.ts';
import type { OutcomeCounter } from '../outcome-counter.ts';
import type { RateLimiter } from '../rate-limits/rate-limiter.ts';

export type IngestDeps = {
  keys: Pick<KeyTable, 'find'>;
  spool: SpoolWriter;
  outcomes: Pick<OutcomeCounter, 'add'>;
  blobs: Pick<BlobStore, 'create' | 'delete'>;
  memory: MemoryBudget;
  /** Without it nothing is limited. */
  rateLimiter?: RateLimiter;
  /** Without it the disk has room for every blob. */
  blobRoom?: Pick<BlobRoom, 'findLimit' | 'add'>;
};

export type IngestRequest = {
  message: IncomingMessage;
  /** From the path; null where the route has none. */
  projectId: number | null;
  query: Pick<URLSearchParams, 'get'>;
  /** After trusted proxies; null when unknown. */
  clientIp: string | null;
  /** From the path; null where the route has none. */
  pathKey?: string | null;
  /** Set for the tunnel: only the envelope's own DSN counts, and its key must belong to this organization. */
  tunnel?: { organizationId: number };
};

export type RefusalStatus = 400 | 401 | 403 | 408 | 413 | 415 | 429 | 503;

export type Refused = {
  status: RefusalStatus;
  /** For people: names the thing and the next step. */
  detail: string;
  /** Value of `X-Sentry-Rate-Limits`, of a region that answered 429. */
  rateLimits?: string;
  retryAfterSeconds?: number;
};

export type Accepted = {
  status: 200;
  /** 32 lower-case hex digits; null when nothing in it has an id. */
  eventId: string | null;
  /** The limits that refused some or all of it; empty when everything was taken. */
  limits: readonly ActiveLimit[];
  /** Every limit of the key that is used up by now, so that the sender hears of it before it is refused. */
  active?: readonly ActiveLimit[];
};

export type IngestAnswer = Accepted | Refused;

/** What the sender must hear; becomes an answer, and an outcome with this reason unless the sender will try again. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  /** Machine-readable. */
  readonly reason: string;
  constructor(status: RefusalStatus, message: string, reason = 'invalid') {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.reason = reason;
  }
}
