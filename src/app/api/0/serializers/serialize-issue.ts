import type { IssueActivity } from '#storage/ports/events.ts';
import type { Activity, Issue, IssueStatus } from '#storage/ports/issues.ts';
import type { Organization, Project } from '#storage/ports/projects.ts';
import { serializeProjectSummary } from './serialize-project.ts';

export type IssueSurroundings = {
  organization: Organization;
  /** null when the project is gone. */
  project: Project | null;
  publicUrl: string;
};

/** Events of a period: its name, its first bucket and the size of each. */
export type IssueStats = { name: string; fromMs: number; bucketMs: number; activity: IssueActivity };

/**
 * An issue as lists show it. `userCount` counts the users of the first period given, `count` all events ever.
 * Source of the fields: https://docs.sentry.io/api/events/list-a-projects-issues/
 */
export function serializeIssue(issue: Issue, around: IssueSurroundings, stats: readonly IssueStats[]) {
  return {
    id: String(issue.id),
    shortId: issue.shortId,
    shareId: null,
    title: issue.title,
    culprit: issue.culprit,
    permalink: `${around.publicUrl}/${around.organization.slug}/issues/${issue.shortId}`,
    logger: issue.logger,
    level: issue.level,
    status: API_STATUS[issue.status],
    substatus: issue.substatus,
    statusDetails: {},
    isPublic: false,
    platform: issue.platform,
    project: around.project
      ? serializeProjectSummary(around.project)
      : { id: String(issue.projectId), slug: issue.projectSlug, name: issue.projectSlug, platform: null },
    type: issue.type,
    issueType: 'error',
    issueCategory: 'error',
    metadata: issue.metadata,
    numComments: 0,
    userReportCount: 0,
    assignedTo: serializeAssignee(issue),
    isBookmarked: false,
    isSubscribed: false,
    subscriptionDetails: null,
    hasSeen: false,
    annotations: [],
    count: String(issue.timesSeen),
    userCount: stats[0]?.activity.users ?? 0,
    firstSeen: new Date(issue.firstSeen).toISOString(),
    lastSeen: new Date(issue.lastSeen).toISOString(),
    stats: Object.fromEntries(stats.map((entry) => [entry.name, serializeStats(entry)])),
  };
}

/** What one issue has besides. Source: https://docs.sentry.io/api/events/retrieve-an-issue/ */
export function serializeIssueDetail(
  issue: Issue,
  around: IssueSurroundings,
  stats: readonly IssueStats[],
  activities: readonly Activity[],
) {
  return {
    ...serializeIssue(issue, around, stats),
    firstRelease: issue.firstRelease === null ? null : { version: issue.firstRelease },
    lastRelease: issue.lastRelease === null ? null : { version: issue.lastRelease },
    activity: activities.map(serializeActivity),
    seenBy: [],
    participants: [],
    userReportCount: 0,
  };
}

/** Sentry says `ignored` where people read "archived". */
export const API_STATUS: Readonly<Record<IssueStatus, string>> = {
  unresolved: 'unresolved',
  resolved: 'resolved',
  archived: 'ignored',
};

export function serializeAssignee(issue: Issue) {
  const { assignee } = issue;
  return assignee && { type: 'user', id: assignee.userId, name: assignee.name, email: assignee.email };
}

/** Pairs of Unix seconds and events. */
function serializeStats({ fromMs, bucketMs, activity }: IssueStats): [number, number][] {
  return activity.buckets.map((count, index) => [Math.floor((fromMs + index * bucketMs) / 1_000), count]);
}

function serializeActivity(activity: Activity) {
  return {
    id: String(activity.id),
    type: activity.type === 'set_archived' ? 'set_ignored' : activity.type,
    user: activity.user,
    data: activity.data,
    dateCreated: new Date(activity.at).toISOString(),
  };
}
