import type { DigestedSession } from '#protocol/telemetry.ts';
import { type DigestItem, discarded, type ItemContext } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { parseJson } from '../parse-json.ts';
import { OutcomeTally } from '../telemetry/container.ts';
import { ELEMENTS_MAX } from '../telemetry/limits.ts';
import { originOf, rowIdOf } from '../telemetry/row-identity.ts';
import {
  clockDriftMs,
  filterSession,
  hashDistinctId,
  millisecondsOf,
  problemOfSessionTime,
  readSessionAttributes,
  type SessionAttributes,
} from './session-attributes.ts';

const COUNTS = ['exited', 'errored', 'crashed', 'abnormal', 'unhandled'] as const;
type Counts = Pick<DigestedSession, (typeof COUNTS)[number]>;
/** Sessions of one status in a bucket: 32 bits. */
const COUNT_MAX = 2 ** 32 - 1;

/**
 * Understands sessions that an SDK counted itself, in buckets of time: each bucket is a row and an outcome of its own.
 * Sources: relay-event-schema/src/protocol/session.rs, relay-server/src/processing/sessions/process.rs.
 */
export const digestSessionAggregates: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return discarded('session', 'invalid_json');
  const { aggregates = [], attrs } = parsed.value;
  if (!Array.isArray(aggregates) || !isSource(attrs)) return discarded('session', 'invalid_session');
  if (aggregates.length === 0) return discarded('session', 'no_data');
  const quantity = Math.min(aggregates.length, ELEMENTS_MAX);

  const attributes = readSessionAttributes(attrs);
  if (attributes === null) return discarded('session', 'invalid_release', 'invalid', quantity);
  const filter = filterSession(attributes, context);
  if (filter !== null) return discarded('session', filter, 'filtered', quantity);

  const tally = new OutcomeTally('session');
  const driftMs = clockDriftMs(context);
  const sessions: DigestedSession[] = [];
  for (const [index, bucket] of aggregates.slice(0, ELEMENTS_MAX).entries()) {
    const rowId = rowIdOf(item.itemId, index);
    const row = readBucket(bucket, rowId, driftMs, attributes, context);
    if (typeof row === 'string') {
      tally.count('invalid', row);
    } else {
      tally.count('accepted');
      sessions.push(row);
    }
  }
  tally.count('invalid', 'too_many_items', aggregates.length - quantity);
  return { events: [], rows: { sessions }, blobs: [], outcomes: tally.outcomes };
};

/** The row, or the reason why there is none. */
function readBucket(
  bucket: unknown,
  rowId: string,
  driftMs: number,
  attributes: SessionAttributes,
  context: ItemContext,
): DigestedSession | string {
  if (!isSource(bucket)) return 'invalid_session';
  const started = millisecondsOf(bucket.started);
  const counts = readCounts(bucket);
  if (started === null || counts === null) return 'invalid_session';
  if (COUNTS.every((name) => counts[name] === 0)) return 'no_data';
  const startedAt = started + driftMs;
  const problem = problemOfSessionTime(startedAt, context);
  if (problem !== null) return problem;
  return {
    ...originOf(context),
    rowId,
    kind: 'aggregate',
    sessionId: null,
    distinctIdHash: hashDistinctId(bucket.did),
    seq: 0,
    isInit: false,
    startedAt,
    occurredAt: startedAt,
    durationSeconds: null,
    status: 'ok',
    errors: 0,
    ...counts,
    release: attributes.release,
    environment: attributes.environment,
    abnormalMechanism: null,
    userAgent: attributes.userAgent,
  };
}

/** null when one of them is no count. */
function readCounts(bucket: Source): Counts | null {
  const counts: Counts = { exited: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0 };
  for (const name of COUNTS) {
    const value = bucket[name] ?? 0;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > COUNT_MAX) return null;
    counts[name] = value;
  }
  return counts;
}
