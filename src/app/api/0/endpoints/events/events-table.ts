import { z } from 'zod';
import {
  type EventsDataset,
  listErrors,
  readDataset,
  TABLE_QUESTION,
} from '#app/api/0/endpoints/events/list-errors.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { selectProject } from '#app/api/0/path-scope.ts';
import { CURSOR, PAGE, type Parameter, type QueryValues, refuseParameters } from '#app/api/0/query.ts';
import { isoOfUs } from '#app/api/0/shapes/moments.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import type { Context } from '#product/context.ts';
import { PAGE_ROWS_MAX } from '#product/cursor.ts';
import { listTelemetry, type TelemetryListInput } from '#product/telemetry/telemetry.ts';
import type { DigestedLog } from '#protocol/telemetry.ts';
import type { TelemetryFilter } from '#storage/ports/telemetry.ts';

/** What `sentry-cli logs list` asks for at most. */
const ROWS_MAX = 1_000;
const ROWS_DEFAULT = 50;
const QUERY_CHARACTERS_MAX = 1_000;

/** Keys of the search, by what they keep. */
const FILTERS: Readonly<Record<string, TelemetryFilter>> = {
  level: 'level',
  severity: 'level',
  trace: 'traceId',
  release: 'release',
  environment: 'environment',
};

/** Logs are listed in another way than errors: they have no pages, and no ranges but periods. */
const OF_ERRORS = ['cursor', 'environment', 'start', 'end'];

const TABLE_QUERY = {
  dataset: {
    schema: z.string().describe('Dataset: errors or logs'),
    read(searchParams, name) {
      const dataset = readDataset(searchParams.get(name));
      if (dataset === 'logs') refuseParameters(searchParams, OF_ERRORS);
      return dataset;
    },
  } satisfies Parameter<EventsDataset>,
  limit: {
    schema: PAGE.limit.schema,
    read: (searchParams) =>
      readDataset(searchParams.get('dataset')) === 'logs'
        ? readLogRows(searchParams)
        : PAGE.limit.read(searchParams),
  } satisfies Parameter<number>,
  ...CURSOR,
  ...TABLE_QUESTION,
};

export const eventsTableOperations: readonly Operation[] = [
  /**
   * A table of the requested fields: of errors, or of logs.
   * Source: https://docs.sentry.io/api/explore/query-explore-events-in-table-format/
   */
  get('organizations/[org]/events', {
    summary: 'Lists or counts errors, or lists logs, as rows of the requested fields',
    scopes: ['event:read'],
    query: TABLE_QUERY,
    answer: z.object({
      data: z.array(z.record(z.string(), z.unknown())),
      meta: z.looseObject({ fields: z.record(z.string(), z.string()) }),
    }),
    isPaged: true,
    async handle({ ctx, query, page }) {
      if (query.dataset === 'logs') return answerLogs(ctx, query);
      let fields = {};
      const reply = await page(async (cursor) => {
        const { rows, nextCursor, ...table } = await listErrors(ctx, query, cursor);
        fields = table.fields;
        return { rows, nextCursor };
      });
      return reply.wrap((data) => ({ data, meta: { fields, units: {}, dataset: 'errors' } }));
    },
  }),
];

/** Logs of one project, newest first: what `sentry-cli logs list` reads. */
async function answerLogs(ctx: Context, query: QueryValues<typeof TABLE_QUERY>) {
  if ((query.sort || '-timestamp') !== '-timestamp') {
    throw invalid('sort must be -timestamp (newest first)', 'sort');
  }
  const { project: named, filter } = readQuery(query.search ?? '');
  const projectSlug = query.projectSlugs[0] ?? (named && (await selectProject(ctx, named)).slug);
  if (!projectSlug) {
    throw invalid('Specify the project: add project=<id>, or "project:<slug>" to the query', 'project');
  }
  const rows = await listLogs(ctx, query.limit, { projectSlug, range: query.range, filter });
  const data = rows.map((row) => pick({ ...describeLog(row), project: projectSlug }, query.field));
  return { data, meta: { fields: {} } };
}

async function listLogs(
  ctx: Context,
  rowsMax: number,
  input: Omit<TelemetryListInput, 'cursor' | 'limit'>,
): Promise<DigestedLog[]> {
  const rows: DigestedLog[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(PAGE_ROWS_MAX, rowsMax - rows.length);
    const page: Awaited<ReturnType<typeof listTelemetry<'logs'>>> = await listTelemetry(ctx, 'logs', {
      ...input,
      limit,
      cursor,
    });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < rowsMax);
  return rows;
}

/** Terms such as `level:error`, each of which must hold. */
function readQuery(text: string): {
  project: string | null;
  filter: Partial<Record<TelemetryFilter, string>>;
} {
  if (text.length > QUERY_CHARACTERS_MAX) throw invalid('The query is too long', 'query');
  let project: string | null = null;
  const filter: Partial<Record<TelemetryFilter, string>> = {};
  for (const term of text.split(/\s+/).filter((each) => each !== '')) {
    const colon = term.indexOf(':');
    const key = term.slice(0, Math.max(0, colon));
    const value = term.slice(colon + 1).replaceAll('"', '');
    const name = ownValue(FILTERS, key);
    if (key === 'project' && value !== '') project = value;
    else if (name && value !== '') filter[name] = value;
    else {
      throw invalid(
        `"${term.slice(0, 80)}" is not supported here: search logs by ${Object.keys(FILTERS).join(', ')} or project, for example level:error`,
        'query',
      );
    }
  }
  return { project, filter };
}

function readLogRows(searchParams: URLSearchParams): number {
  const text = searchParams.get('per_page') ?? '';
  if (text === '') return ROWS_DEFAULT;
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > ROWS_MAX) {
    throw invalid(`per_page must be a whole number from 1 to ${ROWS_MAX}`, 'per_page');
  }
  return Number(text);
}

const describeLog = (row: DigestedLog): Readonly<Record<string, string | number | null>> => ({
  'sentry.item_id': row.rowId,
  'project.id': row.projectId,
  trace: row.traceId,
  severity: row.level,
  severity_number: row.severityNumber,
  timestamp: isoOfUs(row.occurredAtUs),
  message: row.body,
});

/** All fields when none is requested; null for unknown ones. */
const pick = (row: Readonly<Record<string, string | number | null>>, fields: readonly string[]) =>
  fields.length === 0
    ? row
    : Object.fromEntries(fields.map((field) => [field, ownValue(row, field) ?? null]));
