import { z } from 'zod';
import { ACTIVITY, serializeActivity } from '#app/api/0/shapes/activity.ts';
import { EVENT_METADATA } from '#app/api/0/shapes/event.ts';
import { EVENT_TYPE, LEVEL, NAMED } from '#app/api/0/shapes/parts.ts';
import { PROJECT_SUMMARY, serializeProjectSummary } from '#app/api/0/shapes/project.ts';
import { API_STATUS, STATUS_DETAILS, serializeStatusDetails } from '#app/api/0/shapes/status-details.ts';
import { type Activity, ISSUE_PRIORITIES, ISSUE_SUBSTATUSES, type Issue } from '#domain/issues/issue.ts';
import type { Organization, Project } from '#domain/projects.ts';
import {
  type IssuePeople,
  type IssuePeopleView,
  NO_USER_STATE,
} from '#product/issue-user-state/user-state.ts';
import type { IssueActivity, TagDistribution } from '#storage/ports/events.ts';

/** A team with its slug, or a user with an e-mail address. */
const ASSIGNEE = z
  .object({
    type: z.enum(['team', 'user']),
    id: z.string(),
    name: z.string(),
    slug: z.string().optional(),
    email: z.string().optional(),
  })
  .meta({ id: 'Assignee' });

export const ISSUE = z
  .object({
    id: z.string(),
    shortId: z.string(),
    title: z.string(),
    culprit: z.string(),
    permalink: z.string(),
    logger: z.string().nullable(),
    level: LEVEL,
    status: z.string(),
    substatus: z.enum(ISSUE_SUBSTATUSES).nullable(),
    statusDetails: STATUS_DETAILS,
    priority: z.enum(ISSUE_PRIORITIES),
    priorityLockedAt: z.string().nullable(),
    shareId: z.null(),
    isPublic: z.boolean(),
    platform: z.string(),
    project: PROJECT_SUMMARY,
    type: EVENT_TYPE,
    issueType: z.string(),
    issueCategory: z.string(),
    metadata: EVENT_METADATA,
    numComments: z.number(),
    userReportCount: z.number(),
    assignedTo: ASSIGNEE.nullable(),
    isBookmarked: z.boolean(),
    isSubscribed: z.boolean(),
    subscriptionDetails: z
      .object({
        reason: z.enum(['assigned', 'commented', 'mentioned', 'team_mentioned', 'bookmarked', 'chosen']),
      })
      .nullable(),
    hasSeen: z.boolean(),
    annotations: z.array(z.unknown()),
    pluginActions: z.array(z.unknown()),
    pluginIssues: z.array(z.unknown()),
    sentryAppIssues: z.array(z.unknown()),
    filtered: z.null(),
    count: z.string(),
    userCount: z.number(),
    firstSeen: z.string(),
    lastSeen: z.string(),
    stats: z.record(z.string(), z.array(z.tuple([z.number(), z.number()]))),
  })
  .meta({ id: 'Issue' });

const RELEASE_REF = z.object({ version: z.string() });

export const ISSUE_DETAIL = ISSUE.extend({
  firstRelease: RELEASE_REF.nullable(),
  lastRelease: RELEASE_REF.nullable(),
  activity: z.array(ACTIVITY),
  seenBy: z.array(NAMED.extend({ email: z.string(), lastSeen: z.string() })),
  participants: z.array(NAMED.extend({ type: z.string() })),
  pluginContexts: z.array(z.unknown()),
  tags: z.array(z.object({ key: z.string(), name: z.string(), totalValues: z.number() })),
}).meta({ id: 'IssueDetail' });

/** What was changed, of many issues at once: what was not is left out. */
export const ISSUES_CHANGE = z
  .object({
    status: z.string(),
    substatus: z.enum(ISSUE_SUBSTATUSES),
    statusDetails: STATUS_DETAILS,
    priority: z.enum(ISSUE_PRIORITIES),
    assignedTo: ASSIGNEE.pick({ type: true, id: true }).nullable(),
    isBookmarked: z.boolean(),
    isSubscribed: z.boolean(),
    hasSeen: z.boolean(),
    isPublic: z.boolean(),
    shareId: z.string(),
    merge: z.object({ parent: z.string(), children: z.array(z.string()) }),
    discard: z.boolean(),
  })
  .partial()
  .meta({ id: 'IssuesChange' });

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
    return { type: 'team' as const, id: String(teamId), slug, name };
  }
  if (!assignee) return null;
  return { type: 'user' as const, id: assignee.userId, name: assignee.name, email: assignee.email };
}

/** Pairs of Unix seconds and events. */
function serializeStats({ fromMs, bucketMs, activity }: IssueStats): [number, number][] {
  return activity.buckets.map((count, index) => [Math.floor((fromMs + index * bucketMs) / 1_000), count]);
}
