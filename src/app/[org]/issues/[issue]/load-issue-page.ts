import type { Issue } from '#domain/issues/issue.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleData } from '#lib/visible-text.ts';
import { listAssignees } from '#product/assignment/assignees.ts';
import { listEventAttachments } from '#product/attachments/attachments.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import type { Context } from '#product/context.ts';
import { listEventFeedback } from '#product/feedback/feedback.ts';
import { listLinks } from '#product/issue-links/issue-links.ts';
import type { IssueEventFilter } from '#product/issues/issue-events.ts';
import { listIssueTags } from '#product/issues/issue-tags.ts';
import { findShownEvent } from '#product/issues/shown-event.ts';
import { listLogsAround } from '#product/logs/list-logs-around.ts';
import { suggestOwners } from '#product/ownership/suggest-owners.ts';
import { findEventProfile } from '#product/profiles/find-event-profile.ts';
import { listIssueReleases } from '#product/releases/list-releases.ts';
import { findSuspectCommits } from '#product/suspect-commits/find-suspect-commits.ts';
import { listReprocesses } from '#product/symbolication/reprocesses.ts';
import { listTrackers } from '#product/trackers/trackers.ts';
import { traceIdOf } from './event/sections-of.tsx';
import { collectProblems } from './event/source-problem/source-problems.tsx';
import { loadFrameLinks } from './event/stack/frame-links.ts';
import type { IssueFilter } from './issue-request.ts';
import { loadPeople } from './load-people.ts';
import { loadTrend } from './load-trend.ts';

const ENTRIES_SHOWN = 10;

export type ShownEvent = NonNullable<Awaited<ReturnType<typeof loadEvent>>>;
export type IssuePageData = Awaited<ReturnType<typeof loadIssuePage>>;

/** Everything that the page of an issue shows, loaded at once. Without the event store only the parts that need it are missing. */
export async function loadIssuePage(ctx: Context, issue: Issue, which: string, filter: IssueFilter) {
  const counting = loadTrend(ctx, issue, filter);
  const eventCount = counting.then((counted) => (counted.ok ? counted.value.events : null));
  const [event, trend, tags, releases, activity, assignees, people, links, trackers] = await Promise.all([
    orUnavailable(loadEvent(ctx, issue, which, filter.events, eventCount)),
    counting,
    orUnavailable(listIssueTags(ctx, issue, filter.events)),
    listIssueReleases(ctx, issue),
    listActivities(ctx, issue, { only: null, cursor: null, limit: ENTRIES_SHOWN }),
    listAssignees(ctx),
    loadPeople(ctx, issue),
    listLinks(ctx, issue),
    listTrackers(ctx),
  ]);
  return {
    ...visibleData({ event, activity, assignees, people, links, trackers, releases }),
    trend,
    tags,
  };
}

/** null when the issue has no such event, or no longer has it. */
async function loadEvent(
  ctx: Context,
  issue: Issue,
  which: string,
  filter: IssueEventFilter,
  counting: Promise<number | null>,
) {
  const shown = await findShownEvent(ctx, issue, which, filter, counting);
  if (!shown) return null;
  const { event } = shown;
  const hasProblems = collectProblems(event.payload).without > 0;
  const traceId = traceIdOf(event.payload);
  const [attachments, feedback, logs, profile, owners, suspects, linkFrame, applied] = await Promise.all([
    listEventAttachments(ctx, { projectSlug: issue.projectSlug, eventId: event.eventId }),
    listEventFeedback(ctx, event),
    traceId ? orUnavailable(listLogsAround(ctx, { traceId, atMs: event.occurredAt })) : null,
    traceId
      ? orUnavailable(
          findEventProfile(ctx, { projectSlug: issue.projectSlug, traceId, atMs: event.occurredAt }),
        )
      : null,
    orUnavailable(suggestOwners(ctx, issue.projectId, event)),
    findSuspectCommits(ctx, issue, event),
    loadFrameLinks(ctx, event),
    hasProblems
      ? listReprocesses(ctx, {
          projectSlug: issue.projectSlug,
          scope: { kind: 'issue', issueId: issue.id },
          limit: 1,
        })
      : [],
  ]);
  return {
    ...shown,
    attachments,
    feedback,
    logs: logs?.ok ? logs.value : null,
    /** null when there is none, or they are not available. */
    profile: profile?.ok ? profile.value : null,
    owners,
    suspects,
    linkFrame,
    /** Runs that applied uploads to the issue; empty when all frames show their source. */
    applied,
  };
}
