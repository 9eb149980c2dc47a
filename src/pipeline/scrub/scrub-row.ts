import type { TelemetryRows } from '#protocol/telemetry.ts';
import type { Scrubber } from './scrubber.ts';

/** What was scrubbed field by field, and ids that hold hex digits alone. Every other column is looked through. */
const DONE: ReadonlySet<string> = new Set([
  'payload',
  'attributes',
  'links',
  'rowId',
  'traceId',
  'spanId',
  'parentSpanId',
  'segmentId',
  'transactionId',
  'eventId',
  'associatedEventId',
  'attachmentId',
  'feedbackId',
  'sessionId',
  'checkInId',
  'replayId',
  'profileId',
  'profilerId',
  'errorIds',
  'traceIds',
  'distinctIdHash',
  'blobKey',
]);

/** The last look at what is about to be stored: no column of any kind holds a key or token of a known form. */
export function scrubRows(rows: Partial<TelemetryRows>, scrubber: Scrubber): Partial<TelemetryRows> {
  const scrubbed = Object.entries(rows).map(([kind, ofKind]) => [
    kind,
    (ofKind as readonly Row[]).map((row) => scrubRow(row, scrubber)),
  ]);
  return Object.fromEntries(scrubbed) as Partial<TelemetryRows>;
}

type Row = Readonly<Record<string, unknown>>;

function scrubRow(row: Row, scrubber: Scrubber): Row {
  let copy: Record<string, unknown> | null = null;
  for (const column in row) {
    const before = row[column];
    if (typeof before === 'number' || before === null || DONE.has(column)) continue;
    const after = scrubber.scrubKnown(before);
    if (after === before) continue;
    copy ??= { ...row };
    copy[column] = after;
  }
  return copy ?? row;
}
