import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type {
  Aggregate,
  AskedField,
  AskedRows,
  RowAttribute,
  RowExploreStore,
  RowGroup,
  RowPlace,
  RowSeries,
  SampledRow,
} from '#storage/ports/explore-rows.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { inScope, isEmpty } from '../query-params.ts';
import { escapeLike, Params } from '../search/params.ts';
import { SEARCH_SETTINGS, SUGGESTION_SETTINGS, searching } from '../search/search-limits.ts';
import { isScarce, StoredKinds } from '../telemetry/stored-kinds.ts';
import { aggregatesSql, fromOf } from './aggregate-sql.ts';
import { askedAttributes, findAttributeMaps, type MapsOf } from './attribute-maps.ts';
import { type ContrastRow, contrastedField, contrastSql, OF_EVERY_ROW, selectedSql } from './contrast-sql.ts';
import { type ExploreSource, openSource } from './explore-source.ts';
import { rowTable, rowText } from './row-fields.ts';

/** The rows of a day lie in one partition, however often one was inserted: partitions are merged by themselves. */
const SETTINGS = `${SEARCH_SETTINGS}, do_not_merge_across_partitions_select_final = 1`;

/**
 * Copies of a row have the same trace, so what the index of traces leaves out needs no second look in parts that might have
 * a newer copy. They may have different times.
 */
const OF_TRACES = `use_skip_indexes_if_final_exact_mode = 0, ignore_data_skipping_indices = 'started_at_minmax, occurred_at_minmax'`;

