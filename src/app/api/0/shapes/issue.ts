import { z } from 'zod';
import { EMPTY_LIST, each, idOf, isoMs, isoMsOrNull, NULL, shapeOf, ZERO } from '#app/api/0/shape.ts';
import { ACTIVITY, serializeActivity } from '#app/api/0/shapes/activity.ts';
import { EVENT_METADATA } from '#app/api/0/shapes/event.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { EVENT_TYPE, LEVEL, NAMED } from '#app/api/0/shapes/parts.ts';
import { PROJECT_SUMMARY, serializeProjectSummary } from '#app/api/0/shapes/project.ts';
import { API_STATUS, STATUS_DETAILS, serializeStatusDetails } from '#app/api/0/shapes/status-details.ts';
import { categoryOf } from '#domain/issues/category.ts';
import { type Activity, ISSUE_PRIORITIES, ISSUE_SUBSTATUSES, type Issue } from '#domain/issues/issue.ts';
import type { Organization, Project } from '#domain/projects.ts';
import {
  type IssuePeople,
  type IssuePeopleView,
  NO_USER_STATE,
} from '#product/issue-user-state/user-state.ts';
import type { CountedEvents, IssueCounts } from '#product/issues/issue-counts.ts';
import { wireTypeOf } from '#protocol/event.ts';
import type { IssueActivity, TagDistribution } from '#storage/ports/events.ts';

const TEXT = z.string();

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

export type IssueSurroundings = {
  organization: Organization;
  /** null when the project is gone. */
  project: Project | null;
  publicUrl: string;
  /** User state of the issue, and of the caller; absent where it was not loaded. */
  people?: IssuePeopleView;
  /** Absent where the issue is not part of a list, null while the event store is away. */
  listed?: ListedCounts;
};

/** Where an issue is counted as a list asks for it: Sentry's `count` is of the range, `filtered` of the search as well. */
export type ListedCounts = { chart: Omit<IssueStats, 'activity'> | null; counts: IssueCounts | null };

/** Events of a period: its name, its first bucket and the size of each. */
export type IssueStats = { name: string; fromMs: number; bucketMs: number; activity: IssueActivity };

export type IssueDetails = {
  activities: readonly Activity[];
  people: Pick<IssuePeople, 'seenBy' | 'subscribers'>;
  /** The most frequent ones. */
  tags: readonly Pick<TagDistribution, 'key' | 'total'>[];
};

const COUNTED = {
  count: TEXT,
  userCount: z.number(),
  firstSeen: TEXT.nullable(),
  lastSeen: TEXT.nullable(),
};
const STATS = z.record(TEXT, z.array(z.tuple([z.number(), z.number()])));

/**
 * An issue as lists show it. By itself, `count` is of all events ever and `userCount` of the first period given; in a list
 * both are of the range and the environments, `filtered` of the search as well, `lifetime` of all that is stored.
 * Source of the fields: https://docs.sentry.io/api/events/list-a-projects-issues/
 */
export const [ISSUE, serializeIssue] = shapeOf<
  Issue,
  [around: IssueSurroundings, stats: readonly IssueStats[]]
>()(
  {
    id: idOf('id'),
    ...each(TEXT, 'shortId', 'title', 'culprit'),
    permalink: [
      TEXT,
      ({ shortId }, { publicUrl, organization }) => `${publicUrl}/${organization.slug}/issues/${shortId}`,
    ],
    logger: TEXT.nullable(),
    level: LEVEL,
    status: [TEXT, ({ status }) => API_STATUS[status]],
    substatus: z.enum(ISSUE_SUBSTATUSES).nullable(),
    statusDetails: [STATUS_DETAILS, (issue) => serializeStatusDetails(issue)],
    priority: z.enum(ISSUE_PRIORITIES),
    priorityLockedAt: isoMsOrNull('priorityLockedAt'),
    // The token is not kept: only the answer that creates a share has it.
    shareId: NULL,
    isPublic: [z.boolean(), (_, { people }) => people?.isShared ?? false],
    platform: TEXT,
    project: [
      PROJECT_SUMMARY,
      ({ projectId, projectSlug }, { project }) =>
        serializeProjectSummary(
          project ?? { id: projectId, slug: projectSlug, name: projectSlug, platform: null },
        ),
    ],
    type: [EVENT_TYPE, ({ type }) => wireTypeOf(type)],
    issueType: [TEXT, ({ type }) => (categoryOf(type) === 'error' ? 'error' : type)],
    issueCategory: [TEXT, ({ type }) => categoryOf(type)],
    metadata: EVENT_METADATA,
    numComments: [z.number(), (_, { people }) => people?.comments ?? 0],
    userReportCount: ZERO,
    assignedTo: [ASSIGNEE.nullable(), (issue) => serializeAssignee(issue)],
    isBookmarked: [z.boolean(), (_, around) => userStateOf(around).isBookmarked],
    isSubscribed: [z.boolean(), (_, around) => userStateOf(around).subscription?.isSubscribed ?? false],
    subscriptionDetails: [
      z
        .object({
          reason: z.enum(['assigned', 'commented', 'mentioned', 'team_mentioned', 'bookmarked', 'chosen']),
        })
        .nullable(),
      (_, around) => {
        const { subscription } = userStateOf(around);
        return subscription && { reason: subscription.reason };
      },
    ],
    hasSeen: [z.boolean(), (_, around) => userStateOf(around).hasSeen],
    ...each(EMPTY_LIST, 'annotations', 'pluginActions', 'pluginIssues', 'sentryAppIssues'),
    filtered: [
      z.object({ ...COUNTED, stats: STATS }).nullable(),
      (_, { listed }) => {
        const filtered = listed?.counts?.filtered;
        return filtered ? { ...serializeCounted(filtered.total), stats: chartOf(listed, filtered) } : null;
      },
    ],
    lifetime: [
      z.object({ ...COUNTED, stats: z.null() }).nullable(),
      ({ timesSeen, firstSeen, lastSeen }, { listed }) => {
        const lifetime = listed?.counts?.lifetime;
        return lifetime
          ? { ...serializeCounted({ ...lifetime, events: timesSeen, firstSeen, lastSeen }), stats: null }
          : null;
      },
    ],
    count: [TEXT, ({ timesSeen }, { listed }) => String(listed?.counts?.counted.total.events ?? timesSeen)],
    userCount: [
      z.number(),
      (_, { listed }, stats) => listed?.counts?.counted.total.users ?? stats[0]?.activity.users ?? 0,
    ],
    firstSeen: isoMs('firstSeen'),
    lastSeen: isoMs('lastSeen'),
    stats: [
      STATS,
      (_, { listed }, stats) =>
        listed?.counts
          ? chartOf(listed, listed.counts.counted)
          : Object.fromEntries(
              stats.map((entry) => [entry.name, serializeStats(entry, entry.activity.buckets)]),
            ),
    ],
  },
  'Issue',
);

