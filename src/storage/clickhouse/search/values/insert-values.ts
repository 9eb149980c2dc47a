import type { DigestedEvent } from '#protocol/event.ts';
import type { ClickhouseDatabase } from '../../client.ts';
import { RowBinaryWriter } from '../../row-binary.ts';
import type { SearchColumns } from '../search-columns.ts';
import { dayOf, monthOf } from './day-masks.ts';
import { indexedValue } from './indexed-fields.ts';
import type { KnownValues, ValueKey } from './known-values.ts';
import { eachValue } from './values-of-event.ts';

export const VALUE_COLUMNS = [
  'organization_id',
  'project_id',
  'field',
  'value',
  'grouping_hash',
  'month',
  'days',
] as const;

const ROW_BYTES = 80;

/**
 * Notes which values the events have. After the events themselves, and before what says that they are stored: what was
 * cut off in between is noted when the batch comes again.
 */
export async function insertValues(
  database: ClickhouseDatabase,
  known: KnownValues,
  events: readonly (readonly [DigestedEvent, SearchColumns])[],
  token: string,
): Promise<void> {
  known.refresh(Date.now());
  const rows = new RowBinaryWriter(events.length * ROW_BYTES);
  const added = new Map<string, ValueKey>();
  for (const [event, columns] of events) {
    const day = dayOf(event.occurredAt);
    const { month, bit } = monthOf(day);
    known.begin(event.projectId, event.groupingHash, day);
    eachValue(event, columns, (prefix, name, value) => {
      if (known.isKnown(prefix, name, value)) return;
      const field = prefix + name;
      const indexed = indexedValue(field, value);
      if (indexed !== value && known.isKnown(prefix, name, indexed)) return;
      const key = known.lastKey;
      const text = `${key.low} ${key.high}`;
      if (added.has(text)) return;
      added.set(text, key);
      rows.int64(event.organizationId);
      rows.int64(event.projectId);
      rows.string(field);
      rows.string(indexed);
      rows.hex128(event.groupingHash);
      rows.uint16(month);
      rows.uint32(bit);
    });
  }
  if (added.size === 0) return;
  await database.insertBinary('event_values', VALUE_COLUMNS, rows.bytes(), `${token}:values`);
  for (const key of added.values()) known.add(key);
}
