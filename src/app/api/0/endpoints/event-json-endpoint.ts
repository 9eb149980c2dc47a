import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { getEvent } from '#product/events/get-event.ts';
import { findProject, type ProjectParams } from './find-project.ts';

const GET_EVENT_JSON = {
  summary: 'Answers an event as it is stored',
  scopes: ['event:read'],
  answer: z.looseObject({
    event_id: z.string(),
    project: z.number(),
    title: z.string(),
    exception: z.looseObject({ values: z.array(z.unknown()) }),
  }),
} satisfies Operation;

/** An event as it is stored, with the stack traces as they were sent: what `sentry-cli sourcemaps explain` reads. */
export const getEventJsonEndpoint = declare<ProjectParams & { event: string }>(
  GET_EVENT_JSON,
  async (call) => {
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
  },
);
