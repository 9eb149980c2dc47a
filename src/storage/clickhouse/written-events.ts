import type { DigestedEvent } from '#protocol/event.ts';
import {
  PLACES_OF_EVENT,
  type SearchColumns,
  type WrittenEvent,
  type WrittenEvents,
} from '#storage/ports/events.ts';
import { GROUPING_HASH_OFFSET, NO_BODY, writeEventRow } from './event-row.ts';
import { RowBinaryWriter, varintBytes } from './row-binary.ts';
import { readSearchColumns } from './search/search-columns.ts';

/** What an event is expected to need; it grows by itself. */
const EVENT_BYTES = 8_192;

/** Writes the rows of events, with their bodies, for another thread to insert. Never throws on what was digested. */
export function writeEvents(events: readonly DigestedEvent[]): WrittenEvents {
  const rows = new RowBinaryWriter(events.length * EVENT_BYTES);
  const places = new Uint32Array(events.length * PLACES_OF_EVENT);
  const columns: SearchColumns[] = [];
  for (const [index, event] of events.entries()) {
    const searched = readSearchColumns(event);
    const { from, to } = writeEventRow(rows, event, searched);
    places.set([from, to, rows.length], index * PLACES_OF_EVENT);
    columns.push(searched);
  }
  return { bytes: new Uint8Array(rows.bytes()), places, columns };
}

/** Adds a row that was written before the grouping hash and the fate of the body were decided. */
export function addWrittenRow(
  rows: RowBinaryWriter,
  event: Pick<DigestedEvent, 'groupingHash' | 'hasBody'>,
  { row, payload: { from, to } }: WrittenEvent,
): void {
  const hashEnd = GROUPING_HASH_OFFSET + event.groupingHash.length;
  rows.raw(row.subarray(0, GROUPING_HASH_OFFSET));
  rows.fixedString(event.groupingHash, 32);
  if (event.hasBody) {
    rows.raw(row.subarray(hashEnd));
    return;
  }
  rows.raw(row.subarray(hashEnd, from - varintBytes(to - from)));
  rows.string(NO_BODY);
  rows.raw(row.subarray(to));
}
