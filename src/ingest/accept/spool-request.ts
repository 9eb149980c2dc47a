import type { KeyAdmission } from '#domain/projects.ts';
import { addressGroup } from '#lib/client-address.ts';
import { isErrataError } from '#lib/errors.ts';
import { EnvelopeError } from '#protocol/envelope.ts';
import type { ActiveLimit } from '#protocol/rate-limits.ts';
import { categoryOf, quantityOf } from '../item-types.ts';
import { MemoryExceeded, type MemoryLease } from '../memory-budget.ts';
import { type LimitableItem, type LimitedItems, limitItems } from '../rate-limits/limit-items.ts';
import { BodyError, readBody, readWholeBody, type TakeChunk } from '../read-body.ts';
import { REQUEST_BOUNDS } from '../request-bounds.ts';
import { encodeRecord, type RecordItem, type RecordOutcome } from '../spool-record.ts';
import type { Collected, CollectedItem } from './collected.ts';
import {
  type IngestAnswer,
  type IngestDeps,
  type IngestRequest,
  Refusal,
  type Refused,
} from './ingest-request.ts';
import { StagedBodies } from './staged-bodies.ts';

/** One request that is being read: what its route needs, and what it tells of it. */
export class Reading {
  readonly receivedAtMs: number;
  readonly lease: MemoryLease;
  readonly bodies: StagedBodies;
  /** What came over the network so far, packed or not. */
  readonly received = { bytes: 0 };
  readonly #request: IngestRequest;
  /** Set by the route when only the body names the key. */
  key: KeyAdmission | null;
  /** Items that have been seen so far: each gets an outcome when the request is refused. */
  seen: () => readonly { type: string; itemCount: number | null }[];

  constructor(deps: IngestDeps, request: IngestRequest, key: KeyAdmission | null, type: string) {
    this.receivedAtMs = Date.now();
    this.lease = deps.memory.open(addressGroup(request.clientIp));
    this.bodies = new StagedBodies(deps.blobs, this.lease, this.receivedAtMs, deps.blobRoom);
    this.#request = request;
    this.key = key;
    this.seen = () => [{ type, itemCount: null }];
  }

