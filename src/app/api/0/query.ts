import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { PAGE_ROWS_MAX } from '#product/cursor.ts';
import type { Range } from '#product/time-buckets.ts';
import { selectProject } from './path-scope.ts';
import { readEnvironments, readLimit, readPeriodMs, readRange } from './query-values.ts';

/** One value of a query. */
export type Parameter<Value> = {
  /** For the OpenAPI document: of the parameter that it is declared as, or of several by their names. */
  schema: z.ZodType | Readonly<Record<string, z.ZodType>>;
  read: (searchParams: URLSearchParams, name: string, ctx: Context) => Value | Promise<Value>;
};

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type QueryValues<Query> = {
  readonly [Name in keyof Query]: Query[Name] extends Parameter<infer Value> ? Value : never;
};

/** The first value; null when there is none. */
export const text = (description: string): Parameter<string | null> => ({
  schema: z.string().describe(description),
  read: (searchParams, name) => searchParams.get(name),
});

/** All values, which are given as often as needed. */
export const texts = (description: string): Parameter<readonly string[]> => ({
  schema: z.array(z.string()).describe(description),
  read: (searchParams, name) => searchParams.getAll(name),
});

/** A length of time such as `5m` or `1h`, in milliseconds; null when there is none. */
export const period = (description: string): Parameter<number | null> => ({
  schema: z.string().describe(description),
  read: readPeriodMs,
});

/** Is read when the handler asks for it, and refused then: for operations that say what is wrong with a query. */
export const deferred = <Value>({
  schema,
  read,
}: Parameter<Value>): Parameter<() => Value | Promise<Value>> => ({
  schema,
  read:
    (...request) =>
    () =>
      read(...request),
});

const word = (description: string): z.ZodType => z.string().describe(description);
const words = (description: string): z.ZodType => z.array(z.string()).describe(description);

/** Read by the page itself. */
export const CURSOR = { cursor: text('Pagination cursor from the Link header') };

const ROWS = z.int().min(1).max(PAGE_ROWS_MAX);

export const PAGE = {
  limit: {
    schema: {
      limit: ROWS.describe('Results per page; defaults to 100'),
      per_page: ROWS.describe('Same as limit'),
    },
    read: readLimit,
  } satisfies Parameter<number>,
  ...CURSOR,
};

export const RANGE = {
  range: {
    schema: {
      statsPeriod: word('Time range ending now, such as 24h or 14d'),
      start: word('Start of the time range, in ISO 8601'),
      end: word('End of the time range, in ISO 8601'),
    },
    read: (searchParams, _, ctx) => readRange(searchParams, ctx.now()),
  } satisfies Parameter<Range | null>,
};

/** Slugs of the projects; empty for all, which `-1` says too. */
export const PROJECTS = {
  projectSlugs: {
    schema: {
      project: words('Project IDs or slugs; -1 or omitted for all projects'),
      projectSlug: words('Project slugs'),
    },
    read: (searchParams, _, ctx) =>
      findProjectSlugs(ctx, [...searchParams.getAll('project'), ...searchParams.getAll('projectSlug')]),
  } satisfies Parameter<readonly string[]>,
};

export async function findProjectSlugs(
  ctx: Context,
  requested: readonly string[],
): Promise<readonly string[]> {
  const names = requested.filter((name) => name !== '');
  if (names.includes('-1')) return [];
  const projects = await Promise.all(names.map((name) => selectProject(ctx, name)));
  return projects.map((project) => project.slug);
}

export const ENVIRONMENTS = {
  environments: {
    schema: { environment: words('Environment names; all environments if omitted') },
    read: readEnvironments,
  } satisfies Parameter<readonly string[]>,
};

export const SEARCH = {
  search: {
    schema: { query: word('Search query; see docs/search.md for the syntax') },
    read: (searchParams) => searchParams.get('query'),
  } satisfies Parameter<string | null>,
};

export const WORDS = {
  search: {
    schema: { query: word('Filter by words in the name') },
    read: (searchParams) => searchParams.get('query') ?? '',
  } satisfies Parameter<string>,
};

/** Whether the content itself is requested, as `?download=1` or Sentry's bare `?download`. */
export const DOWNLOAD = {
  isDownload: {
    schema: { download: word('1 to download the content') },
    read: (searchParams) => !['0', 'false', null].includes(searchParams.get('download')),
  } satisfies Parameter<boolean>,
};

/** Reads what is declared, once. Throws Invalid, also for what is refused, and NotFound. */
export async function readQuery(
  { searchParams }: URL,
  parameters: Parameters,
  refused: readonly string[],
  ctx: Context | null,
): Promise<Readonly<Record<string, unknown>>> {
  refuseParameters(searchParams, refused);
  const values: Record<string, unknown> = {};
  for (const [name, { read }] of Object.entries(parameters)) {
    // Operations without an organization have no parameters that need one.
    values[name] = await read(searchParams, name, ctx as Context);
  }
  return values;
}

/** The schemas of all parameters, by name. */
export const describeQuery = (parameters: Parameters): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, { schema }]) =>
      schema instanceof z.ZodType ? [[name, schema] as const] : Object.entries(schema),
    ),
  );

/** A filter that is not applied would answer something else than requested. Throws Invalid. */
export function refuseParameters(searchParams: URLSearchParams, names: readonly string[]): void {
  for (const name of names) {
    if (searchParams.getAll(name).some((value) => value !== '')) {
      throw invalid(`The parameter "${name}" is not supported here: remove it`, name);
    }
  }
}
