import { z } from 'zod';
import { idOf, isoMs, shapeOf } from '#app/api/0/shape.ts';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import type { Activity } from '#domain/issues/issue.ts';

/** A comment is one of the type `note`. Source: https://docs.sentry.io/api/events/retrieve-an-issue/ */
export const [ACTIVITY, serializeActivity] = shapeOf<Activity>()(
  {
    id: idOf('id'),
    type: [z.string(), ({ type }) => (type === 'set_archived' ? 'set_ignored' : type)],
    user: NAMED.nullable(),
    data: z.record(z.string(), z.unknown()),
    dateCreated: isoMs('at'),
  },
  'Activity',
);
