import { z } from 'zod';
import { ISSUE_PRIORITIES, ISSUE_SUBSTATUSES } from '#domain/issues/issue.ts';
import { ACTIVITY } from './activity.ts';
import { EVENT_METADATA } from './event.ts';
import { EVENT_TYPE, LEVEL, NAMED } from './parts.ts';
import { PROJECT_SUMMARY } from './project.ts';
import { STATUS_DETAILS } from './status-details.ts';

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
