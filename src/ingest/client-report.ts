import { parseBoundedJson } from '#lib/bounded-json.ts';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import { compileScrubber } from '#pipeline/scrub/scrubber.ts';
import { DEFAULT_INGEST_SETTINGS } from '#protocol/ingest-settings.ts';
import { CATEGORIES, type Category, type Outcome } from '#protocol/outcome.ts';
import { parseTimestamp } from '#protocol/timestamp.ts';
import type { RecordOutcome } from './spool-record.ts';

/** A reason is a word of an SDK; whatever the project decided, no key or token is counted as one. */
const SCRUBBER = compileScrubber(DEFAULT_INGEST_SETTINGS.privacy);
/** Entries of one report, over all of its lists. */
const ENTRIES_MAX = 100;
/** Quantity of one entry; a larger one counts as this. */
const QUANTITY_MAX = 1_000_000;
/** An entry with a longer reason is ignored, as in Relay. */
const REASON_CHARACTERS_MAX = 200;
/** Characters of a reason that are stored. */
const KEPT_REASON_CHARACTERS_MAX = 64;
const DRIFT_MIN_MS = 55 * MINUTE_MS;
/** How far ahead of its arrival a report may be dated; otherwise it counts as of now. */
const FUTURE_MAX_MS = MINUTE_MS;
/** How old a report may be when it arrives; otherwise it counts as of now. */
const PAST_MAX_MS = 30 * DAY_MS;

/** When the report came, and when its sender says that it was sent; milliseconds since the epoch. */
export type ReportTimes = { receivedAtMs: number; sentAtMs: number | null };

/**
 * What an SDK, or a relay before us, says that it threw away, as outcomes. A report that cannot be read says nothing;
 * neither does an entry without a category, a reason or a positive whole quantity.
 * Source: https://develop.sentry.dev/sdk/telemetry/client-reports/ and
 * relay-server/src/processing/client_reports/process.rs.
 */
export function readClientReport(payload: Uint8Array, times: ReportTimes | null = null): RecordOutcome[] {
  let report: Record<string, unknown>;
  try {
    const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString('utf8');
    report = (parseBoundedJson(text) ?? {}) as Record<string, unknown>;
  } catch {
    return [];
  }
  const entries = LISTS.flatMap(([name, read]) => {
    const list = report[name];
    return Array.isArray(list) ? list.slice(0, ENTRIES_MAX).map((entry) => readEntry(entry, read)) : [];
  });
  const at = times ? occurredAtMs(report.timestamp, times) : null;
  return entries
    .filter((entry) => entry !== null)
    .slice(0, ENTRIES_MAX)
    .map((entry) => (at === null ? entry : { ...entry, at }));
}

type ReadReason = (reason: string) => { outcome: Outcome; reason: string } | null;

/** The lists of a report, and what their reasons mean; all but the first come from relays. */
const LISTS: readonly [name: string, read: ReadReason][] = [
  ['discarded_events', (reason) => (reason === '' ? null : { outcome: 'client_discard', reason })],
  ['rate_limited_events', (reason) => ({ outcome: 'rate_limited', reason })],
  ['filtered_events', (reason) => (reason === '' ? null : { outcome: 'filtered', reason })],
  // The reason names the rules that sampled: as many reasons as there are combinations of them.
  [
    'filtered_sampling_events',
    (reason) => (/^Sampled:\d/.test(reason) ? { outcome: 'filtered', reason: 'sampled' } : null),
  ],
];

function readEntry(entry: unknown, read: ReadReason): RecordOutcome | null {
  const { reason, category, quantity } = (entry ?? {}) as Record<string, unknown>;
  if (typeof reason !== 'string' || reason.length > REASON_CHARACTERS_MAX) return null;
  if (typeof quantity !== 'number' || !Number.isSafeInteger(quantity) || quantity < 1) return null;
  if (typeof category !== 'string' || COUNTED_ELSEWHERE.has(category)) return null;
  const meaning = read(reason);
  if (!meaning) return null;
  return {
    category: toCategory(category),
    outcome: meaning.outcome,
    reason: SCRUBBER.scrubKnown(meaning.reason)
      .replace(/[^\w.:-]/g, '_')
      .slice(0, KEPT_REASON_CHARACTERS_MAX),
    quantity: Math.min(quantity, QUANTITY_MAX),
  };
}

/** Second counts of items that are in the report under their own category already: their bytes, or what was indexed. */
const COUNTED_ELSEWHERE = new Set([
  'log_byte',
  'trace_metric_byte',
  'attachment_item',
  'transaction_indexed',
  'transaction_processed',
  'span_indexed',
  'profile_indexed',
]);

const OTHER_NAMES: Readonly<Record<string, Category>> = {
  metric: 'trace_metric',
  metric_bucket: 'statsd',
  profile_chunk_ui: 'profile_chunk',
  replay_video: 'replay',
};

const toCategory = (name: string): Category =>
  CATEGORIES.find((known) => known === name) ??
  (Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name]! : 'unknown');

/** Corrected like the time of an event; null when the report says none, or one that makes no sense: then it is now. */
function occurredAtMs(timestamp: unknown, { receivedAtMs, sentAtMs }: ReportTimes): number | null {
  const seconds = parseTimestamp(timestamp);
  if (seconds === null) return null;
  const driftMs = sentAtMs === null ? 0 : receivedAtMs - sentAtMs;
  const at = Math.round(seconds * 1000) + (Math.abs(driftMs) >= DRIFT_MIN_MS ? driftMs : 0);
  return at > receivedAtMs + FUTURE_MAX_MS || at < receivedAtMs - PAST_MAX_MS ? null : at;
}
