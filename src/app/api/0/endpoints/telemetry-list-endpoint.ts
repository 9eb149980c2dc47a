import { answerPage } from '#app/api/0/answer-page.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readLimit, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { listTelemetry } from '#product/telemetry/telemetry.ts';
import type { TelemetryKind, TelemetryRows } from '#protocol/telemetry.ts';
import type { TelemetryFilter } from '#storage/ports/telemetry.ts';
import { findProject, type ProjectParams } from './find-project.ts';

/** Parameters that narrow a list of some kind down. */
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

/** The list of one kind of telemetry of a project, newest first, that the given parameters narrow down. */
export function telemetryListEndpoint<Kind extends TelemetryKind>(
  kind: Kind,
  filters: readonly TelemetryFilter[],
  serialize: (row: TelemetryRows[Kind][number]) => unknown,
): ApiEndpoint<ProjectParams> {
  return async ({ caller, params, url }) => {
    const filter = readTelemetryFilter(url, filters);
    const { ctx, project } = await findProject(caller, params);
    const input = {
      projectSlug: project.slug,
      limit: readLimit(url),
      range: readRange(url, ctx.now()),
      filter,
    };
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { rows, nextCursor } = await listTelemetry(ctx, kind, { ...input, cursor });
      return { rows: rows.map(serialize), nextCursor };
    });
  };
}

/** The filters that the address names. Throws Invalid for one that the list does not have. */
export function readTelemetryFilter(
  url: URL,
  filters: readonly TelemetryFilter[],
): Partial<Record<TelemetryFilter, string>> {
  refuseParameters(url, ['query', ...FILTERS.filter((name) => !filters.includes(name))]);
  return Object.fromEntries(
    filters.flatMap((name) => {
      const value = url.searchParams.get(name);
      return value ? [[name, value]] : [];
    }),
  );
}
