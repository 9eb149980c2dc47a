import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getEvent } from '#product/events/get-event.ts';
import { listRows } from '#product/explore/rows/explored-rows.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { findIssueEvent } from '#product/issues/issue-events.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { rangeOf } from '../inputs.ts';

/** Of the address of a page: the issue, and the event when it names one. */
const PAGE = /\/issues\/([^/?#]+)(?:\/events\/([^/?#]+))?/;

/** By short id, number or the address of its page; `event` is the event that the address names. Throws NotFound. */
export async function findIssue(ctx: Context, text: string): Promise<{ issue: Issue; event: string | null }> {
  const [, named = text, event = null] = PAGE.exec(text) ?? [];
  return { issue: await getIssue(ctx, named.trim()), event };
}

/**
 * The issue with one of its events: the requested one, else the one in the URL, else the recommended one.
 * null when there is no such event. Throws NotFound.
 */
export async function findIssueWithEvent(
  ctx: Context,
  { issue: text, event: which }: { issue: string; event?: string | undefined },
): Promise<{ issue: Issue; event: StoredEvent | null }> {
  const { issue, event: ofPage } = await findIssue(ctx, text);
  return { issue, event: await findIssueEvent(ctx, issue, which ?? ofPage ?? 'recommended') };
}

type FoundEvent = { event: StoredEvent; issue: Issue | null; projectSlug: string };

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
  if (eventId === null)
    throw notFound(`"${text.slice(0, 40)}" is not an event ID: it has 32 hexadecimal digits`);
  const { rows } = await listRows(
    ctx,
    {
      dataset: 'errors',
      query: `id:${eventId}`,
      projectSlugs: [],
      environments: [],
      range: rangeOf('90d', ctx.now()),
    },
    { fields: [], sort: '-timestamp', limit: 1, cursor: null },
  );
  const [row] = rows;
  if (row) return row.projectSlug;
  throw notFound(
    `No project has the event "${eventId}": it may not have arrived yet, or its retention period may be over`,
  );
}