export function createRowExploreStore(
  database: ClickhouseDatabase,
  kinds = new StoredKinds(database),
): RowExploreStore {
  const ask = async <Row>(asked: AskedRows, sql: string, params: Params): Promise<Row[]> => {
    const settings = asksForTraces(asked.expression) ? `${SETTINGS}, ${OF_TRACES}` : SETTINGS;
    return await searching(database.query<Row>(`${sql} ${settings}`, params.values));
  };

  /** For a question that reads every row of its range: without the maps that have none of its attributes. */
  const openAggregated = async (
    scope: EventScope,
    asked: AskedRows,
    groupBy: readonly AskedField[],
    aggregates: readonly Aggregate[],
  ) => {
    const { table, time } = openSource(asked);
    const params = new Params('maps');
    const where = inRange(scope, asked, time, params);
    const names = askedAttributes(asked, groupBy, aggregates);
    return open(scope, asked, await findAttributeMaps(database, table, where, names, params));
  };

  const readRows = async (
    scope: EventScope,
    asked: AskedRows,
    { fields, order, limit, after, offset }: SamplePage,
  ): Promise<SampledRow[]> => {
    const { source, params, where } = open(scope, asked);
    const direction = order.isDescending ? 'DESC' : 'ASC';
    const texts = fields.map((field) => `toString(${source.text(field, params)})`);
    const isByTime = order.by === 'time';
    const sorted = order.by === 'time' ? source.time : sortedBy(source, order.by, params);
    return await ask<SampledRow>(
      asked,
      `SELECT toString(${source.id}) AS id, project_id AS projectId, nullIf(toString(${source.trace}), '') AS traceId,
         nullIf(toString(${source.span}), '') AS spanId,
         toUnixTimestamp64Micro(toDateTime64(${source.time}, 6, 'UTC')) AS occurredAtUs,
         [${texts.join(', ')}]::Array(String) AS values
       FROM ${source.from}
       WHERE ${where} ${isByTime && after ? `AND ${isAfter(source, after, order.isDescending, params)}` : ''}
       ORDER BY ${sorted} ${direction} NULLS LAST, ${source.id} ${direction}
       ${asked.dataset === 'errors' && !isByTime ? 'LIMIT 1 BY project_id, event_id' : ''}
       LIMIT ${params.add('UInt32', limit)} OFFSET ${params.add('UInt32', isByTime ? 0 : offset)}`,
      params,
    );
  };

  /** Errors that lie in the table twice are dropped here, where they are sorted by time: in the query that costs a sort of all. */
  const readSample = async (scope: EventScope, asked: AskedRows, page: SamplePage) => {
    const { limit } = page;
    const found = new Map<string, SampledRow>();
    for (let { after } = page; ; ) {
      // One more than the page has: it tells whether there are more.
      const rows = await readRows(scope, asked, { ...page, after, limit: limit + 1 });
      for (const row of rows) found.set(`${row.projectId} ${row.traceId} ${row.id}`, row);
      const last = rows.at(-1);
      if (!last || rows.length <= limit || found.size > limit || page.order.by !== 'time') break;
      after = { atUs: last.occurredAtUs, id: last.id };
    }
    return { rows: [...found.values()].slice(0, limit), hasMore: found.size > limit };
  };

  return {
    async aggregate(scope, asked, { groupBy, aggregates, order, limit, offset }) {
      if (isEmpty(scope)) return { groups: [], distinct: 0 };
      const { source, params, where } = await openAggregated(scope, asked, groupBy, aggregates);
      const keys = groupBy.map((field, index) => `${source.group(field, params)} AS key${index}`);
      const values = aggregatesSql(aggregates, source, params).map((sql, index) => `${sql} AS value${index}`);
      const sorted = 'key' in order.by ? `key${order.by.key}` : `value${order.by.aggregate}`;
      const names = groupBy.map((_, index) => `key${index}`);
      const rows = await ask<RowGroup & { distinct: number }>(
        asked,
        `SELECT [${names.join(', ')}]::Array(String) AS keys,
           [${aggregates.map((_, index) => `toFloat64(value${index})`).join(', ')}]::Array(Nullable(Float64)) AS values,
           count() OVER () AS distinct
         FROM (SELECT ${[...keys, ...values].join(', ')} FROM ${fromOf(source, aggregates)} WHERE ${where}
           ${names.length > 0 ? `GROUP BY ${names.join(', ')}` : ''})
         ORDER BY ${sorted} ${order.isDescending ? 'DESC' : 'ASC'} NULLS LAST${names.map((name) => `, ${name}`).join('')}
         LIMIT ${params.add('UInt32', limit)} OFFSET ${params.add('UInt32', offset)}`,
        params,
      );
      return {
        groups: rows.map(({ keys, values }) => ({ keys, values })),
        distinct: rows[0]?.distinct ?? 0,
      };
    },

    async series(scope, asked, { groupBy, groups, aggregates, fromMs, bucketMs }) {
      if (isEmpty(scope) || groups.length === 0) return [];
      const { source, params, where } = await openAggregated(scope, asked, groupBy, aggregates);
      const length = Math.ceil((asked.range.toMs - fromMs) / bucketMs);
      // Each key by itself: an array of them would be made, and compared, for every row.
      const names = groupBy.map((_, index) => `key${index}`);
      const keys = groupBy.map((field, index) => `${source.group(field, params)} AS key${index}`);
      const values = aggregatesSql(aggregates, source, params).map((sql) => `toFloat64(${sql})`);
      const wanted = names.map((name, index) => {
        const texts = [...new Set(groups.map((group) => group[index] ?? ''))];
        return `${name} IN ${params.addList('String', texts)}`;
      });
      const rows = await ask<{ bucket: number; keys: string[]; values: (number | null)[] }>(
        asked,
        `SELECT bucket, [${names.join(', ')}]::Array(String) AS keys, values
         FROM (SELECT ${[
           `intDiv(${source.timeMs} - ${params.add('Int64', fromMs)}, ${params.add('Int64', bucketMs)}) AS bucket`,
           ...keys,
           `[${values.join(', ')}]::Array(Nullable(Float64)) AS values`,
         ].join(', ')}
           FROM ${fromOf(source, aggregates)} WHERE ${where} GROUP BY ${['bucket', ...names].join(', ')}
           ${wanted.length > 0 ? `HAVING ${wanted.join(' AND ')}` : ''})`,
        params,
      );
      const isSum = aggregates.map(({ kind }) => COUNTS.has(kind));
      const seriesOf = new Map<string, RowSeries & { values: (number | null)[][] }>(
        groups.map((group) => [
          JSON.stringify(group),
          { keys: group, values: isSum.map((isZero) => Array(length).fill(isZero ? 0 : null)) },
        ]),
      );
      for (const row of rows) {
        const series = seriesOf.get(JSON.stringify(row.keys));
        for (const [index, value] of row.values.entries()) {
          const buckets = series?.values[index];
          if (buckets && row.bucket < length) buckets[row.bucket] = value;
        }
      }
      return [...seriesOf.values()];
    },

    async sample(scope, asked, page) {
      if (isEmpty(scope)) return { rows: [], hasMore: false };
      if (
        isScarce(asked.dataset) &&
        asksForTraces(asked.expression) &&
        !(await kinds.has(asked.dataset, scope))
      )
        return { rows: [], hasMore: false };
      if (page.order.by === 'time' && page.order.isDescending) {
        const { range } = asked;
        const newestMs = Math.min(
          range.toMs,
          page.after ? Math.ceil(page.after.atUs / 1_000) + 1 : range.toMs,
        );
        for (const fromMs of LOOK_BACK_MS.map((backMs) => newestMs - backMs)) {
          if (fromMs <= range.fromMs) break;
          const near = await readSample(scope, { ...asked, range: { ...range, fromMs } }, page);
          if (near.hasMore) return near;
        }
      }
      return await readSample(scope, asked, page);
    },

    async countSelected(scope, asked, selected) {
      if (isEmpty(scope)) return { rows: 0, selected: 0 };
      const { source, params, where } = open(scope, asked);
      const groups = await ask<{ isSelected: 0 | 1; rows: number }>(
        asked,
        `SELECT toUInt8(${selectedSql(asked, source, selected, params)}) AS isSelected, ${source.count} AS rows
         FROM ${source.from} WHERE ${where} GROUP BY isSelected`,
        params,
      );
      const of = (isSelected: 0 | 1) => groups.find((each) => each.isSelected === isSelected)?.rows ?? 0;
      return { rows: of(0) + of(1), selected: of(1) };
    },

    async contrast(scope, asked, by) {
      if (isEmpty(scope)) return { rows: 0, selected: 0, values: [] };
      const { source, params, where } = open(scope, asked);
      const rows = await ask<ContrastRow>(asked, contrastSql(asked, source, where, by, params), params);
      return {
        rows: rows[0]?.allRows ?? 0,
        selected: rows[0]?.allSelected ?? 0,
        values: rows.flatMap(({ place, name, value, rows, selected }) =>
          place === OF_EVERY_ROW
            ? []
            : [{ field: contrastedField(asked.dataset, by.fields, place, name), value, rows, selected }],
        ),
      };
    },

    async listAttributes(scope, dataset, range, max) {
      if (isEmpty(scope)) return [];
      const { params, where } = open(scope, { dataset, range, expression: { kind: 'and', parts: [] } });
      const names = (column: string, type: RowAttribute['type']) =>
        `arrayMap(name -> (name, '${type}'), mapKeys(${column}))`;
      const rows = await database.query<RowAttribute>(
        `SELECT name, type FROM (
           SELECT arrayJoin(arrayConcat(${names('attributes_text', 'text')}, ${names('attributes_number', 'number')},
             ${names('attributes_flag', 'flag')})) AS each, each.1 AS name, each.2 AS type
           FROM ${dataset} WHERE ${where}
           ORDER BY ${rowTable(dataset).time} DESC LIMIT ${NEWEST_ROWS})
         GROUP BY name, type ORDER BY count() DESC, name LIMIT ${params.add('UInt32', max)} ${SUGGESTION_SETTINGS}`,
        params.values,
      );
      return rows.toSorted((one, other) => one.name.localeCompare(other.name));
    },

    async listValues(scope, dataset, range, field, part, max) {
      if (isEmpty(scope)) return [];
      const { params, where } = open(scope, { dataset, range, expression: { kind: 'and', parts: [] } });
      const value = `toString(${rowText(dataset, field, params)})`;
      return await database.query<{ value: string; count: number }>(
        `SELECT value, count() AS count FROM (
           SELECT ${value} AS value FROM ${dataset} WHERE ${where}
           ORDER BY ${rowTable(dataset).time} DESC LIMIT ${NEWEST_ROWS})
         WHERE value != '' AND value ILIKE ${params.add('String', `%${escapeLike(part)}%`)}
         GROUP BY value ORDER BY count DESC, value LIMIT ${params.add('UInt32', max)} ${SUGGESTION_SETTINGS}`,
        params.values,
      );
    },
  };
}

