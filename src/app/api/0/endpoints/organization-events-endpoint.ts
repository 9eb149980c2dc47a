import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiAnswer } from '#app/api/0/handle-api-request.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, PROJECTS, RANGE, SEARCH } from '#app/api/0/parameters.ts';
import { readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { isoOfUs } from '#app/api/0/serializers/serialize-moment.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import type { Context } from '#product/context.ts';
import { PAGE_ROWS_MAX } from '#product/cursor.ts';
import { listTelemetry, type TelemetryListInput } from '#product/telemetry/telemetry.ts';
import type { DigestedLog } from '#protocol/telemetry.ts';
import type { TelemetryFilter } from '#storage/ports/telemetry.ts';
import { listErrors } from './events-table/list-errors.ts';
import { readDataset } from './events-table/read-dataset.ts';
import { selectProject } from './find-project.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';

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

const LIST_ORGANIZATION_EVENTS = {
  summary: 'Lists or counts errors, or lists logs, as rows of the asked fields',
  scopes: ['event:read'],
  query: {
    ...PAGE,
    ...RANGE,
    ...PROJECTS,
    sort: z.string().describe('A field, with - in front for the largest first'),
    ...SEARCH,
    field: z.array(z.string()).describe('Names of fields to answer'),
  },
  answer: z.object({
    data: z.array(z.record(z.string(), z.unknown())),
    meta: z.looseObject({ fields: z.record(z.string(), z.string()) }),
  }),
  isPaged: true,
} satisfies Operation;

/**
 * A table of the asked fields: of errors, or of logs.
 * Source: https://docs.sentry.io/api/explore/query-explore-events-in-table-format/
 */
export const listOrganizationEventsEndpoint = declare<OrganizationParams>(
  LIST_ORGANIZATION_EVENTS,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    return readDataset(call.url) === 'logs' ? answerLogs(ctx, call.url) : answerErrors(ctx, call.url);
  },
);

async function answerErrors(ctx: Context, url: URL): Promise<ApiAnswer> {
  const projectSlugs = await readProjects(url, ctx);
  const limit = readLimit(url);
  let fields = {};
  const page = await answerPage(ctx.publicUrl, url, async (cursor) => {
    const { rows, nextCursor, ...table } = await listErrors(ctx, url, { projectSlugs, limit, cursor });
    fields = table.fields;
    return { rows, nextCursor };
  });
  return { ...page, body: { data: page.body, meta: { fields, units: {}, dataset: 'errors' } } };
}

/** Logs of one project, newest first: what `sentry-cli logs list` reads. */
async function answerLogs(ctx: Context, url: URL): Promise<ApiAnswer> {
  refuseParameters(url, ['cursor', 'environment', 'start', 'end']);
  const sort = url.searchParams.get('sort') || '-timestamp';
  if (sort !== '-timestamp') throw invalid('sort must be -timestamp, the newest first', 'sort');
  const { project: named, filter } = readQuery(url.searchParams.get('query') ?? '');
  const name = url.searchParams.get('project') ?? named;
  if (!name) throw invalid('Name the project: add project=<id> or "project:<slug>" to the query', 'project');
  const project = await selectProject(ctx, name);
  const rows = await listLogs(ctx, readRows(url), {
    projectSlug: project.slug,
    range: readRange(url, ctx.now()),
    filter,
  });
  const fields = url.searchParams.getAll('field');
  const data = rows.map((row) => pick({ ...describeLog(row), project: project.slug }, fields));
  return { body: { data, meta: { fields: {} } } };
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
        `"${term.slice(0, 80)}" is not supported here: search logs by ${Object.keys(FILTERS).join(', ')} or project, such as level:error`,
        'query',
      );
    }
  }
  return { project, filter };
}

function readRows(url: URL): number {
  const text = url.searchParams.get('per_page') ?? '';
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

/** All that is known when no field is asked for; null for what nobody knows. */
const pick = (row: Readonly<Record<string, string | number | null>>, fields: readonly string[]) =>
  fields.length === 0
    ? row
    : Object.fromEntries(fields.map((field) => [field, ownValue(row, field) ?? null]));
