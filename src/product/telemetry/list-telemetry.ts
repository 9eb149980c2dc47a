import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, projectNotFound, selectProjects } from '#product/visible-projects.ts';
import type { TelemetryKind, TelemetryRows } from '#protocol/telemetry.ts';
import type { TelemetryFilter } from '#storage/ports/telemetry.ts';
import { checkTelemetryFilter } from './check-telemetry-filter.ts';
import { TELEMETRY_PLACE } from './telemetry-place.ts';

export type TelemetryListInput = {
  projectSlug: string;
  cursor: string | null;
  limit: number;
  /** By the clock of the kind; absent or null is any time. */
  range?: Range | null;
  filter?: Partial<Record<TelemetryFilter, string>>;
};

/** Rows of one kind of a project, newest first. */
export async function listTelemetry<Kind extends TelemetryKind>(
  ctx: Context,
  kind: Kind,
  input: TelemetryListInput,
): Promise<{ rows: readonly TelemetryRows[Kind][number][]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const range = input.range ?? null;
  if (range) checkRange(range);
  const filter = checkTelemetryFilter(input.filter ?? {});
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw projectNotFound(ctx, input.projectSlug);
  const { rows, next } = await ctx.stores.telemetry.list(kind, eventScope(ctx, [project.id]), {
    limit: input.limit,
    before,
    range,
    filter,
  });
  return { rows, nextCursor: next && encodeCursor(next) };
}
