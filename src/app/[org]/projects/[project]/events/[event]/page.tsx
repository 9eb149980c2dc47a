import { notFound, redirect } from 'next/navigation';
import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { getEvent } from '#product/events/get-event.ts';

export default async function ProjectEventPage({ params }: PageRequest<'org' | 'project' | 'event'>) {
  const { org, project: projectSlug, event: eventId } = await params;
  const ctx = await getRequestContext(org);
  const { event, issue } = await orNotFound(getEvent(ctx, { projectSlug, eventId }));
  if (!issue) notFound();
  redirect(`/${org}/issues/${issue.shortId}/events/${event.eventId}`);
}
