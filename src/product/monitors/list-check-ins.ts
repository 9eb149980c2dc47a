import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry-place.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, projectNotFound, selectProjects } from '#product/visible-projects.ts';
import type { CheckInSummary } from '#storage/ports/telemetry-summaries.ts';

/** Check-ins of a project, of one of its monitors or of all, the last begun first. */
export async function listCheckIns(
  ctx: Context,
  input: {
    projectSlug: string;
    monitorSlug: string | null;
    cursor: string | null;
    limit: number;
    range?: Range | null;
  },
): Promise<{ rows: readonly CheckInSummary[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const range = input.range ?? null;
  if (range) checkRange(range);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw projectNotFound(ctx, input.projectSlug);
  const { limit, monitorSlug } = input;
  const { rows, next } = await ctx.stores.telemetry.listCheckIns(eventScope(ctx, [project.id]), {
    monitorSlug,
    limit,
    before,
    range,
  });
  return { rows: rows.map(withDuration), nextCursor: next && encodeCursor(next) };
}

/** A check-in that ended without saying how long it took, took as long as its updates are apart. */
const withDuration = (checkIn: CheckInSummary): CheckInSummary =>
  checkIn.durationMs !== null || checkIn.status === 'in_progress' || checkIn.updatedAt === checkIn.startedAt
    ? checkIn
    : { ...checkIn, durationMs: checkIn.updatedAt - checkIn.startedAt };
