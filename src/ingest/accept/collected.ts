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
