import type { Activity, Issue } from '#domain/issues/issue.ts';
import type { Organization, Project } from '#domain/projects.ts';
import {
  type IssuePeople,
  type IssuePeopleView,
  NO_USER_STATE,
} from '#product/issue-user-state/user-state.ts';
import type { IssueActivity, TagDistribution } from '#storage/ports/events.ts';
import { serializeActivity } from './serialize-activity.ts';
import { serializeProjectSummary } from './serialize-project.ts';
import { API_STATUS, serializeStatusDetails } from './serialize-status-details.ts';

export type IssueSurroundings = {
  organization: Organization;
  /** null when the project is gone. */
  project: Project | null;
  publicUrl: string;
  /** What people made of the issue, and whoever asks; absent where it was not loaded. */
  people?: IssuePeopleView;
};

/** Events of a period: its name, its first bucket and the size of each. */
export type IssueStats = { name: string; fromMs: number; bucketMs: number; activity: IssueActivity };

/**
 * An issue as lists show it. `userCount` counts the users of the first period given, `count` all events ever.
 * Source of the fields: https://docs.sentry.io/api/events/list-a-projects-issues/
 */
export function serializeIssue(issue: Issue, around: IssueSurroundings, stats: readonly IssueStats[]) {
  const userState = around.people?.userState ?? NO_USER_STATE;
  return {
    id: String(issue.id),
    shortId: issue.shortId,
    title: issue.title,
    culprit: issue.culprit,
    permalink: `${around.publicUrl}/${around.organization.slug}/issues/${issue.shortId}`,
    logger: issue.logger,
    level: issue.level,
    status: API_STATUS[issue.status],
    substatus: issue.substatus,
    statusDetails: serializeStatusDetails(issue),
    priority: issue.priority,
    priorityLockedAt: issue.priorityLockedAt === null ? null : new Date(issue.priorityLockedAt).toISOString(),
    // The token is not kept: only whoever makes a share is told.
    shareId: null,
    isPublic: around.people?.isShared ?? false,
    platform: issue.platform,
    project: around.project
      ? serializeProjectSummary(around.project)
      : { id: String(issue.projectId), slug: issue.projectSlug, name: issue.projectSlug, platform: null },
    type: issue.type,
    issueType: 'error',
    issueCategory: 'error',
    metadata: issue.metadata,
    numComments: around.people?.comments ?? 0,
    userReportCount: 0,
    assignedTo: serializeAssignee(issue),
    isBookmarked: userState.isBookmarked,
    isSubscribed: userState.subscription?.isSubscribed ?? false,
    subscriptionDetails: userState.subscription && { reason: userState.subscription.reason },
    hasSeen: userState.hasSeen,
    annotations: [],
    pluginActions: [],
    pluginIssues: [],
    sentryAppIssues: [],
    // Counts are never narrowed down by a search.
    filtered: null,
    count: String(issue.timesSeen),
    userCount: stats[0]?.activity.users ?? 0,
    firstSeen: new Date(issue.firstSeen).toISOString(),
    lastSeen: new Date(issue.lastSeen).toISOString(),
    stats: Object.fromEntries(stats.map((entry) => [entry.name, serializeStats(entry)])),
  };
}

export type IssueDetails = {
  activities: readonly Activity[];
  people: Pick<IssuePeople, 'seenBy' | 'subscribers'>;
  /** The most frequent ones. */
  tags: readonly Pick<TagDistribution, 'key' | 'total'>[];
};

/** What one issue has besides. Source: https://docs.sentry.io/api/events/retrieve-an-issue/ */
export function serializeIssueDetail(
  issue: Issue,
  around: IssueSurroundings,
  stats: readonly IssueStats[],
  { activities, people, tags }: IssueDetails,
) {
  return {
    ...serializeIssue(issue, around, stats),
    firstRelease: issue.firstRelease === null ? null : { version: issue.firstRelease },
    lastRelease: issue.lastRelease === null ? null : { version: issue.lastRelease },
    activity: activities.map(serializeActivity),
    seenBy: people.seenBy.map(({ userId, name, email, seenAt }) => ({
      id: userId,
      name,
      email,
      lastSeen: new Date(seenAt).toISOString(),
    })),
    participants: people.subscribers.map(({ userId, name }) => ({ type: 'user', id: userId, name })),
    userReportCount: 0,
    pluginContexts: [],
    tags: tags.map(({ key, total }) => ({ key, name: key, totalValues: total })),
  };
}

export function serializeAssignee({ assignee, assigneeTeam }: Pick<Issue, 'assignee' | 'assigneeTeam'>) {
  if (assigneeTeam) {
    const { teamId, slug, name } = assigneeTeam;
    return { type: 'team', id: String(teamId), slug, name };
  }
  return assignee && { type: 'user', id: assignee.userId, name: assignee.name, email: assignee.email };
}

/** Pairs of Unix seconds and events. */
function serializeStats({ fromMs, bucketMs, activity }: IssueStats): [number, number][] {
  return activity.buckets.map((count, index) => [Math.floor((fromMs + index * bucketMs) / 1_000), count]);
}