type SamplePage = Parameters<RowExploreStore['sample']>[2];

/** Whether every row that is asked for is of a trace that is named. */
function asksForTraces(expression: AskedRows['expression']): boolean {
  if (expression.kind === 'and') return expression.parts.some(asksForTraces);
  return (
    expression.kind === 'text' &&
    expression.field.kind === 'row' &&
    expression.field.name === 'trace' &&
    !expression.isNegated &&
    expression.matches.every(({ kind }) => kind === 'exact')
  );
}

/** How far back a list of what is new looks first; a page that is not full looks further. */
const LOOK_BACK_MS = [HOUR_MS, DAY_MS] as const;

/** Rows that names and values are suggested of. */
const NEWEST_ROWS = 20_000;

/** Aggregates that are nothing, and not unknown, where there are no rows. */
const COUNTS: ReadonlySet<string> = new Set(['count', 'rate', 'count_unique', 'failure_count']);

function open(
  scope: EventScope,
  asked: AskedRows,
  mapsOf?: MapsOf,
): { source: ExploreSource; params: Params; where: string } {
  const source = openSource(asked, mapsOf);
  const params = new Params('asked');
  const where = [inRange(scope, asked, source.time, params), source.matches(params)].join(' AND ');
  return { source, params, where };
}

function inRange(scope: EventScope, { range }: AskedRows, time: string, params: Params): string {
  const moment = (ms: number) => `fromUnixTimestamp64Milli(${params.add('Int64', Math.trunc(ms))}, 'UTC')`;
  return `${params.join(inScope(scope))} AND ${time} >= ${moment(range.fromMs)} AND ${time} < ${moment(range.toMs)}`;
}

/** Numbers by their size, texts by their letters. */
function sortedBy(source: ExploreSource, field: AskedField, params: Params): string {
  const isNumber = field.kind === 'row' && (field.name === 'duration' || field.name === 'value');
  return isNumber ? source.number(field, params) : source.text(field, params);
}

function isAfter(source: ExploreSource, place: RowPlace, isDescending: boolean, params: Params): string {
  const sign = isDescending ? '<' : '>';
  const moment = `fromUnixTimestamp64Micro(${params.add('Int64', place.atUs)}, 'UTC')`;
  return `${source.time} ${sign}= ${moment}
    AND (toDateTime64(${source.time}, 6, 'UTC'), toString(${source.id})) ${sign} (${moment}, ${params.add('String', place.id)})`;
}
