import type { Issue } from '#domain/issues/issue.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';
import { isoOfMs } from './serialize-moment.ts';

/**
 * What somebody said; `issue` is the one of the error that it is about, null without one.
 * Source of the fields: https://docs.sentry.io/api/projects/list-a-projects-user-feedback/
 */
export const serializeFeedback = (row: DigestedFeedback, issue: Issue | null) => ({
  id: row.feedbackId,
  eventID: row.associatedEventId,
  event:
    row.associatedEventId === null ? null : { id: row.associatedEventId, eventID: row.associatedEventId },
  name: row.name ?? '',
  email: row.email ?? '',
  comments: row.message,
  user: row.email === null && row.name === null ? null : { email: row.email, name: row.name },
  issue: issue && { id: String(issue.id), shortId: issue.shortId, title: issue.title },
  dateCreated: isoOfMs(row.occurredAt),
  source: row.source,
  url: row.url,
  replayId: row.replayId,
  traceId: row.traceId,
  release: row.release,
  environment: row.environment,
  platform: row.platform,
  projectID: String(row.projectId),
});

/** As the list of an issue's user reports has it: whom it is of is complete, and there is always an event. */
export const serializeReport = (row: DigestedFeedback, issue: Issue) => {
  const eventId = row.associatedEventId ?? '';
  const { user, ...feedback } = serializeFeedback(row, issue);
  return {
    ...feedback,
    eventID: eventId,
    event: { id: eventId, eventID: eventId },
    user: user && { id: '', username: null, ipAddress: null, avatarUrl: null, ...user },
  };
};
