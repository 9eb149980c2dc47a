import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { getEvent } from '#product/events/get-event.ts';
import { findProject, type ProjectParams } from './find-project.ts';

/** An event as it is stored, with the stack traces as they were sent: what `sentry-cli sourcemaps explain` reads. */
export const getEventJsonEndpoint: ApiEndpoint<ProjectParams & { event: string }> = async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const { event } = await getEvent(ctx, { projectSlug: project.slug, eventId: call.params.event });
  return {
    body: {
      ...event.payload,
      event_id: event.eventId,
      project: event.projectId,
      title: event.title,
      exception: event.payload.exception ?? { values: [] },
    },
  };
};