  /** Rejects as `readBody` does. */
  take(bytesMax: number, use: TakeChunk): Promise<void> {
    this.#refuseDeclared(bytesMax);
    return readBody(this.#request.message, bytesMax, use, this.lease, this.received);
  }

  /** Rejects as `readBody` does, and with Refusal when there is no body. */
  async takeWhole(bytesMax: number): Promise<Buffer> {
    this.#refuseDeclared(bytesMax);
    const body = await readWholeBody(this.#request.message, bytesMax, this.lease);
    if (body.length === 0)
      throw new Refusal(400, 'The body is empty: send the payload that this endpoint expects', 'no_data');
    return body;
  }

  /** A body that says it is too large is refused before a byte of it is read. */
  #refuseDeclared(bytesMax: number): void {
    const declared = Number(this.#request.message.headers['content-length'] ?? 0);
    if (declared <= bytesMax) return;
    throw new BodyError(413, `The body is larger than ${bytesMax} bytes: send less per request`);
  }
}

/**
 * Reads a request by `read`, appends what it brings to the spool, and turns every expected failure into an answer with
 * an outcome. 200 only after bodies and records are synced to disk.
 */
export async function spoolRequest(
  deps: IngestDeps,
  request: IngestRequest,
  /** null when only the body names it. */
  key: KeyAdmission | null,
  /** Item type that a refused request counts as. */
  type: string,
  read: (reading: Reading) => Promise<Collected>,
): Promise<IngestAnswer> {
  const reading = new Reading(deps, request, key, type);
  try {
    const collected = await read(reading);
    const limits = await spoolCollected(deps, request, reading, collected);
    const active = activeLimits(deps, reading.key, Date.now());
    return { status: 200, eventId: collected.eventId, limits, active };
  } catch (error) {
    // A record that the spool may have names them: they stay, and go with their day where it does not.
    if (!(isErrataError(error) && error.isUndecided)) await reading.bodies.discardAll();
    return answerFailure(deps, reading, error);
  } finally {
    reading.lease.end();
  }
}

function activeLimits(
  { rateLimiter, blobRoom }: IngestDeps,
  key: KeyAdmission | null,
  nowMs: number,
): readonly ActiveLimit[] {
  if (!key) return [];
  const blobs = blobRoom?.findLimit(key.projectId, nowMs);
  return [...(rateLimiter?.activeLimits(key, nowMs) ?? []), ...(blobs ? [blobs] : [])];
}

/** Answers the limits that refused something. */
async function spoolCollected(
  deps: IngestDeps,
  request: IngestRequest,
  reading: Reading,
  collected: Collected,
): Promise<readonly ActiveLimit[]> {
  const { key } = reading;
  if (!key) throw new Error('A request was read without a key');
  const admittedAtMs = Date.now();
  const { admitted, ...limited } = admitItems(deps, key, collected, admittedAtMs);
  try {
    await storeAndAppend(deps, request, reading, key, collected, limited);
  } catch (error) {
    // Nothing of it was let in: it comes again, or is lost.
    deps.rateLimiter?.giveBack(key, admitted, admittedAtMs);
    throw error;
  }
  return limited.limits;
}

async function storeAndAppend(
  deps: IngestDeps,
  request: IngestRequest,
  reading: Reading,
  key: KeyAdmission,
  collected: Collected,
  { kept, outcomes }: Pick<LimitedItems, 'kept' | 'outcomes'>,
): Promise<void> {
  const items: RecordItem[] = [];
  for (const [index, item] of collected.items.entries()) {
    if (kept[index])
      items.push(
        item.body instanceof Uint8Array
          ? asRecordItem(item, item.body)
          : await storeBody(reading, item, item.body),
      );
    else if (!(item.body instanceof Uint8Array)) await reading.bodies.discard(item.body);
  }
  if (items.length === 0 && outcomes.length === 0) return;
  await deps.spool.append(
    encodeRecord({
      organizationId: key.organizationId,
      projectId: key.projectId,
      keyId: key.keyId,
      receivedAtMs: reading.receivedAtMs,
      sentAtMs: collected.sentAtMs,
      eventId: collected.eventId,
      clientIp: request.clientIp,
      userAgent: request.message.headers['user-agent']?.slice(0, 512) ?? null,
      isReplay: false,
      items,
      outcomes,
    }),
    { projectId: key.projectId, eventId: collected.eventId },
  );
}

/** Which items the quotas of the key let in. */
function admitItems(
  { rateLimiter }: IngestDeps,
  key: KeyAdmission,
  { items, outcomes }: Collected,
  nowMs: number,
): LimitedItems {
  const limitable = items.map(toLimitable);
  if (!rateLimiter || (key.quotas.length === 0 && limitable.every(({ refusedBy }) => !refusedBy))) {
    return { kept: items.map(() => true), outcomes, limits: [], admitted: [] };
  }
  const limited = limitItems(rateLimiter, key, limitable, nowMs);
  return { ...limited, outcomes: [...outcomes, ...limited.outcomes] };
}

const toLimitable = ({ type, facts, body, refusedBy }: CollectedItem): LimitableItem => ({
  type,
  attachmentType: facts?.attachmentType ?? null,
  itemCount: facts?.itemCount ?? null,
  refusedBy: refusedBy ?? (body instanceof Uint8Array ? null : body.refusedBy),
});

const asRecordItem = ({ type, facts }: CollectedItem, payload: Uint8Array): RecordItem =>
  facts ? { type, payload, facts } : { type, payload };

async function storeBody(
  reading: Reading,
  item: CollectedItem,
  body: Exclude<CollectedItem['body'], Uint8Array>,
): Promise<RecordItem> {
  const { payload, blob } = await reading.bodies.store(body);
  return blob ? { type: item.type, payload, facts: { ...item.facts, blob } } : asRecordItem(item, payload);
}

/** Throws what is nobody's expected failure. */
function answerFailure(deps: IngestDeps, reading: Reading, error: unknown): Refused {
  const refusal = asRefusal(error);
  if (!refusal) throw error;
  // Who is told 503 sends it again.
  if (refusal.status !== 503 && reading.key) {
    for (const { category, quantity } of seenOutcomes(reading)) {
      deps.outcomes.add(reading.key, category, 'invalid', refusal.reason, quantity);
    }
  }
  return { status: refusal.status, detail: refusal.message };
}

function seenOutcomes(reading: Reading): Pick<RecordOutcome, 'category' | 'quantity'>[] {
  return reading
    .seen()
    .filter(({ type }) => type !== 'client_report')
    .map((item) => ({ category: categoryOf(item.type), quantity: quantityOf(item) }));
}

function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof EnvelopeError) {
    return error.kind === 'too_large'
      ? new Refusal(413, error.message, 'too_large')
      : new Refusal(400, error.message, 'invalid_envelope');
  }
  if (error instanceof BodyError) {
    if (error.isInflated) return new Refusal(413, error.message, 'compression_ratio');
    return new Refusal(error.status, error.message, error.status === 413 ? 'too_large' : 'invalid_body');
  }
  if (error instanceof MemoryExceeded) return new Refusal(503, error.message);
  if (isErrataError(error) && error.code === 'unavailable') return new Refusal(503, error.message);
  return null;
}

/** The 413 of whatever is one event. */
export const tooLargeEvent = (): Refusal =>
  new Refusal(
    413,
    `The event is larger than ${REQUEST_BOUNDS.eventBytesMax} bytes: send fewer or shorter fields`,
    'too_large',
  );
