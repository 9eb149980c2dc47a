import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getEvent } from '#product/events/get-event.ts';
import { listExploredEvents } from '#product/explore/explored-events.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { rangeOf } from '../inputs.ts';

export type FoundEvent = { event: StoredEvent; issue: Issue | null; projectSlug: string };

/** By its id, in the project when one is named, else in any that is visible. Throws NotFound. */
export async function findEvent(
  ctx: Context,
  input: { event: string; project?: string | undefined },
): Promise<FoundEvent> {
  const projectSlug = input.project ?? (await findProjectOf(ctx, input.event));
  const found = await getEvent(ctx, { projectSlug, eventId: input.event });
  return { ...found, projectSlug };
}

async function findProjectOf(ctx: Context, text: string): Promise<string> {
  const eventId = parseEventId(text);
  if (eventId === null) throw notFound(`"${text.slice(0, 40)}" is no event id: it has 32 hexadecimal digits`);
  const { rows } = await listExploredEvents(
    ctx,
    { query: `id:${eventId}`, projectSlugs: [], environments: [], range: rangeOf('90d', ctx.now()) },
    { columns: [], order: 'newest', limit: 1, cursor: null },
  );
  const [row] = rows;
  if (row) return row.projectSlug;
  throw notFound(`No project has the event "${eventId}": it may still be on its way, or past its retention`);
}
