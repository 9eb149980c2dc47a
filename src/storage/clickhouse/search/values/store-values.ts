import { DAY_MS } from '#lib/time.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { SearchColumns } from '#storage/ports/events.ts';
import type { ClickhouseDatabase } from '../../client.ts';
import { unhex } from '../../query-params.ts';
import { RowBinaryWriter } from '../../row-binary.ts';
import { LISTS } from '../search-columns.ts';
import {
  ANY_EVENT,
  ATTRIBUTE_PREFIX,
  FORGOTTEN,
  indexedValue,
  REMOVED,
  TAG_PREFIX,
} from './indexed-fields.ts';
import type { KnownValues, ValueKey } from './known-values.ts';
import { dayOf, monthOf } from './value-masks.ts';

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

/**
 * Tells `visit` of each value that an event is indexed by; the field is `prefix` and `name` together. What an event does
 * not have is left out.
 */
export function eachValue(
  event: DigestedEvent,
  columns: SearchColumns,
  visit: (prefix: string, name: string, value: string) => void,
): void {
  const add = (name: string, value: string | null) => {
    if (value) visit('', name, value);
  };
  visit('', ANY_EVENT, '');
  add('type', event.type);
  add('level', event.level);
  add('platform', event.platform);
  add('logger', event.logger);
  add('title', event.title);
  add('culprit', event.culprit);
  add('release', event.release);
  add('dist', event.dist);
  add('environment', event.environment);
  add('transaction', event.transaction);
  add('sdk.name', event.sdk.name);
  add('sdk.version', event.sdk.version);
  add('error.handled', columns.isUnhandled ? 'false' : 'true');
  add('stack.in_app', columns.isInApp ? 'true' : 'false');
  for (const name of LISTS) for (const value of columns.lists[name]) add(name, value);
  for (const [key, value] of event.tags) if (value) visit(TAG_PREFIX, key, value);
  for (const [name, value] of columns.attributes) if (value) visit(ATTRIBUTE_PREFIX, name, value);
}

/** How old events may be when they arrive. Source: https://develop.sentry.dev/sdk/data-model/event-payloads/ */
const EVENT_AGE_DAYS_MAX = 31;

/** Drops the months of the index that no stored event is of, and none that will come. */
export async function dropOldMonths(database: ClickhouseDatabase, nowMs: number): Promise<void> {
  const rows = await database.query<{ partition_id: string }>(
    `SELECT DISTINCT partition_id FROM ${database.system('parts')}
     WHERE database = {database:String} AND table = 'event_values' AND active
       AND toDate32(parseDateTimeBestEffort(partition_id)) + INTERVAL 1 MONTH < fromUnixTimestamp64Milli({beforeMs:Int64}, 'UTC')
       AND toDate(parseDateTimeBestEffort(partition_id)) + INTERVAL 1 MONTH <= (
         SELECT if(count() = 0, toDateTime64('2149-01-01 00:00:00', 3, 'UTC'), min(occurred_at)) FROM event_index)`,
    { database: database.storedIn, beforeMs: nowMs - EVENT_AGE_DAYS_MAX * DAY_MS },
  );
  for (const { partition_id } of rows) {
    if (!/^\d{8}$/.test(partition_id)) throw new Error(`"${partition_id}" is not a partition`);
    await database.command(`ALTER TABLE event_values DROP PARTITION ID '${partition_id}'`);
  }
}

/**
 * Statements that forget what the index has of hashes whose events are deleted, the first to be run before that and the
 * other after. Who writes the index remembers for a while what it wrote, and will not write it again for events that
 * come: on the days that these may be of, the index says of itself that it does not know. `hashes` is a list of SQL.
 */
export function forgetHashes(
  { organizationId, projectId, hashes }: { organizationId: number; projectId: number; hashes: string },
  sinceMs: number,
  nowMs: number,
): { before: string; after: string } {
  const first = dayOf(sinceMs) - EVENT_AGE_DAYS_MAX;
  const last = dayOf(nowMs) + 1;
  return {
    before: `INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)
      SELECT ${organizationId}, ${projectId}, '${FORGOTTEN}', '', ${unhex('hash')},
        toStartOfMonth(day), toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1))
      FROM (SELECT hash, toDate(arrayJoin(range(${first}, ${last + 1}))) AS day FROM (SELECT arrayJoin([${hashes}]) AS hash))`,
    after: `DELETE FROM event_values WHERE organization_id = ${organizationId} AND project_id = ${projectId}
      AND field NOT IN ('${FORGOTTEN}', '${REMOVED}')
      AND grouping_hash IN (SELECT ${unhex(`arrayJoin([${hashes}])`)})`,
  };
}