const serializeCounted = ({
  events,
  users,
  firstSeen,
  lastSeen,
}: Omit<IssueActivity, 'issueId' | 'buckets'>) => ({
  count: String(events),
  userCount: users,
  firstSeen: firstSeen === null ? null : isoOfMs(firstSeen),
  lastSeen: lastSeen === null ? null : isoOfMs(lastSeen),
});

/** The chart under its name; nothing when none was asked for. */
const chartOf = ({ chart }: ListedCounts, counted: CountedEvents) =>
  chart && counted.chart ? { [chart.name]: serializeStats(chart, counted.chart.buckets) } : {};

const userStateOf = ({ people }: IssueSurroundings) => people?.userState ?? NO_USER_STATE;

const RELEASE_REF = z.object({ version: TEXT }).nullable();

const [DETAILS, serializeDetails] = shapeOf<IssueDetails & { issue: Issue }>()({
  firstRelease: [RELEASE_REF, ({ issue }) => refOf(issue.firstRelease)],
  lastRelease: [RELEASE_REF, ({ issue }) => refOf(issue.lastRelease)],
  activity: [
    z.array(ACTIVITY),
    ({ activities }) => activities.map((activity) => serializeActivity(activity)),
  ],
  seenBy: [
    z.array(NAMED.extend({ email: TEXT, lastSeen: TEXT })),
    ({ people }) =>
      people.seenBy.map(({ userId, name, email, seenAt }) => ({
        id: userId,
        name,
        email,
        lastSeen: isoOfMs(seenAt),
      })),
  ],
  participants: [
    z.array(NAMED.extend({ type: TEXT })),
    ({ people }) => people.subscribers.map(({ userId, name }) => ({ type: 'user', id: userId, name })),
  ],
  pluginContexts: EMPTY_LIST,
  tags: [
    z.array(z.object({ key: TEXT, name: TEXT, totalValues: z.number() })),
    ({ tags }) => tags.map(({ key, total }) => ({ key, name: key, totalValues: total })),
  ],
});

const refOf = (version: string | null) => (version === null ? null : { version });

export const ISSUE_DETAIL = ISSUE.extend(DETAILS.shape).meta({ id: 'IssueDetail' });

/** What one issue has besides. Source: https://docs.sentry.io/api/events/retrieve-an-issue/ */
export const serializeIssueDetail = (
  issue: Issue,
  around: IssueSurroundings,
  stats: readonly IssueStats[],
  details: IssueDetails,
) => ({ ...serializeIssue(issue, around, stats), ...serializeDetails({ ...details, issue }) });

/** What was changed, of many issues at once: what was not is left out. */
export const ISSUES_CHANGE = z
  .object({
    status: z.string(),
    substatus: z.enum(ISSUE_SUBSTATUSES),
    statusDetails: STATUS_DETAILS,
    priority: z.enum(ISSUE_PRIORITIES),
    assignedTo: ASSIGNEE.pick({ type: true, id: true }).nullable(),
    ...each(z.boolean(), 'isBookmarked', 'isSubscribed', 'hasSeen', 'isPublic'),
    shareId: z.string(),
    merge: z.object({ parent: z.string(), children: z.array(z.string()) }),
    discard: z.boolean(),
  })
  .partial()
  .meta({ id: 'IssuesChange' });

export function serializeAssignee({ assignee, assigneeTeam }: Pick<Issue, 'assignee' | 'assigneeTeam'>) {
  if (assigneeTeam) {
    const { teamId, slug, name } = assigneeTeam;
    return { type: 'team' as const, id: String(teamId), slug, name };
  }
  if (!assignee) return null;
  return { type: 'user' as const, id: assignee.userId, name: assignee.name, email: assignee.email };
}

/** Pairs of Unix seconds and events. */
function serializeStats(
  { fromMs, bucketMs }: Omit<IssueStats, 'activity'>,
  buckets: readonly number[],
): [number, number][] {
  return buckets.map((count, index) => [Math.floor((fromMs + index * bucketMs) / 1_000), count]);
}
