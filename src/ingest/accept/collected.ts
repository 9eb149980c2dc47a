import { randomBytes } from 'node:crypto';
import { parseJson } from '#pipeline/parse-json.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { ActiveLimit } from '#protocol/rate-limits.ts';
import type { ItemFacts, RecordOutcome } from '../spool-record.ts';
import type { StagedBody } from './staged-bodies.ts';

/** One item of a request, read to its end. */
export type CollectedItem = {
  type: string;
  body: Uint8Array | StagedBody;
  facts?: ItemFacts;
  /** The limit for which its body was not even kept. */
  refusedBy?: ActiveLimit;
};

/** What a request brings for one record of the spool. */
export type Collected = {
  /** 32 lower-case hex digits; null when nothing in it has an id. */
  eventId: string | null;
  /** Milliseconds since the epoch, by the sender's clock; null when it was not said. */
  sentAtMs: number | null;
  items: readonly CollectedItem[];
  /** Of what is not kept. */
  outcomes: readonly RecordOutcome[];
};

/** A record with one item. */
export const collectOne = (
  type: string,
  body: Uint8Array | StagedBody,
  eventId: string | null,
  facts?: ItemFacts,
): Collected => ({
  eventId,
  sentAtMs: null,
  items: [facts ? { type, body, facts } : { type, body }],
  outcomes: [],
});

/** What the edge must know of an event. The rest is digest's. */
type MinimalEvent = { eventId: string | null; type: string | null };

/** Never throws: digest says what is wrong with a payload that cannot be read. NaN and Infinity are forgiven. */
export function readMinimalEvent(payload: Uint8Array): MinimalEvent {
  const parsed = parseJson(payload);
  if (parsed.kind === 'unparseable') return { eventId: null, type: null };
  const { event_id: id, type } = parsed.value;
  return { eventId: parseEventId(id), type: typeof type === 'string' ? type : null };
}

/** 32 lower-case hex digits. */
export const makeEventId = (): string => randomBytes(16).toString('hex');

/** As native crash reporters want it: with dashes. */
export const dashedEventId = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
