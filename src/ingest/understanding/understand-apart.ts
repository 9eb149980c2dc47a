import type { SpoolRecord } from '#storage/ports/spool.ts';
import { type BatchBuilder, countDetected } from './prepared-batch.ts';
import type { UnderstoodRecord } from './understand-record.ts';

/** What is taken for granted of the records before one, since they are being understood at the same time. */
export type Assumed = {
  /** Event ids that came before; every other one is taken for new. */
  knownIds: readonly string[];
  mayDetect: boolean;
};

/** `askedIds` are those that were asked for: the result holds as long as the answers would be the same. */
export type AssumedResult = UnderstoodRecord & { askedIds: readonly string[] };

/** Understands records side by side, in any order. */
export interface Understanding {
  /**
   * In the order of the records. Rejects with `RecordFailed` for the first one that cannot be understood, or whose thread
   * died of it, and with ErrataError 'unavailable' while a store is away.
   */
  understand(
    spoolId: string,
    records: readonly SpoolRecord[],
    assumed: readonly Assumed[],
  ): Promise<AssumedResult[]>;
}

/** A record that cannot be understood. Its message is that of the cause. */
export class RecordFailed extends Error {
  readonly position: number;
  /** The thread died, rather than to throw. */
  readonly isFatal: boolean;

  constructor(position: number, message: string, isFatal = false) {
    super(message);
    this.position = position;
    this.isFatal = isFatal;
  }
}

const FIRST: Assumed = { knownIds: [], mayDetect: true };

/**
 * Adds the records to the batch as if one after the other had been understood. Each is taken for the first of its kind,
 * which most are; those that are not are understood a second time, told what came before. What still differs then, since
 * an earlier one came out otherwise, is understood by itself.
 */
export async function understandApart(
  threads: Understanding,
  builder: BatchBuilder,
  records: readonly SpoolRecord[],
  mark?: (position: number) => void,
): Promise<void> {
  const { spoolId } = builder.batch;
  const one = async (record: SpoolRecord, assumed: Assumed) => {
    mark?.(record.position);
    const [result] = await threads.understand(spoolId, [record], [assumed]);
    return result!;
  };
  if (mark) {
    for (const record of records) await settle(builder, await one(record, FIRST), FIRST, record, one);
    return;
  }
  const assumed: Assumed[] = records.map(() => FIRST);
  const results = await threads.understand(spoolId, records, assumed);
  const seen = new Set<string>();
  const wrong: number[] = [];
  for (const [index, result] of results.entries()) {
    const order = orderOf(builder, result, seen);
    for (const id of idsOf(result)) seen.add(`${result.projectId}:${id}`);
    if (holds(result, FIRST, order)) continue;
    assumed[index] = order;
    wrong.push(index);
  }
  if (wrong.length > 0) {
    const again = await threads.understand(
      spoolId,
      wrong.map((index) => records[index]!),
      wrong.map((index) => assumed[index]!),
    );
    for (const [at, index] of wrong.entries()) results[index] = again[at]!;
  }
  for (const [index, result] of results.entries()) {
    await settle(builder, result, assumed[index]!, records[index]!, one);
  }
}

/** Understands the record again until what was assumed is so: each round can only learn of more ids. */
async function settle(
  builder: BatchBuilder,
  first: AssumedResult,
  firstAssumed: Assumed,
  record: SpoolRecord,
  understand: (record: SpoolRecord, assumed: Assumed) => Promise<AssumedResult>,
): Promise<void> {
  let result = first;
  let assumed = firstAssumed;
  for (
    let order = orderOf(builder, result);
    !holds(result, assumed, order);
    order = orderOf(builder, result)
  ) {
    const before = assumed.knownIds.filter((id) => builder.isKnown(first, id));
    assumed = { ...order, knownIds: [...new Set([...before, ...order.knownIds])] };
    result = await understand(record, assumed);
  }
  builder.add(result);
}

/** What had to be assumed of what the record asked for. */
function orderOf(builder: BatchBuilder, result: AssumedResult, seen?: ReadonlySet<string>): Assumed {
  const isSeen = (id: string) => seen?.has(`${result.projectId}:${id}`) ?? false;
  return {
    knownIds: result.askedIds.filter((id) => isSeen(id) || builder.isKnown(result, id)),
    mayDetect: builder.mayDetect(result),
  };
}

const idsOf = ({ result }: AssumedResult): string[] =>
  result ? [...result.events, ...result.rows.transactions].map(({ eventId }) => eventId) : [];

/** Without problems found, it makes no difference whether they were looked for. */
function holds(result: AssumedResult, assumed: Assumed, order: Assumed): boolean {
  const known = new Set(order.knownIds);
  const areSame = result.askedIds.every((id) => known.has(id) === assumed.knownIds.includes(id));
  if (!areSame) return false;
  if (assumed.mayDetect === order.mayDetect) return true;
  return assumed.mayDetect && countDetected(result.result ?? { events: [] }) === 0;
}
