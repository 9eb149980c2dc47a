import { z } from 'zod';
import { readItemType } from '#app/api/0/endpoints/events/attributes.ts';
import { rangeUpToNow } from '#app/api/0/endpoints/events/events-question.ts';
import { listSampledRows } from '#app/api/0/endpoints/events/list-rows.ts';
import { LOG_LIMIT } from '#app/api/0/endpoints/events/log-limit.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { CURSOR, type Parameter, PROJECTS, RANGE, SEARCH, text } from '#app/api/0/query.ts';
import { isoOfUs } from '#app/api/0/shapes/moments.ts';
import { invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getTelemetry } from '#product/telemetry/telemetry.ts';
import { getTraceSpan } from '#product/traces/trace-outline.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedLog, DigestedMetric, DigestedSpan } from '#protocol/telemetry.ts';

type Value = string | number | boolean;

const ITEM = z.object({
  itemId: z.string(),
  timestamp: z.string(),
  attributes: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['str', 'int', 'float', 'bool']),
      value: z.union([z.string(), z.number(), z.boolean()]),
    }),
  ),
  meta: z.record(z.string(), z.unknown()),
  links: z.array(z.unknown()).nullable(),
});

const LOG_FIELDS = [
  'id',
  'project.id',
  'trace',
  'severity_number',
  'severity',
  'timestamp',
  'timestamp_precise',
  'message',
];

export const traceItemOperations: readonly Operation[] = [
  /** One span, log or metric value with everything that was sent of it. Source: `trace-items` of Sentry, as its clients read it. */
  get('projects/[org]/[project]/trace-items/[item]', {
    summary: 'Retrieves a span, log or metric value with all attributes',
    scopes: ['event:read'],
    query: {
      itemType: {
        schema: { item_type: z.string().describe('spans, logs or tracemetrics') },
        read: (searchParams) => readItemType(searchParams.get('item_type') ?? searchParams.get('itemType')),
      } satisfies Parameter<ReturnType<typeof readItemType>>,
      traceId: {
        schema: { trace_id: z.string().describe('The trace; needed for spans') },
        read: (searchParams) => searchParams.get('trace_id') ?? searchParams.get('traceId'),
      } satisfies Parameter<string | null>,
    },
    answer: ITEM,
    async handle({ ctx, project, params, query }) {
      if (query.itemType === 'spans') return spanOf(ctx, project.id, params.item, query.traceId);
      const input = { projectSlug: project.slug, id: params.item };
      return query.itemType === 'logs'
        ? itemOf(await getTelemetry(ctx, 'logs', input), logColumns)
        : itemOf(await getTelemetry(ctx, 'metrics', input), metricColumns);
    },
  }),

  /** Logs of traces, of all projects. Source: `trace-logs` of Sentry, as its clients read it. */
  get('organizations/[org]/trace-logs', {
    summary: "Lists a trace's logs",
    scopes: ['event:read'],
    query: {
      traceIds: {
        schema: { traceId: z.array(z.string()).describe('One or more traces') },
        read: readTraceIds,
      } satisfies Parameter<readonly string[]>,
      limit: LOG_LIMIT,
      ...CURSOR,
      ...RANGE,
      ...PROJECTS,
      ...SEARCH,
      sort: text('timestamp or -timestamp (newest first)'),
    },
    answer: z.object({
      data: z.array(z.record(z.string(), z.unknown())),
      meta: z.looseObject({ fields: z.record(z.string(), z.string()) }),
    }),
    isPaged: true,
    async handle({ ctx, query, page }) {
      let meta = {};
      const reply = await page(async (cursor) => {
        const question = {
          query: query.search ?? '',
          within: `trace:[${query.traceIds.join(',')}]`,
          projectSlugs: query.projectSlugs,
          environments: [],
          range: query.range ?? rangeUpToNow(ctx),
        };
        const { limit, sort } = query;
        const request = { names: LOG_FIELDS, sort, limit, cursor };
        const { rows, nextCursor, fields } = await listSampledRows(ctx, 'logs', question, request);
        meta = { fields };
        return { rows, nextCursor };
      });
      // Without units: Sentry's client takes no null for one.
      return reply.wrap((data) => ({ data, meta: { fields: {}, ...meta } }));
    },
  }),
];

const TRACES_MAX = 100;

function readTraceIds(searchParams: URLSearchParams): readonly string[] {
  const ids = searchParams.getAll('traceId').map(parseEventId);
  if (ids.length > 0 && ids.length <= TRACES_MAX && !ids.includes(null)) {
    return ids.filter((id) => id !== null);
  }
  throw invalid(`traceId must be 32 hexadecimal digits, from 1 to ${TRACES_MAX} times`, 'traceId');
}

async function spanOf(ctx: Context, projectId: number, spanId: string, traceId: string | null) {
  if (!traceId) throw invalid('Specify the trace of the span: add trace_id', 'trace_id');
  const span = await getTraceSpan(ctx, { traceId, spanId });
  if (span.projectId !== projectId) throw notFound('The span belongs to another project');
  return {
    ...itemOf({ ...span, rowId: span.spanId, occurredAtUs: span.startedAtUs }, () => spanColumns(span)),
    links: span.links && [...span.links],
  };
}

const spanColumns = (span: DigestedSpan): Columns => ({
  'span.op': span.op,
  'span.description': span.name,
  'span.duration': span.durationUs / 1_000,
  'span.status': span.status,
  'span.kind': span.kind,
  transaction: span.segmentName,
  trace: span.traceId,
  parent_span: span.parentSpanId,
  'segment.id': span.segmentId,
  is_transaction: span.isSegment,
  'transaction.event_id': span.transactionId,
  origin: span.origin,
  project_id: span.projectId,
  release: span.release,
  environment: span.environment,
  platform: span.platform,
  'sdk.name': span.sdkName,
  user: span.userId,
});

const logColumns = (log: DigestedLog): Columns => ({
  message: log.body,
  severity: log.level,
  severity_number: log.severityNumber,
  trace: log.traceId,
  span_id: log.spanId,
  project_id: log.projectId,
  release: log.release,
  environment: log.environment,
  'sdk.name': log.sdkName,
});

const metricColumns = (metric: DigestedMetric): Columns => ({
  'metric.name': metric.name,
  'metric.type': metric.type,
  'metric.unit': metric.unit,
  value: metric.value,
  trace: metric.traceId,
  span_id: metric.spanId,
  project_id: metric.projectId,
  release: metric.release,
  environment: metric.environment,
});

/** Empty ones are not told. */
type Columns = Readonly<Record<string, Value | null>>;

function itemOf<
  Row extends { rowId: string; occurredAtUs: number; attributes: Readonly<Record<string, Value>> },
>(row: Row, columnsOf: (row: Row) => Columns): z.infer<typeof ITEM> {
  const values = Object.entries({ ...row.attributes, ...columnsOf(row) });
  return {
    itemId: row.rowId,
    timestamp: isoOfUs(row.occurredAtUs),
    attributes: values.flatMap(([name, value]) =>
      value === null || value === '' ? [] : [{ name, type: typeOf(value), value }],
    ),
    meta: {},
    links: null,
  };
}

function typeOf(value: Value): 'str' | 'int' | 'float' | 'bool' {
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  return Number.isSafeInteger(value) ? 'int' : 'float';
}
