import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import { PAGE, type Parameter, type QueryValues, RANGE, refuseParameters } from '#app/api/0/query.ts';
import type { LoadPage, Reply } from '#app/api/0/reply.ts';
import { LOG, METRIC, serializeLog, serializeMetric } from '#app/api/0/shapes/telemetry.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { listTelemetry } from '#product/telemetry/telemetry.ts';
import type { TelemetryKind, TelemetryRows } from '#protocol/telemetry.ts';
import type { TelemetryFilter } from '#storage/ports/telemetry.ts';

/** Every value that lists of telemetry can be kept by. */
const FILTERS: readonly TelemetryFilter[] = [
  'traceId',
  'eventId',
  'replayId',
  'monitorSlug',
  'associatedEventId',
  'transactionId',
  'name',
  'level',
  'release',
  'environment',
  'profilerId',
];

/** Values that rows of telemetry are kept by, each equal to its own; those of other lists are refused. */
export const keptBy = (names: readonly TelemetryFilter[]) => ({
  filter: {
    schema: Object.fromEntries(names.map((name) => [name, z.string().describe(`Filter by ${name}`)])),
    read(searchParams) {
      refuseParameters(searchParams, ['query', ...FILTERS.filter((name) => !names.includes(name))]);
      return Object.fromEntries(
        names.flatMap((name) => (searchParams.get(name) ? [[name, searchParams.get(name) ?? '']] : [])),
      );
    },
  } satisfies Parameter<Partial<Record<TelemetryFilter, string>>>,
});

/** Parameters of lists of telemetry. */
export const telemetryQuery = (names: readonly TelemetryFilter[]) => ({
  ...keptBy(names),
  ...PAGE,
  ...RANGE,
});

type ListCall = {
  ctx: Context;
  project: Project;
  query: QueryValues<ReturnType<typeof telemetryQuery>>;
  page: (load: LoadPage) => Promise<Reply>;
};

/** The list of one kind of telemetry of a project, newest first. */
export const listRows =
  <Kind extends TelemetryKind>(kind: Kind, serialize: (row: TelemetryRows[Kind][number]) => unknown) =>
  ({ ctx, project, query: { limit, range, filter }, page }: ListCall): Promise<Reply> =>
    page(async (cursor) => {
      const input = { projectSlug: project.slug, limit, range, filter, cursor };
      const { rows, nextCursor } = await listTelemetry(ctx, kind, input);
      return { rows: rows.map(serialize), nextCursor };
    });

export const logAndMetricOperations: readonly Operation[] = [
  get('projects/[org]/[project]/logs', {
    summary: "Lists a project's logs, newest first",
    scopes: ['event:read'],
    query: telemetryQuery(['traceId', 'level', 'release', 'environment']),
    answer: z.array(LOG),
    isPaged: true,
    handle: listRows('logs', serializeLog),
  }),

  get('projects/[org]/[project]/metrics', {
    summary: "Lists a project's metric values, newest first",
    scopes: ['event:read'],
    query: telemetryQuery(['traceId', 'name', 'release', 'environment']),
    answer: z.array(METRIC),
    isPaged: true,
    handle: listRows('metrics', serializeMetric),
  }),
];
