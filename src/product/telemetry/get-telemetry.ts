import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, projectNotFound, selectProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { TelemetryRows } from '#protocol/telemetry.ts';

/** Kinds of which one row is found by its id, as people call them. */
const NOUNS = {
  transactions: 'transaction',
  profiles: 'profile',
  attachments: 'attachment',
  feedback: 'feedback',
} as const satisfies Partial<Record<keyof TelemetryRows, string>>;

/** Throws NotFound when the project has no such row. */
export async function getTelemetry<Kind extends keyof typeof NOUNS>(
  ctx: Context,
  kind: Kind,
  input: { projectSlug: string; id: string },
): Promise<TelemetryRows[Kind][number]> {
  requireRight(ctx, 'event:read');
  const [project] = await selectProjects(ctx, [input.projectSlug]);
  if (!project) throw projectNotFound(ctx, input.projectSlug);
  const id = parseEventId(input.id);
  const row = id === null ? null : await ctx.stores.telemetry.find(kind, eventScope(ctx, [project.id]), id);
  if (!row) {
    throw notFound(
      `The project ${project.slug} has no ${NOUNS[kind]} "${input.id.slice(0, 40)}": it may still be on its way, or past its retention`,
    );
  }
  return row;
}
