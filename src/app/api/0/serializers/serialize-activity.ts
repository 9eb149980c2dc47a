import type { Activity } from '#domain/issues/issue.ts';

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
