import type { Aggregate } from '#storage/ports/explore-rows.ts';
import type { Params } from '../search/params.ts';
import { NOT_FAILED } from '../span-failures.ts';
import type { ExploreSource } from './explore-source.ts';

const FAILURES = `countIf(status NOT IN ${NOT_FAILED})`;

type Quantile = Extract<Aggregate, { kind: 'quantile' }>;

/** Aggregates as expressions, each a number, or null for none. Quantiles of one field are read of one sample. */
export function aggregatesSql(
  aggregates: readonly Aggregate[],
  source: ExploreSource,
  params: Params,
): readonly string[] {
  const quantiles = aggregates.filter((each): each is Quantile => each.kind === 'quantile');
  const samples = new Map(
    [...Map.groupBy(quantiles, fieldOf)].map(([field, of]) => [
      field,
      { levels: of.map(({ level }) => level), value: source.number(of[0]!.field, params) },
    ]),
  );
  return aggregates.map((aggregate) => {
    if (aggregate.kind !== 'quantile') return aggregateSql(aggregate, source, params);
    const { levels, value } = samples.get(fieldOf(aggregate))!;
    // Exact for up to 8,192 values, and of a sample of so many above.
    const all = `quantiles(${levels.map(unit).join(', ')})(${value})`;
    return `if(count(${value}) = 0, NULL, ${all}[${levels.indexOf(aggregate.level) + 1}])`;
  });
}

const MEASURES: ReadonlySet<string> = new Set(['avg', 'sum', 'quantile']);

/** The table: with each row once, where a copy would change a number. */
export const fromOf = (source: ExploreSource, aggregates: readonly Aggregate[]): string =>
  aggregates.some(({ kind }) => MEASURES.has(kind)) ? source.fromOnce : source.from;

const fieldOf = ({ field }: Quantile): string => JSON.stringify(field);

function aggregateSql(
  aggregate: Exclude<Aggregate, Quantile>,
  source: ExploreSource,
  params: Params,
): string {
  switch (aggregate.kind) {
    case 'count':
      return source.count;
    case 'rate':
      return `${source.count} / ${params.add('Float64', aggregate.seconds)}`;
    case 'failure_count':
      return FAILURES;
    case 'failure_rate':
      return `${FAILURES} / count()`;
    case 'first_seen':
      return momentSql(`min(${source.time})`);
    case 'last_seen':
      return momentSql(`max(${source.time})`);
    case 'count_unique':
      return source.unique(aggregate.field, params);
    case 'apdex': {
      const threshold = params.add('Float64', aggregate.thresholdMs);
      const ms = 'duration_us / 1000';
      return `(countIf(${ms} <= ${threshold}) + countIf(${ms} > ${threshold} AND ${ms} <= 4 * ${threshold}) / 2) / count()`;
    }
    default:
      return `${aggregate.kind}OrNull(${source.number(aggregate.field, params)})`;
  }
}

/** Milliseconds since the epoch; of no rows the time would be the epoch itself, and is none. */
const momentSql = (time: string): string =>
  `nullIf(toUnixTimestamp64Milli(toDateTime64(${time}, 3, 'UTC')), 0)`;

/** A level is part of the function's name, which takes no parameter. */
function unit(level: number): string {
  if (level >= 0 && level <= 1) return String(level);
  throw new Error(`A quantile has a level between 0 and 1, not ${level}`);
}
