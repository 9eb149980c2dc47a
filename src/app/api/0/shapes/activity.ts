import { z } from 'zod';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import type { Activity } from '#domain/issues/issue.ts';

export const ACTIVITY = z
  .object({
    id: z.string(),
    type: z.string(),
    user: NAMED.nullable(),
    data: z.record(z.string(), z.unknown()),
    dateCreated: z.string(),
  })
  .meta({ id: 'Activity' });

/** A comment is one of the type `note`. Source: https://docs.sentry.io/api/events/retrieve-an-issue/ */
export function serializeActivity(activity: Activity) {
  return {
    id: String(activity.id),
    type: activity.type === 'set_archived' ? 'set_ignored' : activity.type,
    user: activity.user,
    data: activity.data,
    dateCreated: new Date(activity.at).toISOString(),
  };
}
