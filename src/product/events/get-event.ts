import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import { isErrataError, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getTransaction, type TransactionWithSpans } from '#product/traces/traces.ts';
import { eventScope, listVisibleProjects, selectProject } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

/** Throws NotFound when the project has no such event. `issue` is null when the event's issue is gone. */
export async function getEvent(
  ctx: Context,
  input: { projectSlug: string; eventId: string },
): Promise<{ event: StoredEvent; issue: Issue | null }> {
  requireRight(ctx, 'event:read');
  const project = await selectProject(ctx, input.projectSlug);
  const eventId = parseEventId(input.eventId);
  const event =
    eventId === null ? null : await ctx.stores.events.findEvent(eventScope(ctx, [project.id]), eventId);
  if (!event) {
    throw notFound(
      `Project ${project.slug} has no event "${input.eventId.slice(0, 40)}": it may still be processing, or past its retention period`,
    );
  }
  return {
    event,
    issue: await ctx.stores.issues.findByHash(ctx.organization.id, project.id, event.groupingHash),
  };
}

/** An event of any project that whoever asks sees. `issue` is null when it is gone. Throws NotFound. */
export async function findEventAnywhere(
  ctx: Context,
  eventIdText: string,
): Promise<{ event: StoredEvent; issue: Issue | null; project: Project }> {
  requireRight(ctx, 'event:read');
  const projects = await listVisibleProjects(ctx);
  const scope = eventScope(ctx, projects);
  const eventId = parseEventId(eventIdText);
  const event = eventId === null ? null : await ctx.stores.events.findEvent(scope, eventId);
  const project = projects.find(({ id }) => id === event?.projectId);
  if (!event || !project) {
    throw notFound(
      `Organization ${ctx.organization.slug} has no event "${eventIdText.slice(0, 40)}": it may still be processing, or past its retention period`,
    );
  }
  const issue = await ctx.stores.issues.findByHash(ctx.organization.id, project.id, event.groupingHash);
  return { event, issue, project };
}

/** Errors and transactions share their ids. Throws NotFound when the project has neither. */
export async function getEventOrTransaction(
  ctx: Context,
  input: { projectSlug: string; eventId: string },
): Promise<{ event: StoredEvent; issue: Issue | null } | TransactionWithSpans> {
  try {
    return await getEvent(ctx, input);
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'not_found') throw error;
    const found = await getTransaction(ctx, input).catch(ignoreNotFound);
    if (!found) throw error;
    return found;
  }
}

function ignoreNotFound(error: unknown): null {
  if (isErrataError(error) && error.code === 'not_found') return null;
  throw error;
}
