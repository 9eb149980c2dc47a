import { unhex } from '../../query-params.ts';
import { LIST_COLUMNS, LISTS } from '../search-columns.ts';
import { DISTINCTIVE_PATTERN, REMOVED } from './indexed-fields.ts';

/**
 * Statements that note the values of stored events anew, for `where` of `events`: of such that were moved to another
 * hash, or whose notes were taken away. The migration that made the index says the same of all events.
 */
export const indexStoredValues = (where: string): readonly string[] =>
  SOURCES.map(
    ({ list, areAlike, field, value }) =>
      `${INSERT} SELECT organization_id, project_id, ${field} AS field, ${value} AS value, ${HASH}, ${DAY}
       FROM (
         SELECT organization_id, project_id, grouping_hash, day, arrayJoin(list) AS item FROM (
           SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day, ${list} AS list
           FROM events WHERE ${where}${areAlike ? ' GROUP BY ALL' : ''}
         )
       )
       WHERE value != '' OR field = '' GROUP BY ALL ${BOUNDED}`,
  );

/** Statements that note of events of `where` that they go: to be run before they do. */
export const noteRemoved = (where: string, nowMs: number): string =>
  `${INSERT} SELECT organization_id, project_id, '${REMOVED}' AS field, '${hourOf(nowMs)}' AS value, ${HASH}, ${DAY}
   FROM (SELECT organization_id, project_id, grouping_hash, toDate(occurred_at) AS day
     FROM events WHERE ${where} GROUP BY ALL) ${BOUNDED}`;

/** When something was removed, so that it can be told what is long ago; sorts as time does. */
export const hourOf = (ms: number): string => new Date(ms).toISOString().slice(0, 13);

const INSERT =
  'INSERT INTO event_values (organization_id, project_id, field, value, grouping_hash, month, days)';
const HASH = `${unhex('grouping_hash')} AS hash`;
const DAY =
  'toStartOfMonth(day) AS month, toUInt32(bitShiftLeft(toUInt32(1), toDayOfMonth(day) - 1)) AS days';
const BOUNDED = 'SETTINGS max_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 200000';

/** A value, or what stands for it where it may be distinctive. */
const shared = (value: string): string => `if(match(${value}, '${DISTINCTIVE_PATTERN}'), char(1), ${value})`;

/**
 * `list` is what an event has, `field` and `value` are of one `item` of it. `areAlike`: events of a hash mostly have the
 * same list, so these are told apart before they are taken apart.
 */
type Source = { list: string; areAlike: boolean; field: string; value: string };

const ofColumns = (columns: readonly (readonly [field: string, value: string])[]): Source => ({
  list: `[${columns.map(([field, value]) => `('${field}', ${value})`).join(', ')}]`,
  areAlike: true,
  field: 'item.1',
  value: 'item.2',
});

const ofList = (field: string, column: string): Source => ({
  list: column,
  areAlike: true,
  field: `'${field}'`,
  value: field === 'error.value' ? shared('item') : 'item',
});

const ofMap = (prefix: string, column: string): Source => ({
  list: `CAST(${column} AS Array(Tuple(String, String)))`,
  areAlike: false,
  field: `concat('${prefix}:', item.1)`,
  value: shared('item.2'),
});

const SOURCES: readonly Source[] = [
  ofColumns([
    ['', "''"],
    ['type', 'toString(type)'],
    ['level', 'toString(level)'],
    ['platform', 'toString(platform)'],
    ['logger', 'toString(logger)'],
    ['title', shared('title')],
    ['culprit', shared('culprit')],
    ['release', 'toString(release)'],
    ['dist', 'toString(dist)'],
    ['environment', 'toString(environment)'],
    ['transaction', shared('toString(transaction)')],
    ['sdk.name', 'toString(sdk_name)'],
    ['sdk.version', 'toString(sdk_version)'],
    ['error.handled', "if(is_unhandled, 'false', 'true')"],
    ['stack.in_app', "if(is_in_app, 'true', 'false')"],
  ]),
  ...LISTS.map((field) => ofList(field, LIST_COLUMNS[field])),
  ofMap('tag', 'tags'),
  ofMap('attribute', 'attributes'),
];
